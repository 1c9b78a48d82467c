import {
  cacheOpenAi,
  checkInput,
  declared,
  inPieces,
  maximumOf,
  type Output,
  produce,
  type Served,
  type StreamEvent,
  tierOf,
  type VendorCall,
} from './call.js'
import { countChatInput, countPrediction } from './count-chat.js'
import { chatSearchFee } from './fees.js'
import { at, itemsOf, type Json, type JsonObject, numberAt } from './json.js'
import { Refusal } from './media.js'
import { makeText } from './text-tokens.js'
import { type Metered, nothing } from './usage.js'

export function serveChat(call: VendorCall): Served {
  const { body, model } = call
  const input = countChatInput(body, model)
  checkInput(call, input.tokens)
  const choices = numberAt(body, 'n') ?? 1
  const output = produce(call, readMaximum(call, input.tokens), model.reasons)
  const rejected = countPrediction(body, model)
  const spoken = itemsOf(body.modalities).includes('audio') ? Math.floor(output.shown / 2) : 0
  const cache = cacheOpenAi(call, [body.messages ?? null, body.tools ?? null], input.tokens - input.audio)
  const tier = tierOf(call)
  const used: Metered = {
    ...nothing,
    ...cache,
    input: input.tokens,
    audioIn: input.audio,
    output: choices * (output.shown + output.reasoning) + rejected,
    reasoning: choices * output.reasoning,
    audioOut: choices * spoken,
    rejectedPrediction: rejected,
    feesPico: call.name.includes('-search-') ? chatSearchFee : 0,
  }
  const answered = { call, used, output, spoken, choices, tier: tier.answered }
  return {
    used,
    at: tier.billed === undefined ? {} : { tier: tier.billed },
    besidesPico: 0n,
    answer: makeAnswer(answered),
    events: makeEvents(answered),
  }
}

/** platform API reference of chat: `max_completion_tokens`, and the older `max_tokens`, which reasoning models refuse. Given both, the larger. */
function readMaximum(call: VendorCall, input: number): number {
  const { body, model, name } = call
  if ('max_output_tokens' in body)
    throw new Refusal("Unknown parameter: 'max_output_tokens'.", 'unknown_parameter')
  if (model.vendor === 'openai' && model.reasons && typeof body.max_tokens === 'number')
    throw new Refusal(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'unsupported_parameter',
    )
  const asked = declared(body, 'max_tokens', 'max_completion_tokens')
  const maximum = maximumOf(call, asked)
  // The window of gpt-4 holds input and output together.
  if (model.encoding !== 'cl100k') return maximum
  if (asked !== undefined && input + asked > model.maxInput)
    throw new Refusal(
      `This model's maximum context length is ${model.maxInput} tokens. However, you requested ${input + asked} tokens (${name}).`,
      'context_length_exceeded',
    )
  return Math.min(maximum, model.maxInput - input)
}

interface Answered {
  call: VendorCall
  used: Metered
  output: Output
  spoken: number
  choices: number
  tier: string
}

function usageOf({ call, used }: Answered): JsonObject {
  // xAI counts reasoning beside the completion, OpenAI within it.
  const beside = call.model.vendor === 'xai' ? used.reasoning : 0
  return {
    prompt_tokens: used.input,
    completion_tokens: used.output - beside,
    total_tokens: used.input + used.output,
    prompt_tokens_details: {
      cached_tokens: used.cached,
      audio_tokens: used.audioIn,
      ...(used.written > 0 && { cache_write_tokens: used.written }),
    },
    completion_tokens_details: {
      reasoning_tokens: used.reasoning,
      audio_tokens: used.audioOut,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: used.rejectedPrediction,
    },
  }
}

const base = ({ call, tier }: Answered) => ({
  id: `chatcmpl-${call.id}`,
  created: 1_760_000_000,
  model: call.name,
  service_tier: tier,
  system_fingerprint: 'fp_44709d6fcb',
})

const textOf = ({ call, output, spoken }: Answered) => makeText(output.shown - spoken, call.model.encoding)

const audioOf = ({ call, spoken }: Answered, index: number): JsonObject => ({
  id: `audio_${call.id}_${index}`,
  expires_at: 1_760_003_600,
  data: Buffer.alloc(spoken).toString('base64'),
  transcript: 'spoken',
})

function makeAnswer(answered: Answered): Json {
  return {
    ...base(answered),
    object: 'chat.completion',
    choices: Array.from({ length: answered.choices }, (_, index) => ({
      index,
      logprobs: null,
      finish_reason: answered.output.cut ? 'length' : 'stop',
      message: {
        role: 'assistant',
        content: textOf(answered),
        refusal: null,
        annotations: [],
        ...(answered.spoken > 0 && { audio: audioOf(answered, index) }),
      },
    })),
    usage: usageOf(answered),
  }
}

function makeEvents(answered: Answered): StreamEvent[] {
  const wantsUsage = at(answered.call.body, 'stream_options', 'include_usage') === true
  const chunk = (index: number, delta: JsonObject, finish: string | null = null): StreamEvent => ({
    data: {
      ...base(answered),
      object: 'chat.completion.chunk',
      choices: [{ index, delta, logprobs: null, finish_reason: finish }],
      ...(wantsUsage && { usage: null }),
    },
  })
  const indexes = Array.from({ length: answered.choices }, (_, index) => index)
  const events = indexes.flatMap((index) => [
    chunk(index, { role: 'assistant', content: '', refusal: null }),
    ...inPieces(textOf(answered)).map((content) => chunk(index, { content })),
    ...(answered.spoken > 0 ? [chunk(index, { audio: audioOf(answered, index) })] : []),
  ])
  events.push(...indexes.map((index) => chunk(index, {}, answered.output.cut ? 'length' : 'stop')))
  if (wantsUsage)
    events.push({
      data: { ...base(answered), object: 'chat.completion.chunk', choices: [], usage: usageOf(answered) },
    })
  return [...events, { data: '[DONE]' }]
}
