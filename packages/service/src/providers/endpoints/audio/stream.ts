import { asObject, asText, type JsonObject, stringsIn } from '@tallystick/record/json'
import { type ReadEvent, readEventTexts } from '../../texts/endpoint-texts.js'
import type { StreamEvent } from '../../transport/sse.js'
import { AssembledValues, emptyObject, type StreamAssembler } from '../assembler.js'
import { type EventAction, protocolWords, type StreamReader } from '../endpoint.js'
import { ProducedTexts } from '../produced-texts.js'
import type { ReportedUsage } from '../usage.js'
import { readTranscriptUsage } from './transcript.js'

/** The events of a transcription: pieces of the text, then the whole text with its usage. */
export class TranscriptStream implements StreamReader {
  readonly produced = new ProducedTexts()
  #usage: ReportedUsage | null = null
  #finished = false
  #failed = false

  read({ content: event }: StreamEvent): EventAction {
    if (event === null) return 'relay'
    const hasError = event.type === 'error' || event.error !== undefined
    if (hasError) this.#failed = true
    if (event.type !== 'transcript.text.done') {
      this.produced.add(stringsIn(event, protocolWords))
      // A count that comes with an error is the final one.
      if (hasError) this.#usage = readTranscriptUsage({ usage: event.usage ?? asObject(event.error).usage })
      if (this.#usage !== null) this.#finished = true
      return 'relay'
    }
    // Some servers send the whole text only at the end.
    if (this.produced.chars === 0) this.produced.add([asText(event.text)])
    this.#usage = readTranscriptUsage(event)
    this.#finished = true
    return 'last'
  }

  usage = () => this.#usage
  model = () => null
  finished = () => this.#finished
  failed = () => this.#failed
}

export const readTranscriptEvent: ReadEvent = (data, event) =>
  readEventTexts(
    data,
    { emptyLogprobs: '[]' },
    ([member, ...rest]) =>
      event.type === 'transcript.text.delta' && member === 'delta' && rest.length === 0
        ? { channel: 'transcript', isPiece: true }
        : null,
    event.type === 'transcript.text.done' ? ['transcript'] : [],
  )

export class TranscriptAssembler implements StreamAssembler {
  readonly #values: AssembledValues
  readonly #answer: JsonObject = emptyObject()

  constructor(maxChars: number) {
    this.#values = new AssembledValues(maxChars)
    this.#answer.text = ''
  }

  add({ type, delta, text: _, logprobs: __, ...rest }: JsonObject): void {
    if (type === 'transcript.text.delta') this.#values.merge(this.#answer, { text: asText(delta) })
    if (type === 'transcript.text.done') this.#values.merge(this.#answer, rest)
  }

  answer(): JsonObject {
    return this.#answer
  }

  get omittedChars(): number {
    return this.#values.omittedChars
  }
}
