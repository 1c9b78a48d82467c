import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CallDetail } from './call-detail'
import { nameOfCheck } from './checks'

export interface OutcomeExplanation {
  tone: 'warn' | 'bad'
  message: ReactNode
  /** What to do next. */
  nextStep: ReactNode
}

/** Explains why a call failed or was changed, and what to do; null for a plain success. */
export function explainOutcome(call: CallDetail): OutcomeExplanation | null {
  if (call.toolError && call.outcome === 'ok') return ownError
  switch (call.outcome) {
    case 'blocked':
      return explainBlocked(call)
    case 'redacted':
      return {
        tone: 'warn',
        message: 'A policy redacted the text, and the call continued.',
        nextStep: 'The checks below name the policy. The record shows that it acted, never what it matched.',
      }
    case 'upstream_error':
      return call.kind === 'tool' ? explainServer(call) : explainUpstream(call)
    case 'failed':
      return explainFailed(call)
    case 'interrupted':
      return {
        tone: 'bad',
        message: 'The process that made this call crashed before the call ended.',
        nextStep:
          call.kind === 'tool'
            ? 'It is unknown what the server did, so its price is charged. A manager can correct the cost.'
            : 'It is unknown what the provider did, so the reserved amount is charged. A manager can correct the cost.',
      }
    case 'aborted':
      return {
        tone: 'warn',
        message: 'The caller cancelled before the response was complete.',
        nextStep:
          call.kind === 'tool'
            ? 'The server was notified. The call is charged, because the server may have done the work.'
            : 'The call is charged for what the provider bills until then. If this happens often, the caller’s timeout is too short for this model.',
      }
    default:
      return null
  }
}

function explainFailed({ fault, costUsd, kind }: CallDetail): OutcomeExplanation {
  const target = kind === 'tool' ? 'server' : 'provider'
  const [message, advice] = faults[fault ?? 'internal']
  return {
    tone: 'bad',
    message,
    nextStep: (
      <>
        {advice}{' '}
        {costUsd === 0
          ? 'The call cost nothing.'
          : `The ${target} may have worked on the call, so it is charged.`}
      </>
    ),
  }
}

const faults: Record<NonNullable<CallDetail['fault']>, readonly [message: string, advice: string]> = {
  database: ['The database of this service could not be reached.', 'Try again.'],
  limits: ['The limits store could not be reached.', 'Try again.'],
  shutdown: ['This service was stopped while the call was running.', 'Try again.'],
  capacity: ['This service ran out of memory or file descriptors.', 'Try again later, or raise its limits.'],
  internal: [
    'This service failed with an internal error.',
    'Find the error in the service log by the request ID.',
  ],
}

function explainBlocked(call: CallDetail): OutcomeExplanation {
  const check = call.checks?.find(
    ({ result, action }) => result === 'fail' && (action === 'block' || action === null),
  )
  const failed = call.checks?.find(({ result, action }) => result === 'error' && action === 'block')
  const cause = check ?? failed
  if (cause?.policyId)
    return {
      tone: 'warn',
      message: (
        <>
          The policy{' '}
          <Link to="/policies" search={{ policy: cause.policyId }} className="link">
            {cause.policyName ?? cause.policyId}
          </Link>{' '}
          {cause === failed ? 'could not evaluate it, and blocks what it cannot evaluate.' : 'blocked it.'}
        </>
      ),
      nextStep: `${call.kind === 'tool' ? 'A blocked request was not sent to the server; a blocked result was not sent to the caller.' : 'Nothing was sent to the provider after that.'} Test the text under Policies to see what it matches.`,
    }
  const [message, nextStep] = reasons[cause?.name ?? ''] ?? [
    cause ? `The check “${nameOfCheck(cause.name)}” blocked it.` : 'A check blocked it.',
    `Nothing was sent to the ${call.kind === 'tool' ? 'server' : 'provider'}.`,
  ]
  return { tone: 'warn', message, nextStep }
}

const reasons: Record<string, readonly [what: ReactNode, next: ReactNode]> = {
  budget: [
    'It would have exceeded a budget, a team budget or a person’s cap.',
    <>
      Nothing was sent or spent. See which one is used up under{' '}
      <Link to="/budgets" className="link">
        Budgets
      </Link>
      , wait until it resets, or request an increase.
    </>,
  ],
  user_status: [
    'The owner of the key is suspended.',
    <>
      A manager can lift that under{' '}
      <Link to="/people" className="link">
        People
      </Link>
      .
    </>,
  ],
  tool_allowlist: [
    'This caller may not use the tool.',
    <>
      It is not approved, or no allow list of the key, its owner or the team names it. A manager can change
      that under{' '}
      <Link to="/tools" className="link">
        Tools
      </Link>
      .
    </>,
  ],
  model_allowlist: [
    'This key or its owner may not use the model.',
    <>
      Use another model, or ask a manager to allow it for the key under{' '}
      <Link to="/keys" className="link">
        Keys
      </Link>
      .
    </>,
  ],
}

const ownError: OutcomeExplanation = {
  tone: 'warn',
  message: 'The tool reported a failure.',
  nextStep: 'The caller received the result, and its model can continue. The protocol and the server worked.',
}

function explainServer({ server, rpcCode, status }: CallDetail): OutcomeExplanation {
  const serverName = server ?? 'The server'
  if (rpcCode !== null)
    return {
      tone: 'bad',
      message: `${serverName} returned a protocol error (${rpcCode}).`,
      nextStep:
        rpcCode === -32_602
          ? 'It rejects these arguments, or no longer has this tool. The caller received its message.'
          : 'The caller received its message. The request itself failed; this is not a tool result.',
    }
  return {
    tone: 'bad',
    message:
      status === 504
        ? `${serverName} timed out.`
        : `${serverName} could not be reached, or closed the connection.`,
    nextStep: (
      <>
        The call is charged if the server may have received it. See the state of the server under{' '}
        <Link to="/tools" className="link">
          Tools
        </Link>
        .
      </>
    ),
  }
}

function explainUpstream({ status, provider, latencyMs }: CallDetail): OutcomeExplanation {
  const providerName = provider ?? 'The provider'
  const explain = (message: string, nextStep: ReactNode): OutcomeExplanation => ({
    tone: 'bad',
    message,
    nextStep,
  })
  if (status === 504)
    return explain(
      `${providerName} timed out.`,
      'Try again. If it persists, raise the timeout of the provider or use another model.',
    )
  if (status === 502)
    return explain(
      `${providerName} could not be reached, or closed the connection${latencyMs === null ? '' : ' in the middle of its response'}.`,
      'Try again. If it persists, check the provider’s status page and the network.',
    )
  if (status === 401 || status === 403)
    return explain(
      `${providerName} rejected the credentials (${status}).`,
      <>
        A credential of the provider is wrong, expired or lacks access to this model. A manager can fix it
        under{' '}
        <Link to="/providers" className="link">
          Providers
        </Link>
        .
      </>,
    )
  if (status === 429)
    return explain(
      `${providerName} rejected the request because its rate limit or quota is exceeded (429).`,
      'The limit is the provider’s, not one set here. Slow down, or ask the provider to raise it.',
    )
  if (status === 404)
    return explain(
      `${providerName} does not know this model (404).`,
      'Check the spelling of the model in the catalogue.',
    )
  if (status !== null && status >= 500)
    return explain(
      `${providerName} returned a server error (${status}).`,
      'Try again. If it persists, use another model.',
    )
  if (status !== null && status >= 400)
    return explain(
      `${providerName} rejected the request (${status}).`,
      'The caller received the provider’s response, which gives the reason.',
    )
  return explain(`${providerName} failed.`, 'Try again.')
}
