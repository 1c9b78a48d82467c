import { CopyButton, DescriptionItem, DescriptionList, Section, Time } from '../../components'
import { formatExactDuration, formatInteger } from '../../format'
import { Lag, Position } from './sink-state'
import { dataKinds, destinationNames, formatNames, type Sink } from './use-sinks'

/** What a sink exports and where, and how far it is. */
export function SinkSettings({ sink }: { sink: Sink }) {
  const { destination, state } = sink
  return (
    <>
      <DescriptionList>
        <DescriptionItem name="Data">
          {dataKinds[sink.data].name}, as {formatNames[sink.format]}
        </DescriptionItem>
        <DescriptionItem name="Destination">{destinationNames[destination.type]}</DescriptionItem>
        {destination.bucket !== null && (
          <DescriptionItem name="Bucket">
            <code>{destination.bucket}</code>, {destination.region}
          </DescriptionItem>
        )}
        {destination.prefix !== null && (
          <DescriptionItem name="Prefix">
            <code className="break-all">{destination.prefix}</code>
          </DescriptionItem>
        )}
        <DescriptionItem name="URL">
          <span className="flex items-start gap-2">
            <code className="min-w-0 break-all">{destination.url}</code>
            <CopyButton text={destination.url} />
          </span>
        </DescriptionItem>
        {destination.accessKeyId !== null && (
          <DescriptionItem name="Access key">
            <code>{destination.accessKeyId}</code>
          </DescriptionItem>
        )}
        {destination.headers.length > 0 && (
          <DescriptionItem name="Headers">
            <code>{destination.headers.join(', ')}</code>
          </DescriptionItem>
        )}
        {destination.ca !== null && <DescriptionItem name="Certificate authority">own</DescriptionItem>}
        <DescriptionItem name="Batch">
          every {formatExactDuration(sink.intervalSeconds * 1_000)}, or as soon as one is full
        </DescriptionItem>
      </DescriptionList>
      <Section title="Progress" className="mt-6 !mb-0">
        <DescriptionList>
          <DescriptionItem name="Exported up to">
            <Position sink={sink} />
          </DescriptionItem>
          <DescriptionItem name="Rows">
            <span className="num">{formatInteger(state.exported)}</span>
          </DescriptionItem>
          <DescriptionItem name="Lag">
            <Lag sink={sink} />
          </DescriptionItem>
          <DescriptionItem name="Last batch">
            <Time at={state.lastSuccessAt} />
          </DescriptionItem>
        </DescriptionList>
      </Section>
      {state.lastError !== null && (
        <Problem>
          {state.lastError} <Time at={state.lastErrorAt} className="text-ink-3" />
          <br />
          The same batch is sent again, at least once a minute, until it succeeds.
        </Problem>
      )}
      {sink.secretStatus === 'undecryptable' && (
        <Problem>
          Its secrets cannot be decrypted because the master key is missing, so nothing is sent. Enter the
          secrets again, or restore the key.
        </Problem>
      )}
    </>
  )
}

const Problem = ({ children }: { children: React.ReactNode }) => (
  <p className="m-0 mt-4 border-l-2 border-bad py-1 pl-3 text-sm">{children}</p>
)
