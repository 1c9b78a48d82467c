import {
  asObject,
  asText,
  type JsonObject,
  readCount,
  readModelName,
  stringsIn,
} from '@tallystick/record/json'
import type { StreamEvent } from '../../transport/sse.js'
import { type EventAction, protocolWords, type StreamReader } from '../endpoint.js'
import { ProducedTexts } from '../produced-texts.js'
import { IssuedInMessage } from './issued.js'
import { ranCode, usedContainer } from './tools.js'
import { readUsage } from './usage.js'

/** Bounds the usage of one stream. Vendors report far fewer members. */
const maxUsageMembers = 100

export class MessagesStream implements StreamReader {
  readonly #request: JsonObject
  readonly produced = new ProducedTexts()
  /**
   * `message_start` reports the input, each `message_delta` the output so far; later figures replace earlier ones.
   */
  #usage: JsonObject = {}
  #model: string | null = null
  #hasContainer = false
  readonly #issued = new IssuedInMessage()
  #finished = false
  #failed = false

  constructor(request: JsonObject) {
    this.#request = request
  }

  read({ content: event }: StreamEvent): EventAction {
    if (event === null) return 'relay'
    switch (event.type) {
      case 'message_start': {
        const message = asObject(event.message)
        this.#model = readModelName(message.model)
        this.#hasContainer ||= usedContainer(message)
        this.#issued.addContainer(message)
        // The output count is a placeholder here: until the first `message_delta`, the text itself is counted.
        this.#usage = { ...readFigures(message.usage), output_tokens: null }
        break
      }
      case 'content_block_start': {
        const block = asObject(event.content_block)
        this.#hasContainer ||= ranCode(block)
        this.#issued.addBlock(block)
        this.produced.add(stringsIn(block, protocolWords))
        break
      }
      case 'content_block_delta': {
        this.produced.add(stringsIn(event.delta, protocolWords))
        break
      }
      case 'message_delta':
        this.#addUsage(readFigures(event.usage))
        this.#hasContainer ||= usedContainer(asObject(event.delta))
        this.#issued.addContainer(asObject(event.delta))
        if (asText(asObject(event.delta).stop_reason) !== '') this.#finished = true
        break
      case 'error': {
        this.#failed = true
        // A count that comes with an error is the final one.
        const usage = readFigures(event.usage ?? asObject(event.error).usage)
        this.#addUsage(usage)
        if (readCount(usage.output_tokens) !== null) this.#finished = true
        break
      }
      case 'message_stop':
        this.#finished = true
        return 'last'
      default:
    }
    return 'relay'
  }

  #addUsage(later: JsonObject): void {
    for (const [name, value] of Object.entries(later))
      if (name in this.#usage || Object.keys(this.#usage).length < maxUsageMembers) this.#usage[name] = value
  }

  usage = () => readUsage(this.#usage, this.#request, this.#hasContainer)
  model = () => this.#model
  issued = () => this.#issued.list()
  finished = () => this.#finished
  failed = () => this.#failed
}

/** Returns the usage without empty figures, because an empty figure must not replace a real one. */
const readFigures = (usage: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(asObject(usage)).filter(
      ([, value]) => readCount(value) !== null || typeof value === 'string' || isFilled(value),
    ),
  )

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
