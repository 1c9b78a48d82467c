import { asObject } from '@tallystick/record/json'
import { formatEvent } from '../../transport/sse.js'
import type { MockParts } from '../mock-composer.js'

export const completionsMock: MockParts = {
  answer(reply, body) {
    const base = {
      id: `cmpl-${reply.id}`,
      object: 'text_completion',
      created: reply.created,
      model: reply.model,
    }
    const usage = {
      prompt_tokens: reply.inputTokens,
      completion_tokens: reply.outputTokens,
      total_tokens: reply.inputTokens + reply.outputTokens,
    }
    const choice = (text: string, finish_reason: string | null = null) => ({
      index: 0,
      text,
      logprobs: null,
      finish_reason,
    })
    const finish = reply.truncated ? 'length' : 'stop'
    const chunk = (rest: object) => formatEvent(JSON.stringify({ ...base, ...rest }))
    return {
      whole: { ...base, choices: [choice(reply.words.join(''), finish)], usage },
      events: [
        ...reply.words.map((word) => chunk({ choices: [choice(word)] })),
        chunk({ choices: [choice('', finish)] }),
        ...(asObject(body.stream_options).include_usage === true ? [chunk({ choices: [], usage })] : []),
        formatEvent('[DONE]'),
      ],
    }
  },
}
