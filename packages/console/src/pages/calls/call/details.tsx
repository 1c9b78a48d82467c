import { Link } from '@tanstack/react-router'
import { DescriptionItem, DescriptionList } from '../../../components'
import type { CallDetail } from './call-detail'
import { SameCallsLink } from './call-summary'
import { Part } from './part'

/** Further properties of a call. */
export function Details({ call }: { call: CallDetail }) {
  const tags = Object.entries(call.tags)
  return (
    <Part title="Details">
      <DescriptionList>
        {tags.length > 0 && (
          <DescriptionItem name="Tags">
            <span className="flex flex-wrap gap-x-3">
              {tags.map(([name, value]) => (
                <SameCallsLink key={name} search={{ tags: [`${name}=${value}`] }}>
                  <span className="font-normal text-ink-3">{name}=</span>
                  {value}
                </SameCallsLink>
              ))}
            </span>
          </DescriptionItem>
        )}
        {call.session !== null && (
          <DescriptionItem name="Session">
            <SameCallsLink search={{ session: call.session }}>{call.session}</SameCallsLink>
          </DescriptionItem>
        )}
        {call.kind === 'tool' && (
          <DescriptionItem name="Tool">
            <code>{call.model}</code>
            {call.method !== 'tools/call' && <span className="text-ink-3">, by {call.method}</span>}
          </DescriptionItem>
        )}
        {call.toolError && <DescriptionItem name="Tool error">the result has isError set</DescriptionItem>}
        {call.rpcCode !== null && (
          <DescriptionItem name="Protocol error">
            <span className="num">{call.rpcCode}</span>
          </DescriptionItem>
        )}
        <DescriptionItem name="Served by">
          {call.cache === 'hit' && (
            <>
              <SameCallsLink search={{ cache: 'hit' }}>the cache</SameCallsLink> of the route, from an earlier
              response of{' '}
            </>
          )}
          {call.outcome === 'blocked' || call.outcome === 'failed'
            ? 'the gateway'
            : (call.upstream ?? call.provider ?? 'none')}
          {call.status !== null && <span className="text-ink-3">, status {call.status}</span>}
        </DescriptionItem>
        {call.prompt !== null && (
          <DescriptionItem name="Prompt">
            <Link to="/prompts" className="link">
              {call.prompt.id}
            </Link>
            {call.prompt.version !== null && (
              <span className="text-ink-3">, version {call.prompt.version}</span>
            )}
          </DescriptionItem>
        )}
        {call.price !== null && (
          <DescriptionItem name="Price">
            <span
              className="mono text-ink-3"
              title={`SHA-256 of the price in the record: ${call.price.hash}`}
            >
              {call.price.hash.slice(0, 16)}…
            </span>
          </DescriptionItem>
        )}
      </DescriptionList>
    </Part>
  )
}
