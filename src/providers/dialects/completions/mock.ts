import { asObject } from '../../../json/index.js'
import { formatEvent } from '../../sse.js'
import { chatMock } from '../chat/mock.js'
import type { MockComposer } from '../dialect.js'

export const completionsMock: MockComposer = {
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

  failure: chatMock.failure,
}
