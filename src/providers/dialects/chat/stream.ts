import { asArray, asObject, type JsonObject, readModelName } from '../../../json/index.js'
import { isDone, type StreamEvent } from '../../sse.js'
import type { EventAction, StreamReader } from '../dialect.js'
import type { ReportedUsage } from '../usage.js'
import { isFinishReason } from './event-texts.js'
import { chatRequest } from './request.js'
import { readUsage, textsIn } from './usage.js'

/** What differs between the chunks of chats and of older completions. */
interface ChunkShape {
  /** How many choices the caller is shown. */
  choices: number
  textsOf(choice: JsonObject): string[]
}

export class ChatStream implements StreamReader {
  readonly #request: JsonObject
  readonly #callerAskedForUsage: boolean
  readonly #texts: string[] = []
  #usage: ReportedUsage | null = null
  #model: string | null = null
  #serviceTier: unknown = null
  /** Of the choices, which have ended. */
  readonly #ended = new Set<unknown>()
  readonly #shape: ChunkShape
  #finished = false
  #failed = false

  /** `body` is the request. */
  constructor(
    body: JsonObject,
    shape: ChunkShape = {
      choices: chatRequest.choicesOf(body),
      textsOf: ({ delta }) => textsIn(asObject(delta)),
    },
  ) {
    this.#request = body
    this.#shape = shape
    this.#callerAskedForUsage = asObject(body.stream_options).include_usage === true
  }

  read(event: StreamEvent): EventAction {
    const { data } = event
    if (data === '') return 'relay'
    if (isDone(data)) {
      this.#finished = true
      return 'last'
    }
    const chunk = event.content
    if (chunk === null) return 'relay'
    if (chunk.error !== undefined && chunk.error !== null) this.#failed = true
    this.#model ??= readModelName(chunk.model)
    const choices = asArray(chunk.choices)
    for (const choice of choices.map(asObject)) {
      if (isFinishReason(choice.finish_reason)) this.#ended.add(choice.index)
      this.#texts.push(...this.#shape.textsOf(choice))
    }
    if (this.#ended.size >= this.#shape.choices) this.#finished = true
    this.#serviceTier ??= chunk.service_tier
    const usage = readUsage({ usage: chunk.usage, service_tier: this.#serviceTier }, this.#request)
    if (usage === null) return 'relay'
    this.#usage = usage
    return choices.length === 0 && !this.#callerAskedForUsage ? 'drop' : 'relay'
  }

  usage = () => this.#usage
  texts = () => this.#texts
  addTexts = (texts: readonly string[]) => void this.#texts.push(...texts)
  model = () => this.#model
  answerId = () => null
  finished = () => this.#finished
  failed = () => this.#failed
}
