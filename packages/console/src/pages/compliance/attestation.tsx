import Download from 'lucide-react/icons/download'
import type { ReactNode } from 'react'
import { type CallSelection, CallsLink } from '../../calls-link'
import {
  Button,
  DescriptionItem,
  DescriptionList,
  Dot,
  ErrorState,
  Headline,
  Id,
  Section,
  Skeleton,
  Time,
  type Tone,
} from '../../components'
import { saveFile } from '../../components/receipt-proof/save-file'
import { formatDay, formatInteger, formatMoment, plural } from '../../format'
import { useTimeZone } from '../../time/use-span'
import { PeriodPicker } from './period-picker'
import { type Attestation, useAttestation } from './use-attestation'

/** The result of the attestation and its figures. */
export function AttestationSummary() {
  const { data, error, refetch, isFetching } = useAttestation()
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} className="mb-10" />
  return (
    <div aria-busy={isFetching}>
      <div className="flex flex-wrap-reverse items-end justify-between gap-x-8 gap-y-3">
        {data === undefined ? (
          <div
            role="status"
            className="mb-6 flex h-32 w-full max-w-[42rem] flex-1 basis-64 flex-col gap-2 md:h-18"
          >
            <span className="sr-only">The record is being verified</span>
            <Skeleton className="h-7 w-full" />
            <Skeleton className="h-7 w-2/3" />
          </div>
        ) : (
          <div className="max-w-[42rem] max-md:min-h-38 md:min-h-24">
            <RecordVerdict attestation={data} />
          </div>
        )}
        <div className="flex flex-col items-end gap-2">
          <PeriodPicker />
          {data !== undefined && (
            <div className="flex items-baseline gap-2 text-sm text-ink-3">
              <span>
                Verified <Time at={data.generatedAt} />
              </span>
              <Button size="sm" isBusy={isFetching} onClick={() => void refetch()}>
                Verify again
              </Button>
            </div>
          )}
        </div>
      </div>
      <Figures attestation={data} />
    </div>
  )
}

/** Entries that the record reports as missing, erased or in doubt. Losses are shown as errors, the rest as information. */
function Exceptions({ exceptions }: Pick<Attestation, 'exceptions'>) {
  if (exceptions.length === 0) return null
  return (
    <ul className="m-0 flex list-none flex-col gap-2 p-0 text-sm" aria-label="Exceptions">
      {exceptions.map(({ seq, event, statement }) => (
        <li key={seq} className="flex max-w-prose items-baseline gap-2">
          <Dot tone={tones[event] ?? 'warn'} />
          <span className="min-w-0 break-words">{statement}.</span>
        </li>
      ))}
    </ul>
  )
}

const tones: Record<string, Tone> = { 'record.restore': 'bad', 'signing_key.compromise': 'bad' }

function RecordVerdict({ attestation }: { attestation: Attestation }) {
  const { totals, period, exceptions } = attestation
  const ofPeriod = describePeriod(period, useTimeZone())
  const isRestored = exceptions.some(({ event }) => event === 'record.restore')
  if (totals.receipts === 0 && isRestored)
    return (
      <Headline>
        The record has <b>no entries</b> {ofPeriod}. <MissingEntries />
      </Headline>
    )
  if (totals.receipts === 0) return <Headline>Nothing recorded {ofPeriod}.</Headline>
  const entries = plural(totals.receipts, 'entry', 'entries')
  if (totals.chainVerified && totals.signaturesVerified)
    return (
      <Headline>
        <b>{totals.receipts === 1 ? 'The one entry' : `All ${entries}`}</b> {ofPeriod}{' '}
        {totals.receipts === 1 ? 'is' : 'are'} unaltered, in order{isRestored ? '' : ', without a gap,'} and
        signed.
        {isRestored && <MissingEntries />}
      </Headline>
    )
  const whole = Math.min(totals.chainVerifiedCount, totals.signaturesVerifiedCount)
  return (
    <Headline>
      <b className="text-bad">The record failed verification.</b> Only the first {formatInteger(whole)} of{' '}
      {entries} {ofPeriod} were verified. Check entry {formatInteger(period.fromSeq + whole)}.
    </Headline>
  )
}

const MissingEntries = () => (
  <>
    {' '}
    <b className="text-bad">Entries that were signed before are missing</b>: the database was restored.
  </>
)

const dayMs = 86_400_000

const describePeriod = ({ label, days, toTs }: Attestation['period'], timeZone: string) =>
  label.startsWith('last-')
    ? Date.now() - Date.parse(toTs) < dayMs
      ? `of the last ${days} days`
      : `of the ${days} days before ${formatDay(new Date(toTs), timeZone)}`
    : `of ${new Date(`${label}-01T00:00:00Z`).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })}`

function Figures({ attestation }: { attestation: Attestation | undefined }) {
  const { totals, period } = attestation ?? {}
  const calls: CallSelection | null = period
    ? { from: new Date(period.fromTs), to: new Date(period.toTs) }
    : null
  const outcome = (name: 'blocked' | 'redacted' | 'upstream_error') =>
    calls && { ...calls, filter: { outcome: name } }
  return (
    <dl className="m-0 mb-10 grid grid-cols-2 border-y border-rule sm:grid-cols-3 lg:grid-cols-5">
      <Figure
        name="Calls to models"
        value={totals?.modelReceipts}
        calls={totals?.toolReceipts === 0 ? calls : null}
      />
      <Figure
        name="Calls to tools"
        value={totals?.toolReceipts}
        calls={totals?.modelReceipts === 0 ? calls : null}
      />
      <Figure name="Checked by a policy" value={totals?.policyEvaluated}>
        {totals && `${totals.policyEvaluatedPct} % of all`}
      </Figure>
      <Figure name="Blocked or redacted" value={totals?.enforcementActions}>
        {calls && (
          <>
            <FigureLabel calls={outcome('blocked')}>blocked</FigureLabel>,{' '}
            <FigureLabel calls={outcome('redacted')}>redacted</FigureLabel>
          </>
        )}
      </Figure>
      <Figure
        name="Failed at the provider"
        value={totals?.upstreamFailures}
        calls={outcome('upstream_error')}
      />
    </dl>
  )
}

const FigureLabel = ({ calls, children }: { calls: CallSelection | null; children: string }) =>
  calls && (
    <CallsLink calls={calls} className="!text-accent">
      {children}
    </CallsLink>
  )

function Figure({
  name,
  value,
  calls = null,
  children,
}: {
  name: string
  value: number | undefined
  calls?: CallSelection | null
  children?: ReactNode
}) {
  const shown = value === undefined ? <Skeleton className="my-1 h-5 w-16" /> : formatInteger(value)
  return (
    <div className="flex flex-col border-rule py-3 pr-4 max-sm:odd:border-r max-sm:even:pl-4 sm:border-l sm:px-4 sm:first:border-l-0 sm:first:pl-0">
      <dt className="order-2 text-xs text-ink-2">{name}</dt>
      <dd className="num order-1 m-0 text-xl font-semibold tracking-[-0.02em]">
        {calls !== null && value !== undefined ? <CallsLink calls={calls}>{shown}</CallsLink> : shown}
      </dd>
      <dd className="order-3 m-0 min-h-4 text-xs text-ink-3">{children}</dd>
    </div>
  )
}

/** The statement and disclaimer of the attestation, verbatim, and its scope. */
export function AttestationText() {
  const { data } = useAttestation()
  const timeZone = useTimeZone()
  return (
    <Section
      title="What is attested"
      aside={
        <Button
          size="sm"
          icon={<Download size={13} aria-hidden />}
          disabled={data === undefined}
          onClick={() => data && saveAttestation(data)}
        >
          Save
        </Button>
      }
    >
      {data === undefined ? (
        <Skeleton className="h-[47rem] sm:h-[33rem]" />
      ) : (
        <div className="flex min-h-[47rem] flex-col gap-4 border-t border-rule pt-4 sm:min-h-[33rem]">
          <p className="m-0 max-w-prose text-sm">{data.scope}</p>
          <p className="m-0 max-w-prose text-sm text-ink-2">{data.disclaimer}</p>
          <Exceptions exceptions={data.exceptions} />
          <DescriptionList>
            <DescriptionItem name="Period">
              {formatMoment(new Date(data.period.fromTs), timeZone)} to{' '}
              {formatMoment(new Date(data.period.toTs), timeZone)}
            </DescriptionItem>
            <DescriptionItem name="Entries">
              {data.period.toSeq === 0
                ? 'none'
                : `${formatInteger(data.period.fromSeq)} to ${formatInteger(data.period.toSeq)}`}
            </DescriptionItem>
            <DescriptionItem name="Root">
              <Id id={data.merkle.root} />
            </DescriptionItem>
            <DescriptionItem name="Entries signed by">
              {data.signingKeyIds.length === 0
                ? 'nobody'
                : data.signingKeyIds.map((id) => <Id key={id} id={id} className="mr-3" />)}
            </DescriptionItem>
            <DescriptionItem name="Anchor">{data.anchor.note}</DescriptionItem>
            {data.erasures && (
              <DescriptionItem name="Erased">
                the commitments of {plural(data.erasures.receipts, 'receipt')}
              </DescriptionItem>
            )}
            <DescriptionItem name="Attestation signed by">
              <Id id={data.signature.keyId} />
            </DescriptionItem>
            <DescriptionItem name="Verified">
              {formatMoment(new Date(data.generatedAt), timeZone)}
            </DescriptionItem>
          </DescriptionList>
        </div>
      )}
    </Section>
  )
}

const saveAttestation = (attestation: Attestation) =>
  saveFile(
    `attestation-${attestation.period.label}.json`,
    new Blob([JSON.stringify(attestation, null, 2)], { type: 'application/json' }),
  )
