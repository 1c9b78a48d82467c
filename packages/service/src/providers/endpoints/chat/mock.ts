import { asObject } from '@tallystick/record/json'
import { formatEvent } from '../../transport/sse.js'
import type { MockParts } from '../mock-composer.js'

export const chatMock: MockParts = {
  answer(reply, body) {
    const base = { id: `chatcmpl-${reply.id}`, created: reply.created, model: reply.model }
    const usage = {
      prompt_tokens: reply.inputTokens,
      completion_tokens: reply.outputTokens,
      total_tokens: reply.inputTokens + reply.outputTokens,
    }
    const finish = reply.truncated ? 'length' : 'stop'
    const chunk = (delta: object, finish_reason: string | null = null) =>
      formatEvent(
        JSON.stringify({
          ...base,
          object: 'chat.completion.chunk',
          choices: [{ index: 0, delta, finish_reason }],
        }),
      )
    const usageChunk = formatEvent(
      JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage }),
    )
    return {
      whole: {
        ...base,
        object: 'chat.completion',
        usage,
        choices: [
          { index: 0, finish_reason: finish, message: { role: 'assistant', content: reply.words.join('') } },
        ],
      },
      events: [
        chunk({ role: 'assistant', content: '' }),
        ...reply.words.map((content) => chunk({ content })),
        chunk({}, finish),
        ...(asObject(body.stream_options).include_usage === true ? [usageChunk] : []),
        formatEvent('[DONE]'),
      ],
    }
  },
}
