import { createHash } from 'node:crypto'
import referenceCanonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/run/property-runs.js'
import { chainEntries, genesisHead, genesisPrev } from './chain.js'
import type { ReceiptDraft } from './entry.js'
import { CompactRange } from './merkle/tree.js'

const full = {
  id: 'req_1',
  ts: '2026-11-15T01:02:03.004Z',
  kind: 'model',
  key: 'key_1',
  user: 'ada',
  team: 'team_1',
  provider: 'openai',
  model: 'fast',
  upstream: 'gpt-4o-mini',
  inputTokens: 12,
  outputTokens: 34,
  cachedTokens: 0,
  costNanos: 56,
  latencyMs: 78,
  firstTokenMs: 9,
  stream: true,
  status: 200,
  outcome: 'ok',
  request: 'aa',
  response: 'bb',
  promptId: 'prompt_1',
  promptVersion: 3,
  policies: 'cc',
  checks: [{ result: 'fail', policy: 'p', name: 'pii', applicable: true, action: 'block' }],
  packs: ['soc2@1.0'],
  event: 'pack.activate',
  subject: 'soc2',
} satisfies ReceiptDraft

function makeDrafts(count: number): ReceiptDraft[] {
  return Array.from({ length: count }, (_, index) => ({ ...full, id: `req_${index}` }))
}

describe('chainEntries', () => {
  test('starts from a hash bound to the tenant', () => {
    expect(genesisPrev('acme')).toEqual(createHash('sha256').update('tallystick/genesis/1\nacme\n').digest())
    expect(genesisPrev('acme')).not.toEqual(genesisPrev('acme2'))
  })

  test('writes every field of a draft, with its place in the record, in canonical form', () => {
    const { entries } = chainEntries(genesisHead('acme'), [full])
    const prev = genesisPrev('acme').toString('hex')
    expect(entries.map(({ canonical }) => canonical)).toEqual([
      referenceCanonicalize({ ...full, v: 2, tenant: 'acme', seq: 1, prev }),
    ])
  })

  test('leaves absent fields out', () => {
    const { entries } = chainEntries(genesisHead('acme'), [{ id: 'req_1', ts: full.ts, kind: 'control' }])
    expect(Object.keys(JSON.parse(entries[0]?.canonical ?? ''))).toEqual([
      'id',
      'kind',
      'prev',
      'seq',
      'tenant',
      'ts',
      'v',
    ])
  })

  test('lets nothing into the record that is no field of an entry', () => {
    const careless = { ...full, prompt: 'a secret', checks: [{ ...full.checks[0], match: 'a secret' }] }
    const { entries } = chainEntries(genesisHead('acme'), [Object.assign({}, full, careless)])
    expect(entries[0]?.canonical).not.toContain('secret')
  })

  test('numbers without gaps and links each entry to the leaf hash of the one before', () => {
    const head = genesisHead('acme')
    const { entries, head: next } = chainEntries(head, makeDrafts(5))
    let prev = head.prev
    for (const [index, { seq, id, ts, canonical, leafHash }] of entries.entries()) {
      expect(JSON.parse(canonical)).toMatchObject({ seq: index + 1, id, ts, prev: prev.toString('hex') })
      expect(seq).toBe(index + 1)
      expect(leafHash).toEqual(createHash('sha256').update('\0').update(canonical).digest())
      prev = leafHash
    }
    expect(next.prev).toEqual(prev)
    expect(next.range.size).toBe(5)
  })

  test('gives the same record however the receipts are grouped', () => {
    const drafts = makeDrafts(300)
    const whole = chainEntries(genesisHead('acme'), drafts)
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 5 }), (cuts) => {
        const bounds = [0, ...cuts.sort((a, b) => a - b), drafts.length]
        let head = genesisHead('acme')
        const groups = bounds.slice(1).map((end, index) => {
          const group = chainEntries(head, drafts.slice(bounds[index], end))
          // As after a restart: the head comes back from what was stored.
          const range = CompactRange.fromBuffer(group.head.range.size, group.head.range.toBuffer())
          head = { ...group.head, range }
          return group
        })
        expect(groups.flatMap(({ entries }) => entries)).toEqual(whole.entries)
        expect(groups.flatMap(({ nodes }) => nodes)).toEqual(whole.nodes)
        expect(head.range.root()).toEqual(whole.head.range.root())
      }),
      { numRuns: propertyRuns / 10 },
    )
    expect(whole.nodes).toMatchObject([{ level: 8, index: 0 }])
  })

  test('leaves the head it was given as it was, so that a failed transaction can start again', () => {
    const { head } = chainEntries(genesisHead('acme'), makeDrafts(7))
    const before = { size: head.range.size, prev: head.prev.toString('hex'), range: head.range.toBuffer() }
    const first = chainEntries(head, makeDrafts(3))
    expect({ size: head.range.size, prev: head.prev.toString('hex'), range: head.range.toBuffer() }).toEqual(
      before,
    )
    expect(chainEntries(head, makeDrafts(3)).entries).toEqual(first.entries)
  })

  test('refuses a draft that has no canonical form', () => {
    expect(() => chainEntries(genesisHead('acme'), [{ ...full, costNanos: 0.5 }])).toThrow(/costNanos/)
    expect(() => chainEntries(genesisHead('acme'), [{ ...full, user: '\ud800' }])).toThrow(/user/)
  })
})
