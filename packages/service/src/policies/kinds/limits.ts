import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { blockOrFlag, defineKind, inputOnly } from './kind.js'

const Tokens = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }))

/** Limits on the request alone. The declared maximum bounds the length of the answer. */
export const limits = defineKind({
  summary: 'Matches requests that are larger than these limits',
  phases: inputOnly,
  actions: blockOrFlag,
  schema: Type.Object(
    {
      maxInputTokens: Tokens('The maximum number of tokens in the whole request, as counted by this service'),
      maxOutputTokens: Tokens(
        'The maximum number of output tokens that a request may ask for. A request without a maximum asks for as many as the model can produce',
      ),
      maxMessages: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'The maximum number of messages in the conversation',
        }),
      ),
    },
    { ...strict, minProperties: 1, title: 'LimitsConfig' },
  ),
  compile: ({ maxInputTokens, maxOutputTokens, maxMessages }) => ({
    subject: 'size',
    findExcess(size) {
      if (maxMessages !== undefined && size.messages > maxMessages)
        return `it has ${size.messages} messages, and may have ${maxMessages}`
      if (maxOutputTokens !== undefined && size.maxOutputTokens > maxOutputTokens)
        return `it asks for up to ${size.maxOutputTokens} output tokens, and may ask for ${maxOutputTokens}`
      if (maxInputTokens !== undefined && size.inputTokens > maxInputTokens)
        return `it has ${size.inputTokens} input tokens, and may have ${maxInputTokens}`
      return null
    },
  }),
})
