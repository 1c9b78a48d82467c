import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CallDetail } from './call-detail'
import { Part } from './part'

type Check = NonNullable<CallDetail['checks']>[number]

const checkNames: Record<string, string> = {
  rate_limit: 'rate limit',
  budget: 'budgets',
  user_status: 'person',
  model_allowlist: 'models',
  model_denylist: 'models',
  keywords: 'words',
  pattern: 'patterns',
  pii: 'personal data',
  secrets: 'secrets',
  limits: 'size',
  tools: 'tools',
  tool_allowlist: 'tools',
  tool_pin: 'approval',
  expression: 'expression',
  http: 'external guardrail',
}

export const nameOfCheck = (name: string) => checkNames[name] ?? name.replaceAll('_', ' ')

/** The checks of a call in the order in which they ran, with their results. */
export function Checks({ call }: { call: CallDetail }) {
  const { checks } = call
  if (checks === null)
    return (
      <Part title="Checks">
        <p className="m-0 text-sm text-ink-2">
          Only the receipt recorded this, and it was removed from the record.
        </p>
      </Part>
    )
  const applied = checks.filter(({ applicable }) => applicable)
  const others = checks.filter(({ applicable }) => !applicable)
  return (
    <Part title="Checks">
      <dl className="m-0 grid grid-cols-[112px_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {applied.map((check, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: checks are identified by their position
          <div key={n} className="contents">
            <dt className="text-ink-3">{nameOfCheck(check.name)}</dt>
            <dd className="m-0">
              <Result check={check} />
            </dd>
          </div>
        ))}
      </dl>
      {others.length > 0 && (
        <p className="m-0 mt-2 text-xs text-ink-3">
          Did not apply:{' '}
          {[...new Set(others.map((check) => check.policyName ?? nameOfCheck(check.name)))].join(', ')}.
        </p>
      )}
      {checks.length === 0 && <p className="m-0 text-sm text-ink-2">No checks applied.</p>}
    </Part>
  )
}

function Result({ check }: { check: Check }) {
  const policy = check.policyId !== null && (
    <Link
      to="/policies"
      search={{ policy: check.policyId }}
      className="text-inherit no-underline decoration-rule-2 underline-offset-3 hover:underline"
    >
      {check.policyName ?? check.policyId}
      {check.policyVersion !== null && <span className="text-ink-3">, version {check.policyVersion}</span>}
    </Link>
  )
  const label = resultOf(check)
  return policy ? (
    <>
      {label} <span className="text-ink-2">· {policy}</span>
    </>
  ) : (
    label
  )
}

const passedLabels: Record<string, string> = {
  rate_limit: 'within the limit',
  budget: 'within the limit',
  user_status: 'active',
  model_allowlist: 'allowed',
  model_denylist: 'allowed',
  limits: 'within the limit',
  tools: 'allowed',
  tool_allowlist: 'allowed',
  expression: 'not matched',
  http: 'passed',
}

function resultOf({ name, result, action, policyId }: Check): ReactNode {
  if (result === 'pass') return <span>{passedLabels[name] ?? 'nothing found'}</span>
  if (result === 'skip') return <span className="text-ink-3">not checked</span>
  if (result === 'error')
    return <b className="font-medium text-bad">{action === 'block' ? 'error, so blocked' : 'error'}</b>
  if (action === 'redact') return <b className="font-medium text-warn">redacted</b>
  if (action === 'flag') return <b className="font-medium text-warn">flagged</b>
  return (
    <b className="font-medium text-warn">
      {name === 'budget' && policyId === null ? 'over the limit' : 'blocked'}
    </b>
  )
}
