import { asArray, asObject } from '@tallystick/record/json'
import type { MockParts } from '../mock-composer.js'

/** The user's input, followed by the conversation as one opaque item. */
export const responsesCompactMock: MockParts = {
  answer(reply, { input }) {
    const messages =
      typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : asArray(input)
    const encrypted_content = Buffer.from(reply.words.join('')).toString('base64')
    return {
      whole: {
        id: `resp_${reply.id}`,
        object: 'response.compaction',
        created_at: reply.created,
        output: [
          ...messages.filter((item) => asObject(item).role === 'user'),
          { id: `cmp_${reply.id}`, type: 'compaction', encrypted_content },
        ],
        usage: {
          input_tokens: reply.inputTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: reply.outputTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: reply.inputTokens + reply.outputTokens,
        },
      },
      events: [],
    }
  },
}
