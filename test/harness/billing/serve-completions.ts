import {
  checkInput,
  declared,
  inPieces,
  maximumOf,
  produce,
  type Served,
  type StreamEvent,
  type VendorCall,
} from './call.js'
import { at, isList, itemsOf, type Json, type JsonObject, numberAt } from './json.js'
import { countText, makeText } from './text-tokens.js'
import { nothing } from './usage.js'

/** API reference, "Completions (legacy)": each prompt gets `n` answers; `best_of` are made, and billed, and the best of them shown. */
export function serveCompletions(call: VendorCall): Served {
  const { body, model, name, id } = call
  const prompts = isTokens(body.prompt) ? [body.prompt] : itemsOf(body.prompt)
  const tokens = prompts.map(
    (prompt) =>
      (isTokens(prompt)
        ? prompt.length
        : countText(typeof prompt === 'string' ? prompt : '', model.encoding)) +
      countText(typeof body.suffix === 'string' ? body.suffix : '', model.encoding),
  )
  for (const each of tokens) checkInput(call, each)
  const shown = numberAt(body, 'n') ?? 1
  const made = Math.max(shown, numberAt(body, 'best_of') ?? 1)
  const output = produce(call, maximumOf(call, declared(body, 'max_tokens')), false)
  const input = tokens.reduce((sum, each) => sum + each, 0)
  const used = { ...nothing, input, output: output.shown * made * prompts.length }
  const usage = {
    prompt_tokens: used.input,
    completion_tokens: used.output,
    total_tokens: used.input + used.output,
  }
  const base = { id: `cmpl-${id}`, object: 'text_completion', created: 1_760_000_000, model: name }
  const finish = output.cut ? 'length' : 'stop'
  const choice = (index: number, text: string, finish_reason: string | null): JsonObject => ({
    index,
    text,
    logprobs: null,
    finish_reason,
  })
  const text = makeText(output.shown, model.encoding)
  const indexes = Array.from({ length: shown * prompts.length }, (_, index) => index)
  const chunk = (rest: JsonObject): StreamEvent => ({ data: { ...base, ...rest } })
  const events: StreamEvent[] = [
    ...indexes.flatMap((index) =>
      inPieces(text).map((piece) => chunk({ choices: [choice(index, piece, null)] })),
    ),
    ...indexes.map((index) => chunk({ choices: [choice(index, '', finish)] })),
    ...(at(body, 'stream_options', 'include_usage') === true ? [chunk({ choices: [], usage })] : []),
    { data: '[DONE]' },
  ]
  const answer = { ...base, choices: indexes.map((index) => choice(index, text, finish)), usage }
  return { used, at: {}, besidesPico: 0n, answer, events }
}

const isTokens = (value: Json | undefined): value is readonly number[] =>
  isList(value) && value.length > 0 && value.every((token) => typeof token === 'number')
