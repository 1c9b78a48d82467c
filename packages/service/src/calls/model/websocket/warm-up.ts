import { randomBytes } from 'node:crypto'
import { asText } from '@tallystick/record/json'

const nothingUsed = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}

/**
 * Answers a call that only prepares the next one. Its input is stored, and the next call continues from its id. No model is called; the
 * input is judged and paid for with the next call.
 */
export function answerWarmUp(model: unknown): { id: string; messages: string[] } {
  const id = `resp_${randomBytes(24).toString('hex')}`
  const created = { id, object: 'response', created_at: Math.floor(Date.now() / 1_000), model: asText(model) }
  const response = { ...created, output: [], error: null, incomplete_details: null }
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', usage: null } },
    { type: 'response.completed', response: { ...response, status: 'completed', usage: nothingUsed } },
  ]
  const messages = events.map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }))
  return { id, messages }
}
