import {
  asObject,
  asText,
  isObject,
  type JsonObject,
  readModelName,
  stringsIn,
} from '@tallystick/record/json'
import type { StreamEvent } from '../../transport/sse.js'
import type { EventAction, StreamReader } from '../endpoint.js'
import { ProducedTexts } from '../produced-texts.js'
import type { ReportedUsage } from '../usage.js'
import { IssuedInResponse } from './issued.js'
import { readUsage, textsOf } from './usage.js'

const endings = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

export class ResponsesStream implements StreamReader {
  readonly #request: JsonObject
  readonly produced = new ProducedTexts()
  #usage: ReportedUsage | null = null
  #model: string | null = null
  readonly #issued: IssuedInResponse
  #finished = false
  #failed = false

  constructor(request: JsonObject) {
    this.#request = request
    this.#issued = new IssuedInResponse(request)
  }

  read({ content: event }: StreamEvent): EventAction {
    if (event === null) return 'relay'
    const type = asText(event.type)
    const response = asObject(event.response)
    this.#model ??= readModelName(response.model)
    if (isObject(event.response)) this.#issued.addResponse(response)
    else if (isObject(event.item)) this.#issued.addItem(event.item)
    if (type.endsWith('.delta')) this.produced.add(stringsIn(event.delta))
    // The pieces of an item come later, but its name does not.
    if (type === 'response.output_item.added') this.produced.add(textsOf(event.item))
    if (type === 'error' || type === 'response.failed') this.#failed = true
    if (type === 'error') this.#readErrorUsage(event)
    if (!endings.has(type)) return 'relay'
    this.#usage = readUsage(response, this.#request)
    this.#finished = true
    return 'last'
  }

  /** A count that comes with an error is the final one. */
  #readErrorUsage(event: JsonObject): void {
    const usage = readUsage({ usage: event.usage ?? asObject(event.error).usage }, this.#request)
    if (usage === null) return
    this.#usage = usage
    this.#finished = true
  }

  usage = () => this.#usage
  model = () => this.#model
  issued = () => this.#issued.list()
  finished = () => this.#finished
  failed = () => this.#failed
}
