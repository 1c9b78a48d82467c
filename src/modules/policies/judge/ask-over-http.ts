import { signBody } from '../../../outbound/index.js'
import { undecryptable } from '../../../secrets/index.js'
import { type AskService, NotAskedError, type Question } from './ask-services.js'

/** Posts to a URL that a tenant chose, under the rules for such URLs. Never rejects. */
export type Post = (request: {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
}) => Promise<{ status: number; body: Buffer; complete: boolean } | { failure: string }>

/** More is not sent at all: a service that saw half of a text would let the other half pass unseen. */
const maxTextChars = 1024 * 1024
const maxReasonLength = 200

/**
 * Asks a tenant's own guardrail service. The request is signed like a webhook, so that the service can verify who sent it.
 * The answer must be `{ "violation": boolean, "reason"?: string }`.
 */
export function createHttpAsker(options: {
  post: Post
  secretOf(tenantId: string, policyId: string): Promise<string | typeof undecryptable>
  now(): Date
}): AskService {
  return async (policy, { url, timeoutMs }, question) => {
    if (question.texts.reduce((sum, text) => sum + text.length, 0) > maxTextChars)
      throw new Error('the text is too long for a service')
    const body = JSON.stringify(describeQuestion(policy, question))
    const seconds = Math.floor(options.now().getTime() / 1_000)
    const secret = await options.secretOf(question.call.caller.tenantId, policy.id)
    if (secret === undecryptable) throw new NotAskedError('its secret cannot be decrypted')
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Tallystick',
      'x-tallystick-signature': signBody([secret], body, seconds),
    }
    const answer = await options.post({ url, headers, body, timeoutMs })
    if ('failure' in answer) throw new Error(answer.failure)
    if (answer.status < 200 || answer.status > 299 || !answer.complete)
      throw new Error(`answered ${answer.status}`)
    return readVerdict(JSON.parse(answer.body.toString()))
  }
}

function describeQuestion(
  policy: Parameters<AskService>[0],
  { call, phase, texts, final }: Question,
): object {
  const { model, provider, dialect, stream, tools } = call
  const { key, user, team } = call.caller
  return {
    policy: { id: policy.id, name: policy.name, version: policy.version },
    phase,
    texts,
    final,
    dryRun: call.isTrial,
    request: { id: call.id, model, provider, dialect, stream, tools: tools.names },
    key: { id: key.id, name: key.name },
    user: user && { id: user.id },
    team: team && { id: team.id },
  }
}

function readVerdict(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('violation' in answer))
    throw new Error('the answer has no verdict')
  if (answer.violation === false) return null
  if (answer.violation !== true) throw new Error('the verdict is neither true nor false')
  const reason = 'reason' in answer && typeof answer.reason === 'string' ? answer.reason.trim() : ''
  return reason === '' ? 'its service objects' : reason.slice(0, maxReasonLength)
}
