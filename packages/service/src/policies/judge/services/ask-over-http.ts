import { asText, parseObject } from '@tallystick/record/json'
import { signBody } from '../../../outbound/index.js'
import { undecryptable } from '../../../secrets/index.js'
import { type AskService, NoVerdictError, type Question, ServiceFailedError } from './ask-services.js'

/** Posts to a URL that a tenant configured, if the rules for outbound URLs allow it. Never rejects. */
export type Post = (request: {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
}) => Promise<{ status: number; body: Buffer; complete: boolean } | { failure: string; isRefused?: true }>

/** A longer text is not sent in part: a service that saw only half of it would let the other half pass unseen. */
const maxTextChars = 1024 * 1024
const maxBodyBytes = 4 * 1024 * 1024
/** The size of a larger question may itself make a service fail. A caller must not bypass the service by writing more. */
const maxOrdinaryBytes = 64 * 1024
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
    const body = writeQuestion(policy, question)
    const seconds = Math.floor(options.now().getTime() / 1_000)
    const secret = await options.secretOf(question.call.caller.tenantId, policy.id)
    if (secret === undecryptable) throw new NoVerdictError('its secret cannot be decrypted')
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Tallystick',
      'x-tallystick-signature': signBody([secret], body, seconds),
    }
    const answer = await options.post({ url, headers, body, timeoutMs })
    // No request was sent. The policy has no verdict until its URL is changed.
    if ('failure' in answer && answer.isRefused)
      throw new NoVerdictError('its service is at an address that is not allowed')
    const hasFailed = 'failure' in answer || isFailure(answer.status)
    if (hasFailed && isOrdinaryQuestion(body, question))
      throw new ServiceFailedError('failure' in answer ? answer.failure : `answered ${answer.status}`)
    if (hasFailed) throw new NoVerdictError('its service failed on a text that few services can read')
    return readVerdict(answer)
  }
}

/** Characters that make some services fail: half surrogate pairs, control characters and noncharacters. */
const unusual = /[^\P{Cc}\t\n\r]|\p{Cs}|\p{Noncharacter_Code_Point}/u

/** True when nothing in the question can have caused the failure of the service. */
const isOrdinaryQuestion = (body: string, { texts, call }: Question): boolean =>
  Buffer.byteLength(body) <= maxOrdinaryBytes &&
  ![...texts, ...call.tools.names].some((text) => unusual.test(text))

function writeQuestion(policy: Parameters<AskService>[0], question: Question): string {
  const chars = question.texts.reduce((sum, text) => sum + text.length, 0)
  const body = chars > maxTextChars ? null : JSON.stringify(describeQuestion(policy, question))
  if (body === null || Buffer.byteLength(body) > maxBodyBytes)
    throw new NoVerdictError('the text is longer than what its service is asked about')
  return body
}

/** True for statuses that report a failure of the service. Others report a bad question (400, 413, 422) or a bad policy config. */
const isFailure = (status: number): boolean => status === 429 || status >= 500

function describeQuestion(
  policy: Parameters<AskService>[0],
  { call, phase, texts, final }: Question,
): object {
  const { model, provider, dialect, stream, tools, tags, session } = call
  const { key, user, team } = call.caller
  return {
    policy: { id: policy.id, name: policy.name, version: policy.version },
    phase,
    texts,
    final,
    dryRun: call.isTrial,
    request: { id: call.id, model, provider, dialect, stream, tools: tools.names, tags, session },
    ...(call.tool && { tool: call.tool }),
    key: { id: key.id, name: key.name },
    user: user && { id: user.id },
    team: team && { id: team.id },
  }
}

function readVerdict({
  status,
  body,
  complete,
}: {
  status: number
  body: Buffer
  complete: boolean
}): string | null {
  if (status < 200 || status > 299 || !complete) throw noVerdict()
  const answer = parseObject(body.toString())
  if (answer?.violation === false) return null
  if (answer?.violation !== true) throw noVerdict()
  const reason = asText(answer.reason).trim()
  return reason === '' ? 'its service objects' : reason.slice(0, maxReasonLength)
}

const noVerdict = () => new NoVerdictError('its service gave no verdict')
