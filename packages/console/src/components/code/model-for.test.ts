import { expect, test } from 'vitest'
import { modelFor } from './model-for'

const models = [
  { id: 'text-embedding-3-small', endpoints: ['/v1/embeddings'] },
  { id: 'gpt-4o', endpoints: ['/v1/chat/completions', '/v1/responses'] },
  { id: 'claude-sonnet-4-5', endpoints: ['/v1/messages', '/v1/chat/completions'] },
]

test('an example has the first model that serves the endpoint, whatever else the key may call', () => {
  expect(modelFor('/v1/chat/completions', models)).toBe('gpt-4o')
  expect(modelFor('/v1/messages', models)).toBe('claude-sonnet-4-5')
  expect(modelFor('/v1/messages', [])).toBeNull()
})

test('the chosen model is used where it fits, and only there', () => {
  expect(modelFor('/v1/chat/completions', models, 'claude-sonnet-4-5')).toBe('claude-sonnet-4-5')
  expect(modelFor('/v1/responses', models, 'claude-sonnet-4-5')).toBe('gpt-4o')
  expect(modelFor('/v1/messages', models.slice(0, 2), 'gpt-4o')).toBeNull()
})
