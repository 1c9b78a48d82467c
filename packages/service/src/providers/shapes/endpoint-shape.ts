import { asArray, asCount, asObject, asText, type JsonObject } from '@tallystick/record/json'
import type { ModelMode } from '../catalogue/model-properties.js'
import type { WalkOptions } from '../texts/text-walk.js'
import type { Annotation, Annotations, AnswerAnnotations, PartRule } from './annotations.js'

/** The description of an endpoint's request and answer bodies. */
export interface ShapeDescription {
  /** Annotations of the members of the request body, by name. */
  request: Annotations
  /** How the parts of a request that are not text are counted, by their `type`. */
  parts?: Readonly<Record<string, PartRule>>
  /** The members of an answer that need other treatment than plain text. */
  answer?: AnswerAnnotations
  /** Whether an answer has output tokens: `limited` by the request, `unlimited` because no request can limit them, or none. */
  output: 'limited' | 'unlimited' | 'none'
  /**
   * True for models that do not reason, and for which vendors offer neither service tiers nor a prompt cache.
   */
  isSimple?: true
  /** Matches the types of tools that the vendor defines but the caller runs. */
  callerTools?: RegExp
  /** True when requests are forms (multipart/form-data) instead of JSON. */
  isForm?: true
  /** True when the vendor adds no tokens around the input. */
  isUnframed?: true
  /** True when requests cannot contain tools or refer to stored objects. */
  hasNoToolsOrReferences?: true
  /** True when the response cache may store an answer that depends on the request alone. */
  isCacheable?: true
  /** How a call is billed. */
  price: PriceMode
}

/** How a call is billed. */
export interface PriceMode {
  /** The modes of models whose prices apply to this endpoint. */
  modes: readonly ModelMode[]
  /** The start of the names of its fees, such as `image`, when it can be billed other than by tokens. */
  unit?: string
  /** True when calls are free, whatever the model costs, and do not count towards token limits. */
  isFree?: true
}

/** The fields of a form. Fields that are not listed are single texts. */
export interface FormShape {
  /** Fields that are files; no other field may be one. */
  files: readonly string[]
  /** Fields that may be given several times. */
  lists: readonly string[]
  /** Fields that are whole numbers, and those that are true or false. */
  counts: readonly string[]
  flags: readonly string[]
}

/**
 * A described path of the request body that contains input. Everything without such a node is bounded as if the vendor
 * serialised it as JSON with escapes.
 */
export interface InputNode {
  string: 'text' | 'word' | 'unexpected'
  isTokens: boolean
  hasParts: boolean
  members: ReadonlyMap<string, InputNode>
}

/**
 * Members that limits, prices and tool rules read at every endpoint, because many servers serve one vendor's model in
 * another vendor's dialect.
 */
const readEverywhere = [
  ...['tools', 'functions', 'tool_choice', 'thinking', 'reasoning', 'mcp_servers', 'container', 'prompt'],
  ...['audio', 'search_parameters', 'web_search_options', 'context_management', 'prediction'],
  ...['cache_control', 'max_output_tokens', 'max_new_tokens', 'n_predict', 'num_predict', 'best_of'],
]

/** The description of an endpoint's bodies, prepared once for everything that interprets it. */
export class EndpointShape {
  readonly description: ShapeDescription
  /** The body, with the members that are input. */
  readonly input: InputNode
  /** Names of members that the gateway reads: any other spelling of them is refused. */
  readonly memberNames: ReadonlySet<string>
  readonly parts: ReadonlyMap<string, PartRule>
  /** The members that can hold the maximum output; the first is the one that a request should use. */
  readonly outputLimits: readonly string[]
  /** The members that can hold the number of answers; the first states how many are returned. */
  readonly choiceCounts: readonly string[]
  /** The members that may be billed as output. */
  readonly addedOutput: readonly string[]
  /** The member that contains the conversation, or the inputs. */
  readonly conversation: string | null
  /** The member whose items are separate inputs, which the model reads one at a time. */
  readonly separateInputs: string | null
  /** The member whose items may refer to stored items. */
  readonly storedItems: string | null
  /** Members that allow the vendor to run a hosted tool, each with the fee name of the tool. */
  readonly enabledTools: readonly (readonly [string, string])[]
  /** The fields of a request that is a form; null when requests are JSON. */
  readonly form: FormShape | null
  readonly #settings: ReadonlyMap<string, 'scalar' | 'flat'>
  readonly #tokens: readonly string[]
  readonly #answerFormats: readonly (readonly string[])[]
  readonly #storesByDefault: boolean
  readonly #answer: WalkOptions
  readonly #answerAsJson: WalkOptions

  constructor(description: ShapeDescription) {
    const { request, parts = {}, answer = {} } = description
    const members = Object.entries(request)
    const namesWhere = (has: (annotation: Annotation) => unknown) =>
      members.filter(([, annotation]) => has(annotation)).map(([name]) => name)
    this.description = description
    this.input = toInputNode({ members: Object.fromEntries(members.filter(([, each]) => isInput(each))) })
    this.memberNames = new Set([...Object.keys(request), ...readEverywhere])
    this.parts = new Map(Object.entries(parts))
    this.outputLimits =
      description.output === 'limited' ? namesWhere(({ limits }) => limits === 'output') : []
    this.choiceCounts = namesWhere(({ limits }) => limits === 'choices')
    this.addedOutput = namesWhere(({ addsOutput }) => addsOutput)
    this.conversation = namesWhere(({ isConversation }) => isConversation)[0] ?? null
    this.separateInputs = namesWhere(({ isReadSeparately }) => isReadSeparately)[0] ?? null
    this.storedItems = namesWhere(({ hasStoredItems }) => hasStoredItems)[0] ?? null
    this.enabledTools = members.flatMap(([name, { enablesTool }]) =>
      enablesTool ? [[name, enablesTool] as const] : [],
    )
    this.form = description.isForm
      ? {
          files: namesWhere(({ field }) => field === 'file' || field === 'files'),
          lists: namesWhere(({ field }) => field === 'list' || field === 'files'),
          counts: namesWhere(({ field }) => field === 'count'),
          flags: namesWhere(({ field }) => field === 'flag'),
        }
      : null
    this.#settings = new Map(members.flatMap(([name, { setting }]) => (setting ? [[name, setting]] : [])))
    this.#tokens = namesWhere(({ numbers }) => numbers)
    this.#answerFormats = members.flatMap(([name, each]) =>
      each.answerFormat ? [[name, ...each.answerFormat]] : [],
    )
    this.#storesByDefault = request.store?.isOnByDefault === true
    this.#answer = toWalkOptions(answer)
    this.#answerAsJson = withJson(this.#answer, answer.json)
  }

  /**
   * Returns the names of the members of a body that count as input: not settings, unless they have an unexpected
   * form.
   */
  inputMembers(body: JsonObject): string[] {
    return Object.keys(body).filter((name) => {
      const form = this.#settings.get(name)
      return form === undefined || !hasForm(body[name], form)
    })
  }

  /** Returns the options to find the texts of an answer. `asJson`: the caller asked for JSON. */
  answerTexts(asJson: boolean): WalkOptions {
    return asJson ? this.#answerAsJson : this.#answer
  }

  /** Returns whether the caller asked for an answer in JSON. */
  asksForJson(body: JsonObject): boolean {
    return this.#answerFormats.some((path) => {
      const format = path.reduce<unknown>((value, name) => asObject(value)[name], body)
      return /^json/.test(asText(asObject(format).type))
    })
  }

  /** False for input that was sent as token numbers instead of text. */
  isReadable(body: JsonObject): boolean {
    return this.#tokens.every((name) => asArray(body[name]).every((item) => typeof item === 'string'))
  }

  /** Returns the number of messages of the conversation, or of inputs. */
  messageCount(body: JsonObject): number {
    if (this.conversation === null) return 1
    const value = body[this.conversation]
    if (typeof value === 'string') return 1
    const list = asArray(value)
    return list.length > 0 && this.#tokens.includes(this.conversation) && isTokenList(list) ? 1 : list.length
  }

  /**
   * Returns the largest value when several members declare one, since a vendor may honour any of them. Null when
   * none does.
   */
  maxOutputOf(body: JsonObject): number | null {
    return this.description.output === 'none' ? 0 : maxCountIn(body, this.outputLimits)
  }

  choicesOf(body: JsonObject): number {
    return maxCountIn(body, this.choiceCounts) ?? 1
  }

  /** Returns how many inputs the model reads, each of which may fill its context window. */
  countSeparateInputs(body: JsonObject): number {
    const value = this.separateInputs === null ? null : body[this.separateInputs]
    return Array.isArray(value) && !isTokenList(value) ? Math.max(1, value.length) : 1
  }

  /** True when the provider stores the answer. */
  isStored({ store }: JsonObject): boolean {
    return this.#storesByDefault ? store !== false : store === true
  }
}

const isInput = ({ string, numbers, hasParts, members }: Annotation): boolean =>
  string !== undefined || numbers !== undefined || hasParts !== undefined || members !== undefined

function toInputNode({ string, numbers, hasParts, members = {} }: Annotation): InputNode {
  return {
    string: string ?? 'unexpected',
    isTokens: numbers !== undefined,
    hasParts: hasParts === true,
    members: new Map(Object.entries(members).map(([name, each]) => [name, toInputNode(each)])),
  }
}

function toWalkOptions({ echoes = [], emptyLogprobs }: AnswerAnnotations): WalkOptions {
  const repeated = new Set<unknown>(echoes)
  return {
    ...(repeated.size > 0 && { isEcho: (path) => repeated.has(path[0]) }),
    ...(emptyLogprobs && { emptyLogprobs }),
  }
}

const withJson = (options: WalkOptions, member: string | undefined): WalkOptions =>
  member === undefined ? options : { ...options, isJson: (path) => path.at(-1) === member }

/** True for a list, or a list of lists, of token numbers. */
const isTokenList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')

/**
 * Returns the largest count in these members; null when there is none. Many servers treat 0 like a missing value.
 */
const maxCountIn = (body: JsonObject, names: readonly string[]): number | null =>
  names.reduce((most, name) => Math.max(most, asCount(body[name])), 0) || null

function hasForm(value: unknown, form: 'scalar' | 'flat'): boolean {
  if (value === null || typeof value !== 'object') return true
  return form === 'flat' && Object.values(value).every((each) => each === null || typeof each !== 'object')
}
