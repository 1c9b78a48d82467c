import { answerResponse } from './answer-responses.js'
import { cacheOpenAi, checkInput, maximumOf, produce, type Served, tierOf, type VendorCall } from './call.js'
import { conversationOf, countResponsesInput } from './count-responses.js'
import { useHostedTools } from './hosted-tools.js'
import { numberAt } from './json.js'
import { Refusal } from './media.js'
import { type Metered, nothing } from './usage.js'

export function serveResponse(call: VendorCall): Served {
  const { body, model, held } = call
  for (const name of ['max_tokens', 'max_completion_tokens'])
    if (name in body) throw new Refusal(`Unknown parameter: '${name}'.`, 'unknown_parameter')
  const counted = countResponsesInput(body, model, held)
  if (body.truncation === 'auto') counted.tokens = Math.min(counted.tokens, model.maxInput)
  checkInput(call, counted.tokens)
  const output = produce(call, maximumOf(call, numberAt(body, 'max_output_tokens')), model.reasons)
  const tools = useHostedTools(body, model)
  const sum = (of: 'feesPico' | 'contentTokens' | 'imageTokens') =>
    tools.reduce((total, use) => total + use[of], 0)
  const tier = tierOf(call)
  const used: Metered = {
    ...nothing,
    ...cacheOpenAi(call, [body.instructions ?? null, body.tools ?? null, body.input ?? null], counted.tokens),
    // The window ends what tools can put before the model.
    input: Math.min(model.maxInput, counted.tokens + sum('contentTokens')),
    output: output.shown + output.reasoning,
    reasoning: output.reasoning,
    imageTokens: sum('imageTokens'),
    feesPico: sum('feesPico'),
  }
  const conversation = conversationOf(body)
  const total = used.input + used.output
  if (conversation !== '') held.keepConversation(conversation, total)
  const answered = answerResponse({ call, used, output, tools, tier: tier.answered })
  if (body.store !== false) held.keepResponse(answered.id, total, answered.kept)
  return {
    used,
    at: tier.billed === undefined ? {} : { tier: tier.billed },
    besidesPico: 0n,
    answer: answered.answer,
    events: answered.events,
  }
}
