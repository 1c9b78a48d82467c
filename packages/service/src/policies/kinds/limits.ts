import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { blockOrFlag, defineKind, inputOnly } from './kind.js'

const Tokens = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }))

/** Limits on the request alone. The declared maximum bounds the length of the answer. */
export const limits = defineKind({
  summary: 'Requests that are larger than this',
  phases: inputOnly,
  actions: blockOrFlag,
  schema: Type.Object(
    {
      maxInputTokens: Tokens('Tokens of the whole request, as we count them'),
      maxOutputTokens: Tokens(
        'The most output that a request may ask for. One that declares no maximum asks for all that the model can do.',
      ),
      maxMessages: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Messages of the conversation' }),
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
