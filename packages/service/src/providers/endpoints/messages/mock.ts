import { formatEvent } from '../../transport/sse.js'
import type { MockParts } from '../mock-composer.js'

export const messagesMock: MockParts = {
  answer(reply) {
    const base = { id: `msg_${reply.id}`, type: 'message', role: 'assistant', model: reply.model }
    const stop = { stop_reason: reply.truncated ? 'max_tokens' : 'end_turn', stop_sequence: null }
    const input = {
      input_tokens: reply.inputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    }
    const events = [
      {
        type: 'message_start',
        message: {
          ...base,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...input, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...reply.words.map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage: { output_tokens: reply.outputTokens } },
      { type: 'message_stop' },
    ]
    return {
      whole: {
        ...base,
        ...stop,
        content: [{ type: 'text', text: reply.words.join('') }],
        usage: { ...input, output_tokens: reply.outputTokens },
      },
      events: events.map((event) => formatEvent(JSON.stringify(event), event.type)),
    }
  },

  failure: (message) => ({ type: 'error', error: { type: 'api_error', message } }),
}
