import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery, type ResponseOf } from '../../api'
import { Count, ErrorState, Id, Money, Skeleton, Status, type Tone } from '../../components'
import { ReceiptProof } from '../../components/receipt-proof'

type CallDetail = ResponseOf<'/v1/calls/{requestId}'>

const checkTones: Record<string, Tone> = { pass: 'ok', fail: 'warn', error: 'bad', skip: 'neutral' }

/** The result of the call: its figures, its checks, and its receipt, verified in the browser. */
export function CallResult({ requestId }: { requestId: string }) {
  const call = useQuery(
    apiQuery('/v1/calls/{requestId}', { params: { path: { requestId }, query: { content: false } } }),
  )
  if (call.error && !call.data) return <ErrorState error={call.error} retry={() => void call.refetch()} />
  if (!call.data) return <Skeleton className="mt-3 h-48" />
  return <CallFigures call={call.data} />
}

function CallFigures({ call }: { call: CallDetail }) {
  const checks = (call.checks ?? []).filter(({ applicable }) => applicable)
  return (
    <div className="mt-3 flex flex-col gap-4">
      <dl className="m-0 grid grid-cols-2 gap-x-6 gap-y-3 border-y border-rule py-3 sm:grid-cols-4">
        <Figure name="Cost">
          <Money usd={call.costUsd} />
        </Figure>
        <Figure name="Tokens in">
          <Count value={call.inputTokens} />
        </Figure>
        <Figure name="Tokens out">
          <Count value={call.outputTokens} />
        </Figure>
        <Figure name="Call">
          <Id id={call.requestId} className="!text-sm" />
        </Figure>
      </dl>
      <div>
        <h4 className="m-0 mb-1.5 text-xs font-medium text-ink-2">Checks</h4>
        {checks.length === 0 ? (
          <p className="m-0 text-ink-2">
            Only the key was checked: no limits, budgets or policies apply yet.
          </p>
        ) : (
          <ul className="m-0 flex list-none flex-wrap gap-x-5 gap-y-1 p-0">
            {checks.map(({ name, policyName, result }) => (
              <li key={`${name} ${policyName}`}>
                <Status tone={checkTones[result] ?? 'neutral'}>
                  {(policyName ?? name).replaceAll('_', ' ')}
                </Status>
              </li>
            ))}
          </ul>
        )}
      </div>
      <ReceiptProof call={call} />
    </div>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-ink-3">{name}</dt>
    <dd className="m-0 text-lg font-semibold">{children}</dd>
  </div>
)
