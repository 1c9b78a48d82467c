import { randomBytes } from 'node:crypto'
import { asText } from '../../json/index.js'

const nothingUsed = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}

/**
 * The answer to a call that only prepares the next: it leaves its input here, and the next one goes on from its id. No model is
 * asked; what it says is judged and paid for with that next call.
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
