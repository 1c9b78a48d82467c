import { Link } from '@tanstack/react-router'
import { CopyButton, DescriptionItem, DescriptionList } from '../../../components'
import { formatDuration, formatExactDuration, formatInteger, formatMebibytes } from '../../../format'
import type { LastDay, Provider } from '../use-providers'
import { Figure, isHighFailureRate } from './provider-table'
import { isBuiltIn } from './states'
import { nameOfType } from './types'

/** The settings of a provider and its last 24 hours; figures link to their calls. */
export function ProviderOverview({ provider, lastDay }: { provider: Provider; lastDay: LastDay }) {
  const { connectMs, firstByteMs, idleMs, totalMs } = provider.timeouts
  const { maxStreamBytes, maxAnswerBytes } = provider.limits
  const figures = lastDay.of(provider.name)
  return (
    <DescriptionList>
      <DescriptionItem name="Type">{nameOfType(provider.type)}</DescriptionItem>
      {isBuiltIn(provider) ? (
        <DescriptionItem name="Location">built into the service</DescriptionItem>
      ) : (
        <DescriptionItem name="Base URL">
          <span className="flex items-start gap-2">
            <code className="min-w-0 break-all">{provider.baseUrl}</code>
            <CopyButton text={provider.baseUrl} />
          </span>
        </DescriptionItem>
      )}
      {Object.entries(provider.options).map(([name, value]) => (
        <DescriptionItem key={name} name={name}>
          <code>{value}</code>
        </DescriptionItem>
      ))}
      <DescriptionItem name="Authentication">
        {provider.auth === 'caller'
          ? 'the caller’s Authorization header'
          : provider.credentials.length === 0
            ? 'no credential'
            : 'the credentials below'}
      </DescriptionItem>
      {provider.auth === 'own' && (
        <DescriptionItem name="Accepted references">
          {provider.references === 'any'
            ? 'issued to the caller or its team, and those created outside Tallystick'
            : 'issued to the caller or its team'}
        </DescriptionItem>
      )}
      <DescriptionItem name="Endpoints">
        <span className="flex flex-wrap gap-x-2">
          {provider.dialects.map((dialect) => (
            <code key={dialect}>{dialect}</code>
          ))}
        </span>
      </DescriptionItem>
      <DescriptionItem name="Prices">
        <Link to="/providers" search={{ section: 'catalogue', of: provider.name }} className="link">
          its models
        </Link>
        , at the list prices of {provider.pricesOf}
      </DescriptionItem>
      {provider.headers.length > 0 && (
        <DescriptionItem name="Headers">
          {provider.headers.map(({ name, hint }) => (
            <code key={name} className="block">
              {name}: {hint === '' ? '…' : `…${hint}`}
            </code>
          ))}
        </DescriptionItem>
      )}
      <DescriptionItem name="Timeouts">
        connect {formatExactDuration(connectMs)}, first byte {formatExactDuration(firstByteMs)}, idle{' '}
        {formatExactDuration(idleMs)}, total {formatExactDuration(totalMs)}
      </DescriptionItem>
      <DescriptionItem name="Size limits">
        {formatMebibytes(maxStreamBytes)} per stream, {formatMebibytes(maxAnswerBytes)} per other response
      </DescriptionItem>
      <DescriptionItem name="Last 24 hours">
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
                isBad: isHighFailureRate(failed, calls),
              })}
            </Figure>
            · p50 {formatDuration(figures?.p50Ms ?? 0)}, p95 {formatDuration(figures?.p95Ms ?? 0)}
          </span>
        )}
      </DescriptionItem>
    </DescriptionList>
  )
}
