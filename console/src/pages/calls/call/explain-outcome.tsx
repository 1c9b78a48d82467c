import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CallDetail } from './call-detail'
import { nameOfCheck } from './checks'

export interface Why {
  tone: 'warn' | 'bad'
  what: ReactNode
  /** What to do about it. */
  next: ReactNode
}

/** Why a call did not simply succeed, in words, and what to do; null for one that did. */
export function explainOutcome(call: CallDetail): Why | null {
  if (call.toolError && call.outcome === 'ok') return ownError
  switch (call.outcome) {
    case 'blocked':
      return explainBlocked(call)
    case 'redacted':
      return {
        tone: 'warn',
        what: 'A policy took something out of the text; the call went on without it.',
        next: 'Which one is among the checks below. The record has only that it acted, never what it found.',
      }
    case 'upstream_error':
      return call.kind === 'tool' ? explainServer(call) : explainUpstream(call)
    case 'failed':
      return explainFailed(call)
    case 'interrupted':
      return {
        tone: 'bad',
        what: 'The process that made this call died before it ended.',
        next:
          call.kind === 'tool'
            ? 'Nobody knows what the server did, so its price is charged. A manager can correct the cost.'
            : 'Nobody knows what the provider did, so what was reserved is charged. If the provider says otherwise, a manager can correct the cost.',
      }
    case 'aborted':
      return {
        tone: 'warn',
        what: 'The caller hung up before the answer was complete.',
        next:
          call.kind === 'tool'
            ? 'The server was told. The call is paid for all the same: the server may have done what it was asked.'
            : 'It pays what the provider bills until then. Callers that often hang up have timeouts that are too short for this model.',
      }
    default:
      return null
  }
}

function explainFailed({ fault, costUsd, kind }: CallDetail): Why {
  const target = kind === 'tool' ? 'server' : 'provider'
  const [what, next] = faults[fault ?? 'internal']
  return {
    tone: 'bad',
    what,
    next: (
      <>
        {next}{' '}
        {costUsd === 0
          ? 'The call cost nothing.'
          : `The ${target} may have worked on the call, so it is charged.`}
      </>
    ),
  }
}

const faults: Record<NonNullable<CallDetail['fault']>, readonly [what: string, next: string]> = {
  database: ['The database of this service could not be reached.', 'Try again.'],
  limits: ['The store of limits could not be reached.', 'Try again.'],
  shutdown: ['This service was stopped while the call was running.', 'Try again.'],
  capacity: ['This service had no memory or file descriptors left.', 'Try again later, or give it more.'],
  internal: [
    'This service failed with an error of its own.',
    'The request id names the error in the log of the service.',
  ],
}

function explainBlocked(call: CallDetail): Why {
  const check = call.checks?.find(
    ({ result, action }) => result === 'fail' && (action === 'block' || action === null),
  )
  const failed = call.checks?.find(({ result, action }) => result === 'error' && action === 'block')
  const cause = check ?? failed
  if (cause?.policyId)
    return {
      tone: 'warn',
      what: (
        <>
          The policy{' '}
          <Link to="/policies" search={{ policy: cause.policyId }} className="link">
            {cause.policyName ?? cause.policyId}
          </Link>{' '}
          {cause === failed ? 'could not judge it, and blocks what it cannot judge.' : 'blocked it.'}
        </>
      ),
      next: `Nothing was sent to the ${call.kind === 'tool' ? 'server, or nothing of its result to the caller,' : 'provider'} after that. Try the text on the bench of Policies to see what it matches.`,
    }
  const [what, next] = reasons[cause?.name ?? ''] ?? [
    cause ? `The check “${nameOfCheck(cause.name)}” refused it.` : 'A check refused it.',
    `Nothing was sent to the ${call.kind === 'tool' ? 'server' : 'provider'}.`,
  ]
  return { tone: 'warn', what, next }
}

const reasons: Record<string, readonly [what: ReactNode, next: ReactNode]> = {
  budget: [
    'It would have passed a budget, a team’s pool or a person’s cap.',
    <>
      Nothing was sent and nothing was spent. See which one is used up under{' '}
      <Link to="/budgets" className="link">
        Budgets
      </Link>
      , wait until it resets, or ask for more.
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
    'The tool is not one that this caller may use.',
    <>
      It is not approved, or no list of the key, its owner or the team names it; to the caller it does not
      exist. A manager can change that under{' '}
      <Link to="/tools" className="link">
        Tools
      </Link>
      .
    </>,
  ],
  model_allowlist: [
    'The model is not one that this key, or its owner, may use.',
    <>
      Use another model, or let a manager allow it for the key under{' '}
      <Link to="/keys" className="link">
        Keys
      </Link>
      .
    </>,
  ],
}

const ownError: Why = {
  tone: 'warn',
  what: 'The tool says itself that it failed.',
  next: 'That is a result like any other: the caller was given it, and its model can go on from there. The protocol and the server worked.',
}

function explainServer({ server, rpcCode, status }: CallDetail): Why {
  const who = server ?? 'The server'
  if (rpcCode !== null)
    return {
      tone: 'bad',
      what: `${who} answered with an error of the protocol (${rpcCode}).`,
      next:
        rpcCode === -32_602
          ? 'It does not take these arguments, or does not know this tool any more. The caller was given its words.'
          : 'The caller was given its words. This is no result of the tool: the request itself failed.',
    }
  return {
    tone: 'bad',
    what: status === 504 ? `${who} did not answer in time.` : `${who} could not be reached, or broke off.`,
    next: (
      <>
        The call is paid for where the server may have seen it. See how the server is under{' '}
        <Link to="/tools" className="link">
          Tools
        </Link>
        .
      </>
    ),
  }
}

function explainUpstream({ status, provider, latencyMs }: CallDetail): Why {
  const who = provider ?? 'The provider'
  const said = (words: string, next: ReactNode): Why => ({ tone: 'bad', what: words, next })
  if (status === 504)
    return said(
      `${who} did not answer in time.`,
      'Try again; where it lasts, raise the timeout of the provider or use another model.',
    )
  if (status === 502)
    return said(
      `${who} could not be reached, or broke off its answer${latencyMs === null ? '' : ' in the middle'}.`,
      'Try again; where it lasts, look at the provider’s own status page and at the network between.',
    )
  if (status === 401 || status === 403)
    return said(
      `${who} refused our credentials (${status}).`,
      <>
        A credential of the provider is wrong, expired or lacks the right to this model. The caller can do
        nothing about it; a manager can, under{' '}
        <Link to="/providers" className="link">
          Providers
        </Link>
        .
      </>,
    )
  if (status === 429)
    return said(
      `${who} says that too much is asked of it (429).`,
      'It is the provider’s limit, not one of ours. Slow down, or ask the provider for more.',
    )
  if (status === 404)
    return said(`${who} does not know this model (404).`, 'Look at how the model is spelt in the catalogue.')
  if (status !== null && status >= 500)
    return said(
      `${who} failed with its own error (${status}).`,
      'Try again; where it lasts, use another model until it is mended.',
    )
  if (status !== null && status >= 400)
    return said(
      `${who} refused the request (${status}).`,
      'The body of the answer said what is wrong with it; the caller was given it as it is.',
    )
  return said(`${who} failed.`, 'Try again.')
}
