import type { ApiError } from '../../errors.js'
import { NumberedTexts } from '../../governed/index.js'
import { isObject, type JsonObject } from '../../json/index.js'
import type { EntryCheck } from '../../ledger/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import {
  type AnswerJudge,
  type JudgedCall,
  type PolicyJudge,
  type Selection,
  textPoliciesOf,
} from '../../modules/policies/index.js'
import { FreeTexts } from '../../providers/index.js'
import type { Tags } from '../../tags.js'

type RequestRuling = Awaited<ReturnType<PolicyJudge['judgeRequest']>>

/** A call of a tool, as policies see it. */
export interface JudgedTool {
  id: string
  entitlements: Entitlements
  server: string
  /** As it is called in lists and policies, and by its server. */
  fullName: string
  name: string
  arguments: JsonObject
  tags: Tags
  session: string | null
}

/** What policies make of what a caller sends. */
export interface ToolRuling {
  refusal: ApiError | null
  /** What may go to the server. */
  json: string
  /** Judges what the caller answers to a question of the server, before the server sees it. */
  judgeReply(json: string): Promise<{ refusal: ApiError | null; json: string }>
  /** Judges what the server sends. Null where no policy does. */
  judge: ResultJudge | null
  checks(): EntryCheck[]
  isRedacted(): boolean
}

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
  const texts = new NumberedTexts(new FreeTexts(json, sortOfParam))
  const ruling = await policies.judgeRequest(selection, call, texts)
  const replies: RequestRuling[] = []
  const answerJudge = policies.createAnswerJudge(selection, call, ruling, () => false)
  return {
    refusal: ruling.refusal,
    json: texts.apply(json, ruling.changes),
    async judgeReply(reply) {
      const said = new NumberedTexts(new FreeTexts(reply))
      const judged = await policies.judgeRequest(textPoliciesOf(selection), call, said)
      replies.push(judged)
      return { refusal: judged.refusal, json: said.apply(reply, judged.changes) }
    },
    judge: answerJudge && new ResultJudge(answerJudge),
    // What passed is said once; what did not, each time.
    checks: () => [
      ...ruling.results.checks(),
      ...replies.flatMap(({ results }) => results.checks().filter(({ result }) => result !== 'pass')),
    ],
    isRedacted: () => [ruling, ...replies].some(({ results }) => results.redacted),
  }
}

/** What a server sent, as the caller may see it. */
export interface JudgedResult {
  refusal: ApiError | null
  json: string
  /** The same without what was put back for the caller. */
  redacted: string
}

/** Judges whatever a server sends while a call is under way, one after the other: its results are those of the call. */
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
    // The tool was judged before it was called; its result calls none.
    const { refusal, changes, removed } = await this.#judge.judgeWhole(texts, async () => noTools)
    const shown = texts.apply(json, changes)
    return { refusal, json: shown, redacted: removed === changes ? shown : texts.apply(json, removed) }
  }
}

/** What is called was decided by its name: with another in its place, the server would be asked for something else. */
function sortOfParam(path: readonly (string | number)[]): 'fixed' | 'text' {
  const [first, second] = path
  const isName = path.length === 1 && (first === 'name' || first === 'uri')
  const isReference = path.length === 2 && first === 'ref' && (second === 'name' || second === 'uri')
  return isName || isReference ? 'fixed' : 'text'
}

const noTools = { names: [], aliases: [], isReadable: true }

/**
 * Pictures, recordings and files where the protocol has them: in content, and in resources. What else is called so is the server's own, and
 * text.
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

/** Of a result, and of a question that asks for a sample. */
const containers: ReadonlySet<string> = new Set(['content', 'contents', 'messages'])
/** `messages`, `content`, `resource`. */
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

const toTexts = (given: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  )

export const argumentsOf = (params: JsonObject): JsonObject =>
  isObject(params.arguments) ? params.arguments : {}
