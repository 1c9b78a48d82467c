import createClient from 'openapi-fetch'
import { expect, test } from 'vitest'
import { directionMarksMiddleware } from '../../packages/console/src/api/direction-marks.js'

const reversed = 'pay \u202eeve\u202c \u2066x\u2069 \u200f \u061c'

const answered = async (path: string) => {
  const body = JSON.stringify({ text: reversed, path: 'C:\\u202e' })
  const client = createClient<Record<string, { get: { responses: { 200: object } } }>>({
    baseUrl: 'http://127.0.0.1',
    fetch: async () => new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
  })
  client.use(directionMarksMiddleware)
  return (await client.request('get', path as never)).data
}

test.each(['/v1/calls', '/v1/calls/{requestId}', '/v1/audit', '/v1/budgets/requests', '/v1/sessions'])(
  'marks that change the direction of writing are shown as their codes in %s',
  async (path) => {
    expect(await answered(path)).toEqual({
      text: 'pay \\u202eeve\\u202c \\u2066x\\u2069 \\u200f \\u061c',
      path: 'C:\\u202e',
    })
  },
)

test.each(['/v1/prompts', '/v1/compliance/receipts'])(
  'what is edited or verified keeps them: %s',
  async (path) => {
    expect(await answered(path)).toMatchObject({ text: reversed })
  },
)
