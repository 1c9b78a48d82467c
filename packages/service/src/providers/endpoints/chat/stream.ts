import { asArray, asObject, type JsonObject, readModelName } from '@tallystick/record/json'
import { IssuedReferences } from '../../references/index.js'
import { readIndex } from '../../texts/event-path.js'
import { isDone, type StreamEvent } from '../../transport/sse.js'
import type { EventAction, StreamReader } from '../endpoint.js'
import { ProducedTexts } from '../produced-texts.js'
import type { ReportedUsage } from '../usage.js'
import { isFinishReason } from './event-texts.js'
import { audioIdIn } from './issued.js'
import { chatShape } from './shape.js'
import { readUsage, textsIn } from './usage.js'

/** The differences between chunks of chats and of older completions. */
interface ChunkShape {
  /** The number of choices that the caller receives. */
  choices: number
  textsOf(choice: JsonObject): string[]
}

/** No model produces this many choices. */
const maxEndedChoices = 1_024

export class ChatStream implements StreamReader {
  readonly #request: JsonObject
  readonly #callerAskedForUsage: boolean
  readonly produced = new ProducedTexts()
  #usage: ReportedUsage | null = null
  #model: string | null = null
  #serviceTier: unknown = null
  /** The indexes of the choices that have ended. */
  // Bounded: choices of one answer: 1,024.
  readonly #ended = new Set<number | null>()
  readonly #shape: ChunkShape
  readonly #issued = new IssuedReferences()
  #finished = false
  #failed = false

  /** `body` is the body of the request. */
  constructor(
    body: JsonObject,
    shape: ChunkShape = {
      choices: chatShape.choicesOf(body),
      textsOf: ({ delta }) => textsIn(delta),
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
    const hasError = chunk.error !== undefined && chunk.error !== null
    if (hasError) this.#failed = true
    this.#model ??= readModelName(chunk.model)
    const choices = asArray(chunk.choices)
    this.produced.add(choices.flatMap((choice) => this.#shape.textsOf(asObject(choice))))
    for (const choice of choices) this.#issued.add('audio', audioIdIn(asObject(choice).delta))
    this.#readEnds(choices)
    this.#serviceTier ??= chunk.service_tier
    const reported = hasError ? (chunk.usage ?? asObject(chunk.error).usage) : chunk.usage
    const usage = readUsage({ usage: reported, service_tier: this.#serviceTier }, this.#request)
    if (usage === null) return 'relay'
    this.#usage = usage
    // A count that comes with an error is the final one.
    if (hasError) this.#finished = true
    return choices.length === 0 && !this.#callerAskedForUsage ? 'drop' : 'relay'
  }

  /**
   * Records which choices have ended. Nothing is recorded once all have ended, because a provider may send any number of
   * indexes.
   */
  #readEnds(choices: readonly unknown[]): void {
    for (const choice of choices.map(asObject)) {
      if (this.#ended.size >= Math.min(this.#shape.choices, maxEndedChoices)) return
      if (isFinishReason(choice.finish_reason)) this.#ended.add(readIndex(choice.index))
    }
    if (this.#ended.size >= this.#shape.choices) this.#finished = true
  }

  usage = () => this.#usage
  model = () => this.#model
  issued = () => this.#issued.list()
  finished = () => this.#finished
  failed = () => this.#failed
}
