import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError, apiQuery, messageOf } from '../../api'
import {
  Button,
  Count,
  cx,
  DescriptionItem,
  DescriptionList,
  Dot,
  ErrorState,
  Id,
  Money,
  nameOfOutcome,
  Section,
  Skeleton,
  Status,
  type Tone,
  toneOfOutcome,
} from '../../components'
import { ReceiptProof } from '../../components/receipt-proof'
import { formatDuration } from '../../format'
import type { Run } from './use-run'

/** The response, beside what the record contains about the call. */
export function ResponseView({
  run,
  onCancel,
  onContinue,
}: {
  run: Run
  onCancel(): void
  onContinue(): void
}) {
  const isRunning = run.state === 'sending' || run.state === 'receiving'
  return (
    <div className="flex flex-col gap-6">
      <Section
        title="Response"
        note={describeProgress(run)}
        className="!mb-0"
        aside={
          isRunning ? (
            <Button size="sm" onClick={onCancel}>
              Cancel
            </Button>
          ) : (
            run.state === 'done' && (
              <Button size="sm" onClick={onContinue}>
                Continue from here
              </Button>
            )
          )
        }
      >
        {run.state === 'failed' ? (
          <CallError error={run.error} text={run.text} />
        ) : (
          <p
            aria-live="polite"
            aria-busy={isRunning}
            className={cx(
              'm-0 min-h-24 rounded-md border border-rule bg-raised px-3 py-2.5 text-sm leading-6 break-words whitespace-pre-wrap',
              run.state === 'cancelled' && 'text-ink-2',
            )}
          >
            {run.text ||
              (isRunning ? (
                <Skeleton className="mt-1 h-4 w-40" />
              ) : (
                <span className="text-ink-3">No text</span>
              ))}
          </p>
        )}
      </Section>
      {!isRunning && run.requestId !== null && <RecordedCall requestId={run.requestId} />}
    </div>
  )
}

function describeProgress({ state, sent }: Run): string | undefined {
  if (state === 'sending') return 'sending …'
  if (state === 'receiving') return 'receiving …'
  if (state === 'cancelled') return 'cancelled; output so far is charged'
  if (!sent) return undefined
  const first = sent.firstTextMs === null ? '' : `, first text after ${formatDuration(sent.firstTextMs)}`
  return `${formatDuration(sent.totalMs)}${first}`
}

const errorTitles: Record<string, string> = {
  policy_violation: 'Blocked by a policy',
  model_not_allowed: 'Model not allowed',
  budget_exceeded: 'Budget used up',
  rate_limit_exceeded: 'Rate limit reached',
  user_suspended: 'Key owner suspended',
  unauthorized: 'Invalid key',
  model_not_found: 'Model not found',
  upstream_error: 'Provider error',
  upstream_timeout: 'Provider timeout',
}

function CallError({ error, text }: { error: unknown; text: string }) {
  const type = error instanceof ApiError ? error.type : ''
  const isRule = /violation|allowed|budget|rate_limit|suspended/.test(type)
  return (
    <div
      role="alert"
      className={cx(
        'rounded-md border px-3 py-2.5 text-sm',
        isRule ? 'border-warn bg-warn-soft' : 'border-bad bg-bad-soft',
      )}
    >
      <p className="m-0 flex items-center gap-2 font-semibold">
        <Dot tone={isRule ? 'warn' : 'bad'} /> {errorTitles[type] ?? 'No response'}
      </p>
      <p className="m-0 mt-1 break-words text-ink-2">{messageOf(error)}</p>
      {text !== '' && (
        <p className="m-0 mt-2 border-t border-rule pt-2 break-words whitespace-pre-wrap">{text}</p>
      )}
    </div>
  )
}

/** The recorded call. It is committed before the response ends, so it can be read right after. */
function RecordedCall({ requestId }: { requestId: string }) {
  const { data, error, refetch } = useQuery({
    ...apiQuery('/v1/calls/{requestId}', { params: { path: { requestId } } }),
    retry: 2,
  })
  if (error instanceof ApiError && error.status === 404)
    return (
      <p className="m-0 text-sm text-ink-2">
        You may not see this call, or it was not recorded (<Id id={requestId} />
        ). Rate-limited calls are counted, but not recorded.
      </p>
    )
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton className="h-40" />
  const checks = data.checks?.filter(({ applicable }) => applicable) ?? []
  return (
    <>
      <ReceiptProof call={data} />
      <Section
        title="The call"
        className="!mb-0"
        aside={
          <Link to="/calls" search={{ call: requestId, range: '1h' }} className="link">
            View call →
          </Link>
        }
      >
        <DescriptionList>
          <DescriptionItem name="Outcome">
            <Status tone={toneOfOutcome(data.outcome)}>{nameOfOutcome(data.outcome)}</Status>
          </DescriptionItem>
          <DescriptionItem name="Cost">
            <Money usd={data.costUsd} className="font-medium" />
          </DescriptionItem>
          <DescriptionItem name="Tokens">
            <Count value={data.inputTokens} /> in, <Count value={data.outputTokens} /> out
          </DescriptionItem>
          <DescriptionItem name="Model">
            <span className="mono">{data.model}</span>
            {data.provider !== null && ` of ${data.provider}`}
          </DescriptionItem>
        </DescriptionList>
      </Section>
      <Section title="Checks" className="!mb-0">
        <ul className="m-0 list-none p-0 text-sm">
          {checks.map(({ name, policyName, result, action }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: checks are identified by their position
            <li key={n} className="flex items-baseline justify-between gap-3 border-b border-rule py-1.5">
              <span className="min-w-0 truncate">{policyName ?? name.replaceAll('_', ' ')}</span>
              <Status tone={toneOf(result, action)}>{wordsOf(result, action)}</Status>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function toneOf(result: string, action: string | null): Tone {
  if (result === 'pass') return 'ok'
  if (result === 'error') return 'bad'
  return action === 'redact' ? 'accent' : result === 'fail' ? 'warn' : 'neutral'
}

const acted: Record<string, string> = { block: 'blocked', redact: 'redacted', flag: 'flagged' }
const results: Record<string, string> = {
  pass: 'passed',
  error: 'error',
  skip: 'not run',
  fail: 'failed',
}

const wordsOf = (result: string, action: string | null) =>
  (result === 'pass' ? undefined : acted[action ?? '']) ?? results[result] ?? result
