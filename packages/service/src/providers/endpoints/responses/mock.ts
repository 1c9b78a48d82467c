import { formatEvent } from '../../transport/sse.js'
import type { MockParts } from '../mock-composer.js'

export const responsesMock: MockParts = {
  answer(reply) {
    const text = reply.words.join('')
    const part = { type: 'output_text', text, annotations: [] }
    const item = {
      id: `msg_${reply.id}`,
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [part],
    }
    const whole = {
      id: `resp_${reply.id}`,
      object: 'response',
      created_at: reply.created,
      model: reply.model,
      output: [item],
      status: reply.truncated ? 'incomplete' : 'completed',
      incomplete_details: reply.truncated ? { reason: 'max_output_tokens' } : null,
      usage: {
        input_tokens: reply.inputTokens,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: reply.outputTokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: reply.inputTokens + reply.outputTokens,
      },
    }
    const position = { item_id: item.id, output_index: 0, content_index: 0 }
    const events = [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      },
      { type: 'response.content_part.added', ...position, part: { ...part, text: '' } },
      ...reply.words.map((delta) => ({ type: 'response.output_text.delta', ...position, delta })),
      { type: 'response.output_text.done', ...position, text },
      { type: 'response.content_part.done', ...position, part },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: reply.truncated ? 'response.incomplete' : 'response.completed', response: whole },
    ]
    return {
      whole,
      events: events.map((event, i) =>
        formatEvent(JSON.stringify({ ...event, sequence_number: i }), event.type),
      ),
    }
  },
}
