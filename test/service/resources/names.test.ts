import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'

let service: TestService
let made = 0

beforeAll(async () => {
  service = await shareTestService()
})
afterAll(() => service.stop())

const hidden = [
  ...Array.from({ length: 5 }, (_, i) => 0x202a + i),
  ...Array.from({ length: 4 }, (_, i) => 0x2066 + i),
  ...[
    0x200e, 0x200f, 0x061c, 0x200b, 0x2060, 0xfeff, 0x00ad, 0x3164, 0x2800, 0xe0041, 0x2028, 0x0a, 0x1b, 0x7f,
    0x85,
  ],
].map((point): [string, string] => [`U+${point.toString(16).padStart(4, '0')}`, String.fromCodePoint(point)])

const places: [string, (text: string) => [path: string, body: object]][] = [
  ['a key', (name) => ['/v1/keys', { name }]],
  ['a team', (name) => ['/v1/team/teams', { name }]],
  ['a member', (name) => ['/v1/team/members', { userId: `u ${++made}`, name }]],
  ['a budget', (name) => ['/v1/budgets', { name, amountUsd: 5 }]],
  ['a prompt', (name) => ['/v1/prompts', { name }]],
  [
    'a policy',
    (name) => ['/v1/policies', { name, kind: 'pattern', config: { patterns: [{ name: 'x', regex: 'x' }] } }],
  ],
  [
    'a pattern',
    (name) => ['/v1/policies', { name: 'p', kind: 'pattern', config: { patterns: [{ name, regex: 'x' }] } }],
  ],
  ['a webhook', (name) => ['/v1/webhook-endpoints', { name, url: 'http://127.0.0.1:9/', events: ['test'] }]],
  ['a route', (name) => ['/v1/routes', { name, targets: [{ model: 'mock/echo' }] }]],
  ['an email', (text) => ['/v1/team/members', { userId: `u ${++made}`, email: `${text}@example.com` }]],
  ['a user id', (userId) => ['/v1/team/members', { userId }]],
]

describe.each(places)('%s', (_, place) => {
  test.each(hidden)('with %s is refused', async (_, character) => {
    const [path, body] = place(`a${character}b`)
    const answer = await service.api.post(path, body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body.error.details)).not.toMatch(/\\p\{|fields.*pattern/)
  })
})

test.each(['Zoë 👩‍💻 ❤️', 'نام‌ها', '株式会社', 'שלום'])(
  'a name as people write it is taken: %s',
  async (name) => {
    expect(await service.api.post('/v1/keys', { name })).toMatchObject({ status: 201, body: { name } })
  },
)
