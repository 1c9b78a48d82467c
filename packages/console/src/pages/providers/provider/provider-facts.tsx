import { Link } from '@tanstack/react-router'
import { CopyButton, Fact, Facts } from '../../../components'
import { formatDuration, formatInteger, formatMebibytes, formatSetTime } from '../../../format'
import type { LastDay, Provider } from '../use-providers'
import { Figure, isMuch } from './provider-table'
import { isBuiltIn } from './states'
import { nameOfType } from './types'

/** The settings of a provider and its last 24 hours; figures link to their calls. */
export function ProviderFacts({ provider, lastDay }: { provider: Provider; lastDay: LastDay }) {
  const { connectMs, firstByteMs, idleMs, totalMs } = provider.timeouts
  const { maxStreamBytes, maxAnswerBytes } = provider.limits
  const figures = lastDay.of(provider.name)
  return (
    <Facts>
      <Fact name="Type">{nameOfType(provider.type)}</Fact>
      {isBuiltIn(provider) ? (
        <Fact name="Where">inside the service</Fact>
      ) : (
        <Fact name="Base URL">
          <span className="flex items-start gap-2">
            <code className="min-w-0 break-all">{provider.baseUrl}</code>
            <CopyButton text={provider.baseUrl} />
          </span>
        </Fact>
      )}
      {Object.entries(provider.options).map(([name, value]) => (
        <Fact key={name} name={name}>
          <code>{value}</code>
        </Fact>
      ))}
      <Fact name="Authentication">
        {provider.auth === 'caller'
          ? 'the caller’s own authorization'
          : provider.credentials.length === 0
            ? 'no credential'
            : 'the credentials below'}
      </Fact>
      {provider.auth === 'own' && (
        <Fact name="Accepted references">
          {provider.references === 'any'
            ? 'issued to the caller or its team, and those created outside Tallystick'
            : 'issued to the caller or its team'}
        </Fact>
      )}
      <Fact name="Endpoints">
        <span className="flex flex-wrap gap-x-2">
          {provider.dialects.map((dialect) => (
            <code key={dialect}>{dialect}</code>
          ))}
        </span>
      </Fact>
      <Fact name="Prices">
        <Link to="/providers" search={{ section: 'catalogue', of: provider.name }} className="link">
          its models
        </Link>
        , at the list prices of {provider.pricesOf}
      </Fact>
      {provider.headers.length > 0 && (
        <Fact name="Headers">
          {provider.headers.map(({ name, hint }) => (
            <code key={name} className="block">
              {name}: {hint === '' ? '…' : `…${hint}`}
            </code>
          ))}
        </Fact>
      )}
      <Fact name="Timeouts">
        a connection {formatSetTime(connectMs)}, the first byte {formatSetTime(firstByteMs)}, the next one{' '}
        {formatSetTime(idleMs)}, all of it {formatSetTime(totalMs)}
      </Fact>
      <Fact name="Size limits">
        {formatMebibytes(maxStreamBytes)} of a stream, {formatMebibytes(maxAnswerBytes)} of an answer in one
        piece
      </Fact>
      <Fact name="Last 24 hours">
        {figures?.calls === 0 ? (
          'no calls'
        ) : (
          <span className="flex flex-wrap gap-x-1">
            <Figure lastDay={lastDay} name={provider.name}>
              {({ calls }) => ({ value: calls, text: `${formatInteger(calls)} calls` })}
            </Figure>
            ·
            <Figure lastDay={lastDay} name={provider.name} outcome="upstream_error">
              {({ calls, failed }) => ({
                value: failed,
                text: `${formatInteger(failed)} failed`,
                isBad: isMuch(failed, calls),
              })}
            </Figure>
            · p50 {formatDuration(figures?.p50Ms ?? 0)}, p95 {formatDuration(figures?.p95Ms ?? 0)}
          </span>
        )}
      </Fact>
    </Facts>
  )
}
