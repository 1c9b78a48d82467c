import type { JsonObject } from '@tallystick/record/json'

/** The mock provider's reply. */
export interface MockReply {
  id: string
  model: string
  words: string[]
  inputTokens: number
  outputTokens: number
  truncated: boolean
  created: number
}

/** Composes the mock provider's answers in an endpoint's format. */
export interface MockComposer {
  /** Returns a whole answer. `bytes` replaces it when the answer is not JSON. */
  answer(
    reply: MockReply,
    body: JsonObject,
  ): { whole: object; events: string[]; bytes?: { contentType: string; body: Buffer } }
  failure(message: string): object
}

/** An endpoint without its own error format uses OpenAI's. */
export type MockParts = Pick<MockComposer, 'answer'> & Partial<MockComposer>
