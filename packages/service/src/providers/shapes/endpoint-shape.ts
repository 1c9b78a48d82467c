import { asArray, asCount, asObject, asText, type JsonObject } from '@tallystick/record/json'
import type { ModelMode } from '../catalogue/model-properties.js'
import type { WalkOptions } from '../texts/text-walk.js'
import type { Annotation, Annotations, AnswerAnnotations, PartRule } from './annotations.js'

/** The description of an endpoint's request and answer bodies. */
export interface ShapeDescription {
  request: Annotations
  /** Parts that are not text, by their `type`. */
  parts?: Readonly<Record<string, PartRule>>
  answer?: AnswerAnnotations
  /** Whether an answer has output tokens: with a limit in the request, without any limit, or none. */
  output: 'limited' | 'unlimited' | 'none'
  /**
   * True for models that only read and answer: they do not reason, and their vendors offer neither tiers nor a
   * cache for them.
   */
  isSimple?: true
  /** Types of tools that the vendor defines and the caller runs. */
  toolsOfCaller?: RegExp
  /** True when requests are forms. */
  isForm?: true
  /** True when nothing is added around the input that the model reads. */
  isBare?: true
  /** True when requests cannot contain tools or refer to stored objects. */
  namesNothing?: true
  /** True when answers may be cached, if they depend only on the request. */
  isCacheable?: true
  price: PriceMode
}

/** How a call is billed. */
export interface PriceMode {
  /** The modes of models whose price applies. */
  modes: readonly ModelMode[]
  /** The first word of the names of its fees, when it is not billed by tokens. */
  unit?: string
  /** True when it is free, whatever the model costs, and no token limit counts it. */
  isFree?: true
}

/** How requests are written that are forms. */
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
 * A path that contains input. The vendor may serialise everything else as JSON with escapes, and it is bounded
 * accordingly.
 */
export interface Place {
  string: 'text' | 'word' | 'unexpected'
  isTokens: boolean
  hasParts: boolean
  members: ReadonlyMap<string, Place>
}

/**
 * Members that limits, prices and rules read at every endpoint: many servers serve one vendor's model in another
 * vendor's dialect.
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
  readonly input: Place
  /** Names of members that the gateway reads: any other spelling of them is refused. */
  readonly names: ReadonlySet<string>
  readonly parts: ReadonlyMap<string, PartRule>
  /** The members that can hold the maximum output; the first is the one that a request should use. */
  readonly outputLimits: readonly string[]
  /** The members that can hold the number of answers; the first states how many are returned. */
  readonly choiceCounts: readonly string[]
  /** The members that may be billed as output. */
  readonly addedOutput: readonly string[]
  /** The member that contains the conversation, or the inputs. */
  readonly conversation: string | null
  /** The member whose items the model reads one at a time. */
  readonly readApart: string | null
  /** The member whose items may be stored ones. */
  readonly storedItems: string | null
  /** Members that allow the vendor to run a tool, with the tool's name. */
  readonly enabledTools: readonly (readonly [string, string])[]
  /** Null where requests are JSON. */
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
    const those = (has: (annotation: Annotation) => unknown) =>
      members.filter(([, annotation]) => has(annotation)).map(([name]) => name)
    this.description = description
    this.input = toPlace({ members: Object.fromEntries(members.filter(([, each]) => isInput(each))) })
    this.names = new Set([...Object.keys(request), ...readEverywhere])
    this.parts = new Map(Object.entries(parts))
    this.outputLimits = description.output === 'limited' ? those(({ limits }) => limits === 'output') : []
    this.choiceCounts = those(({ limits }) => limits === 'choices')
    this.addedOutput = those(({ addsOutput }) => addsOutput)
    this.conversation = those(({ isConversation }) => isConversation)[0] ?? null
    this.readApart = those(({ isReadApart }) => isReadApart)[0] ?? null
    this.storedItems = those(({ hasStoredItems }) => hasStoredItems)[0] ?? null
    this.enabledTools = members.flatMap(([name, { enables }]) => (enables ? [[name, enables] as const] : []))
    this.form = description.isForm
      ? {
          files: those(({ field }) => field === 'file' || field === 'files'),
          lists: those(({ field }) => field === 'list' || field === 'files'),
          counts: those(({ field }) => field === 'count'),
          flags: those(({ field }) => field === 'flag'),
        }
      : null
    this.#settings = new Map(members.flatMap(([name, { setting }]) => (setting ? [[name, setting]] : [])))
    this.#tokens = those(({ numbers }) => numbers)
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
  windowsOf(body: JsonObject): number {
    const value = this.readApart === null ? null : body[this.readApart]
    return Array.isArray(value) && !isTokenList(value) ? Math.max(1, value.length) : 1
  }

  /** True when the provider stores the answer. */
  isStored({ store }: JsonObject): boolean {
    return this.#storesByDefault ? store !== false : store === true
  }
}

const isInput = ({ string, numbers, hasParts, members }: Annotation): boolean =>
  string !== undefined || numbers !== undefined || hasParts !== undefined || members !== undefined

function toPlace({ string, numbers, hasParts, members = {} }: Annotation): Place {
  return {
    string: string ?? 'unexpected',
    isTokens: numbers !== undefined,
    hasParts: hasParts === true,
    members: new Map(Object.entries(members).map(([name, each]) => [name, toPlace(each)])),
  }
}

function toWalkOptions({ echoes = [], noProbabilities }: AnswerAnnotations): WalkOptions {
  const repeated = new Set<unknown>(echoes)
  return {
    ...(repeated.size > 0 && { isEcho: (path) => repeated.has(path[0]) }),
    ...(noProbabilities && { noProbabilities }),
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
