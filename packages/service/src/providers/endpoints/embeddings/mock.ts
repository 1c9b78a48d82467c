import { asArray } from '@tallystick/record/json'
import type { MockParts } from '../mock-composer.js'

// OpenAI's own limit.
const maxInputs = 2_048

/** Returns vectors that depend on the text alone, so that equal texts have equal vectors. */
export const embeddingsMock: MockParts = {
  answer(reply, body) {
    const inputs =
      typeof body.input === 'string'
        ? [body.input]
        : asArray(body.input)
            .slice(0, maxInputs)
            .map((item) => JSON.stringify(item))
    const whole = {
      object: 'list',
      model: reply.model,
      data: inputs.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: encodeVector(text, body.encoding_format),
      })),
      usage: { prompt_tokens: reply.inputTokens, total_tokens: reply.inputTokens },
    }
    return { whole, events: [] }
  },
}

function encodeVector(text: string, format: unknown): number[] | string {
  const vector = Float32Array.from({ length: 8 }, (_, i) =>
    Math.sin(text.length * (i + 1) + (text.codePointAt(i) ?? 0)),
  )
  return format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector]
}
