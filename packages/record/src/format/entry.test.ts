import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serviceFaults } from '../../../service/src/shared/errors.js'
import { canonicalize } from '../json/index.js'
import { type Entry, type EntryCheck, entryOutcomes, type ReceiptDraft, writeEntry } from './entry.js'

const place = { tenant: 'acme', seq: 7, prev: 'ab'.repeat(32) }
const text = fc.string({ unit: 'grapheme', maxLength: 20 })

const check: fc.Arbitrary<EntryCheck> = fc.record(
  {
    name: text,
    applicable: fc.boolean(),
    result: fc.constantFrom('pass', 'fail', 'error', 'skip'),
    action: text,
    policy: text,
  },
  { requiredKeys: ['name', 'applicable', 'result'] },
)

const uses = fc.nat().map((n) => n + 1)

const fields = {
  id: text,
  ts: text,
  kind: fc.constantFrom('model', 'tool', 'control'),
  key: text,
  user: text,
  team: text,
  provider: text,
  model: text,
  target: text,
  upstream: text,
  server: text,
  tool: text,
  method: text,
  toolError: fc.constant(true),
  rpcCode: fc.integer(),
  inputTokens: fc.nat(),
  outputTokens: fc.nat(),
  cachedTokens: fc.nat(),
  costNanos: fc.nat(),
  latencyMs: fc.nat(),
  firstTokenMs: fc.nat(),
  stream: fc.boolean(),
  status: fc.nat(),
  outcome: fc.constantFrom(...entryOutcomes),
  fault: fc.constantFrom(...serviceFaults),
  request: text,
  response: text,
  promptId: text,
  promptVersion: fc.nat(),
  policies: text,
  checks: fc.array(check, { maxLength: 6 }),
  packs: fc.array(text, { maxLength: 3 }),
  event: text,
  subject: text,
  counts: fc.record(
    {
      input: uses,
      cached: uses,
      written: uses,
      writtenHour: uses,
      audioIn: uses,
      output: uses,
      reasoning: uses,
      audioOut: uses,
      images: uses,
      tools: fc.dictionary(text, uses, { minKeys: 1 }),
    },
    { requiredKeys: [] },
  ),
  usage: fc.constantFrom('provider', 'counted', 'reserved'),
  session: text,
  agent: text,
  call: text,
  attempt: fc.nat(),
  batch: text,
  line: fc.nat(),
  route: text,
  cache: fc.constant('hit'),
  tags: fc.dictionary(text, text, { minKeys: 1 }),
  tier: text,
  content: fc.constantFrom('redacted', 'full'),
  price: text,
  terms: fc.constant({ rates: { input: 150_000, output: 600_000 }, fees: { web_search: 10 } }),
  adjusts: fc.nat(),
  reason: text,
  by: text,
  restore: fc.record(
    {
      sealedSize: fc.nat(),
      sealedRoot: text,
      keptSize: fc.nat(),
      missingEntries: fc.nat(),
      asked: fc.array(text, { maxLength: 3 }),
      corrects: fc.nat(),
    },
    { requiredKeys: ['sealedSize', 'asked'] },
  ),
} satisfies { [Name in keyof Required<ReceiptDraft>]: fc.Arbitrary<Required<ReceiptDraft>[Name]> }

const draft: fc.Arbitrary<ReceiptDraft> = fc.record(fields, { requiredKeys: ['id', 'ts', 'kind'] })

test('every field of a receipt is written, under its name, as the canonicaliser writes it', () => {
  fc.assert(
    fc.property(draft, (given) => {
      expect(writeEntry(given, place)).toBe(canonicalize({ ...given, ...place, v: 2 } satisfies Entry))
    }),
  )
})

test('a member that is no field of an entry or of a check does not get into the record', () => {
  const careless = { name: 'pii', applicable: true, result: 'pass' as const, match: 'a secret' }
  const given = {
    id: 'req_1',
    ts: '2026-11-15T01:02:03.004Z',
    kind: 'model' as const,
    checks: [careless],
    prompt: 'another secret',
  }
  expect(writeEntry(given, place)).not.toContain('secret')
})
