import { Link } from '@tanstack/react-router'
import { Fact, Facts } from '../../../components'
import type { CallDetail } from './call-detail'
import { Part } from './part'
import { Same } from './who-and-what'

/** Further properties of a call. */
export function Details({ call }: { call: CallDetail }) {
  const tags = Object.entries(call.tags)
  return (
    <Part title="Details">
      <Facts>
        {tags.length > 0 && (
          <Fact name="Tags">
            <span className="flex flex-wrap gap-x-3">
              {tags.map(([name, value]) => (
                <Same key={name} search={{ tags: [`${name}=${value}`] }}>
                  <span className="font-normal text-ink-3">{name}=</span>
                  {value}
                </Same>
              ))}
            </span>
          </Fact>
        )}
        {call.session !== null && (
          <Fact name="Session">
            <Same search={{ session: call.session }}>{call.session}</Same>
          </Fact>
        )}
        {call.kind === 'tool' && (
          <Fact name="Tool">
            <code>{call.model}</code>
            {call.method !== 'tools/call' && <span className="text-ink-3">, by {call.method}</span>}
          </Fact>
        )}
        {call.toolError && <Fact name="Tool error">the result is marked as failed (isError)</Fact>}
        {call.rpcCode !== null && (
          <Fact name="Protocol error">
            <span className="num">{call.rpcCode}</span>
          </Fact>
        )}
        <Fact name="Served by">
          {call.cache === 'hit' && (
            <>
              <Same search={{ cache: 'hit' }}>the cache</Same> of the route, with what was kept of{' '}
            </>
          )}
          {call.outcome === 'blocked' || call.outcome === 'failed'
            ? 'the gateway'
            : (call.upstream ?? call.provider ?? 'nobody')}
          {call.status !== null && <span className="text-ink-3">, status {call.status}</span>}
        </Fact>
        {call.prompt !== null && (
          <Fact name="Prompt">
            <Link to="/prompts" className="link">
              {call.prompt.id}
            </Link>
            {call.prompt.version !== null && (
              <span className="text-ink-3">, version {call.prompt.version}</span>
            )}
          </Fact>
        )}
        {call.price !== null && (
          <Fact name="Price">
            <span
              className="mono text-ink-3"
              title={`SHA-256 of the price in the record: ${call.price.hash}`}
            >
              {call.price.hash.slice(0, 16)}…
            </span>
          </Fact>
        )}
      </Facts>
    </Part>
  )
}
