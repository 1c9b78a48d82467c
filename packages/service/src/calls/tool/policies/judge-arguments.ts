import { isObject, type JsonObject } from '@tallystick/record/json'
import {
  type AnswerJudge,
  type JudgedCall,
  type PolicyJudge,
  type Selection,
  textPoliciesOf,
} from '../../../policies/index.js'
import { FreeTexts } from '../../../providers/index.js'
import type { EntryCheck } from '../../../record/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import type { ApiError } from '../../../shared/errors.js'
import type { Tags } from '../../../shared/tags.js'
import { NumberedTexts } from '../../core/index.js'

type RequestRuling = Awaited<ReturnType<PolicyJudge['judgeRequest']>>

/** A tool call as policies see it. */
export interface JudgedTool {
  id: string
  entitlements: Entitlements
  server: string
  /** The name of the tool in allowlists and policies. `name` is the name that the server uses. */
  fullName: string
  name: string
  arguments: JsonObject
  tags: Tags
  session: string | null
}

/** The verdict of policies on a request to a server. */
export interface ToolRuling {
  refusal: ApiError | null
  /** The params to forward. */
  json: string
  /** Judges the caller's reply to a question of the server, before it is sent to the server. */
  judgeReply(json: string): Promise<{ refusal: ApiError | null; json: string }>
  /** Judges what the server sends. Null when no policy applies to it. */
  judge: ResultJudge | null
  checks(): EntryCheck[]
  isRedacted(): boolean
}

/** Judges a request to a server. */
export async function judgeArguments(
  policies: PolicyJudge,
  selection: Selection,
  tool: JudgedTool,
  json: string,
): Promise<ToolRuling> {
  if (selection.all.length === 0)
    return {
      refusal: null,
      json,
      judgeReply: async (reply) => ({ refusal: null, json: reply }),
      judge: null,
      checks: () => [],
      isRedacted: () => false,
    }
  const call = toJudgedCall(tool)
  const texts = new NumberedTexts(new FreeTexts(json, textSortOf))
  const ruling = await policies.judgeRequest(selection, call, texts)
  const replies: RequestRuling[] = []
  const answerJudge = policies.createAnswerJudge(selection, call, ruling, () => false)
  return {
    refusal: ruling.refusal,
    json: texts.apply(json, ruling.changes),
    async judgeReply(reply) {
      const replyTexts = new NumberedTexts(new FreeTexts(reply))
      const judged = await policies.judgeRequest(textPoliciesOf(selection), call, replyTexts)
      replies.push(judged)
      return { refusal: judged.refusal, json: replyTexts.apply(reply, judged.changes) }
    },
    judge: answerJudge && new ResultJudge(answerJudge),
    // A policy that passed is listed once. A policy that failed is listed for every message that it failed on.
    checks: () => [
      ...ruling.results.checks(),
      ...replies.flatMap(({ results }) => results.checks().filter(({ result }) => result !== 'pass')),
    ],
    isRedacted: () => [ruling, ...replies].some(({ results }) => results.redacted),
  }
}

/** A message of a server after judgement. */
export interface JudgedResult {
  refusal: ApiError | null
  json: string
  /** The same without the values that policies restored for the caller. */
  redacted: string
}

/** Judges the messages that a server sends during a call, one after the other. Their verdicts count for the call as a whole. */
export class ResultJudge {
  readonly #judge: AnswerJudge
  #last: Promise<unknown> = Promise.resolve()

  constructor(judge: AnswerJudge) {
    this.#judge = judge
  }

  judgeText(json: string): Promise<JudgedResult> {
    const judged = this.#last.then(() => this.#judgeNow(json))
    this.#last = judged.catch(() => undefined)
    return judged
  }

  async #judgeNow(json: string): Promise<JudgedResult> {
    const texts = new NumberedTexts(new FreeTexts(json, (path) => (isPayload(path) ? 'payload' : 'text')))
    // The tool was judged before it was called, and its result calls no other tool.
    const { refusal, changes, removed } = await this.#judge.judgeWhole(texts, async () => noTools)
    const shown = texts.apply(json, changes)
    return { refusal, json: shown, redacted: removed === changes ? shown : texts.apply(json, removed) }
  }
}

/**
 * Names of tools, prompts and resources must not be redacted, because permissions were checked by name and another name would call
 * something else.
 */
function textSortOf(path: readonly (string | number)[]): 'fixed' | 'text' {
  const [first, second] = path
  const isName = path.length === 1 && (first === 'name' || first === 'uri')
  const isReference = path.length === 2 && first === 'ref' && (second === 'name' || second === 'uri')
  return isName || isReference ? 'fixed' : 'text'
}

const noTools = { names: [], aliases: [], isReadable: true }

/**
 * True for images, audio and files at the places that the protocol defines: in content and in resources. Members of the same name
 * elsewhere are judged as text.
 */
function isPayload(path: readonly (string | number)[]): boolean {
  const name = path.at(-1)
  const holders = path.slice(0, -1).filter((each) => typeof each === 'string')
  const holder = holders.at(-1)
  if (holders.length > maxHolders || holders[0] === undefined || !containers.has(holders[0])) return false
  return name === 'blob'
    ? holder === 'contents' || holder === 'resource'
    : name === 'data' && holder === 'content'
}

/** The members of a result, and of a sampling request, that hold content. */
const containers: ReadonlySet<string> = new Set(['content', 'contents', 'messages'])
/** The deepest path is `messages`, `content`, `resource`. */
const maxHolders = 3

const toJudgedCall = (tool: JudgedTool): JudgedCall => ({
  id: tool.id,
  caller: tool.entitlements,
  modelNames: [],
  model: tool.fullName,
  provider: `mcp:${tool.server}`,
  dialect: 'mcp',
  stream: false,
  messages: 0,
  inputTokens: 0,
  declaredMaxOutputTokens: null,
  maxOutputTokens: 0,
  tools: { names: [tool.fullName], aliases: [tool.name], isReadable: true },
  tool: { name: tool.fullName, arguments: toTexts(tool.arguments) },
  tags: tool.tags,
  session: tool.session,
  isReadable: true,
  isAnswerReadable: true,
  isTrial: false,
  now: new Date(),
})

const toTexts = (args: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  )

export const argumentsOf = (params: JsonObject): JsonObject =>
  isObject(params.arguments) ? params.arguments : {}
