import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Price } from '../../../packages/record/src/pricing/index.js'
import { checkFiles } from '../../../packages/record/src/verify/files/check-files.js'
import { splitLines } from '../../../packages/record/src/verify/files/lines.js'
import { trustKeys } from '../../../packages/record/src/verify/files/trusted-keys.js'
import { describeFindings } from '../../../packages/record/src/verify/files/verdict.js'
import { type BrowserVerifier, openBrowserVerifier } from '../../harness/browser/browser-verifier.js'
import { newToolReceipt, recordCalls } from '../../harness/mcp/tool-receipt.js'
import { newReceipt } from '../../harness/record/receipt.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

// Calls of tools in everything that is made of the record: an agent's session with a call of a model and of tools.

const price: Price = { rates: { input: 0, output: 0 }, fees: { tool_call: 2_000_000_000 } }
const session = 'run-7'
const passed = { name: 'tool_allowlist', applicable: true, result: 'pass' as const }

let service: TestService
let tenant: TestTenant
let browser: BrowserVerifier
const ids: Record<string, string> = {}

beforeAll(async () => {
  service = await shareTestService()
  tenant = await addTenant(service, 'acme')
  browser = await openBrowserVerifier()
  await tenant.api.post('/v1/team/members', { userId: 'grace', name: 'Grace' })
  await recordCalls(service, async (ledger, prices) => {
    const hash = await prices.ensure(tenant.id, price)
    const common = {
      session,
      user: 'grace',
      price: hash,
      request: 'ab'.repeat(32),
      response: 'cd'.repeat(32),
    }
    const tool = (name: string, fields: Parameters<typeof newToolReceipt>[1] = {}) => {
      const receipt = newToolReceipt(tenant.id, { ...common, checks: [passed], ...fields })
      ids[name] = receipt.draft.id
      return ledger.append(receipt)
    }
    const model = await prices.ensure(tenant.id, { rates: { input: 1_000_000, output: 0 } })
    await ledger.append(
      newReceipt(tenant.id, {
        session,
        counts: { input: 13 },
        costNanos: 13_000,
        price: model,
        usage: 'provider',
      }),
    )
    await tool('ok')
    await tool('failed', { toolError: true })
    await tool('refused', { outcome: 'upstream_error', status: 502, rpcCode: -32602 })
    await tool('resource', { tool: 'file:///notes.txt', method: 'resources/read', user: 'ada' })
    await tool('blocked', {
      ...{ server: 'search', tool: 'find', outcome: 'blocked', status: 403, costNanos: 0, counts: {} },
      checks: [passed, { name: 'pii', applicable: true, result: 'fail', action: 'block', policy: 'pol_1@1' }],
    })
  })
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

const get = async (path: string) => (await tenant.api.get(path)).body
const found = async (query: string): Promise<string[]> =>
  (await get(`/v1/calls?${query}`)).data.map(({ requestId }: { requestId: string }) => requestId)

describe('among the calls', () => {
  test('they are found by kind, server and tool, beside those of models in one session', async () => {
    const { ok, failed, refused, resource, blocked } = ids
    expect(await found(`session=${session}`)).toHaveLength(6)
    expect(await found(`session=${session}&kind=model`)).toHaveLength(1)
    expect(await found('kind=tool')).toEqual([blocked, resource, refused, failed, ok])
    expect(await found('server=files&tool=read')).toEqual([refused, failed, ok])
    expect(await found('tool=files__read&outcome=ok')).toEqual([failed, ok])
    expect(await found('model=files__read')).toHaveLength(3)
    expect(await found('provider=mcp%3Asearch')).toEqual([blocked])
    expect(await found(`tool=${encodeURIComponent('file:///notes.txt')}`)).toEqual([resource])
    expect((await tenant.api.get('/v1/calls?kind=control')).status).toBe(400)
    expect(await get(`/v1/calls/density?kind=tool&from=2020-01-01`)).toMatchObject({ total: 5 })
  })

  test('one says what was called, what a failure was, and how its price comes about', async () => {
    expect(await get(`/v1/calls/${ids.failed}`)).toMatchObject({
      ...{ kind: 'tool', provider: 'mcp:files', model: 'files__read', server: 'files', tool: 'read' },
      ...{ method: 'tools/call', toolError: true, rpcCode: null, outcome: 'ok', session, userName: 'Grace' },
      ...{ inputTokens: 0, outputTokens: 0, firstTokenMs: null, costUsd: 0.002 },
      attempts: [{ outcome: 'ok', toolError: true, rpcCode: null }],
      counts: { tools: { tool_call: 1 } },
      costLines: [{ kind: 'tools.tool_call', count: 1, usdPerMillion: 2000, usd: 0.002 }],
    })
    expect(await get(`/v1/calls/${ids.refused}`)).toMatchObject({ toolError: false, rpcCode: -32602 })
    expect(await get(`/v1/calls/${ids.resource}`)).toMatchObject({
      ...{ model: 'files:resources/read', tool: 'file:///notes.txt', method: 'resources/read' },
    })
    expect(await get(`/v1/calls/${ids.blocked}`)).toMatchObject({ costUsd: 0, costLines: [] })
  })
})

test('usage has them by server, tool and kind, and adds up to the receipts', async () => {
  const usage = async (query: string) => {
    const { totals, groups } = await get(`/v1/usage?range=24h&${query}`)
    const told = (each: { key: string; requests: number; spendUsd: number }) => [
      each.key,
      each.requests,
      each.spendUsd,
    ]
    return { requests: totals.requests, spendUsd: totals.spendUsd, groups: groups.map(told) }
  }
  expect(await usage('groupBy=kind')).toEqual({
    ...{ requests: 6, spendUsd: 0.008013 },
    groups: [
      ['tool', 5, 0.008],
      ['model', 1, 0.000013],
    ],
  })
  const byModel = [
    ['files__read', 3, 0.006],
    ['files:resources/read', 1, 0.002],
    ['search__find', 1, 0],
  ]
  expect(await usage('kind=tool')).toEqual({ requests: 5, spendUsd: 0.008, groups: byModel })
  expect(await usage('kind=tool&groupBy=server')).toMatchObject({
    groups: [
      ['files', 4, 0.008],
      ['search', 1, 0],
    ],
  })
  expect(await usage('server=files&groupBy=tool')).toMatchObject({
    groups: [
      ['read', 3, 0.006],
      ['file:///notes.txt', 1, 0.002],
    ],
  })
  expect(await usage('groupBy=session')).toMatchObject({ groups: [[session, 6, 0.008013]] })
  const { totals } = await get('/v1/usage?range=24h&kind=tool')
  expect(totals).toMatchObject({ totalTokens: 0, blocked: 1, errors: 1 })
})

test('a server of tools that fails is no provider that fails', async () => {
  const failing = { outcome: 'upstream_error' as const, status: 502, server: 'broken' }
  await recordCalls(service, async (ledger) => {
    for (let i = 0; i < 20; i++) await ledger.append(newToolReceipt(tenant.id, { ...failing, costNanos: 0 }))
  })
  expect(JSON.stringify(await get('/v1/attention'))).not.toContain('broken')
})

describe('to a stranger', () => {
  const texts = async () => {
    const names = ['export', 'attestation?days=1', 'receipts/4', 'receipts/4/proof']
    return await Promise.all(
      names.map(async (name) => {
        const { body } = await tenant.api.get(`/v1/compliance/${name}`)
        return { name, text: typeof body === 'string' ? body : JSON.stringify(body) }
      }),
    )
  }

  test('the export, the attestation and the proof hold, with every cost, at a prompt and in a browser', async () => {
    const jwks = (await service.api.get('/.well-known/tallystick/jwks.json')).body
    const files = await texts()
    const attestation = JSON.parse(files[1]?.text ?? '')
    expect(attestation.totals).toMatchObject({ chainVerified: true, modelReceipts: 1, toolReceipts: 25 })
    expect(attestation.checkCoverage).toContainEqual({
      ...{ name: 'tool_allowlist', receipts: 5, applicableReceipts: 5, pct: 100 },
    })
    async function* chunksOf(text: string) {
      yield Buffer.from(text)
    }
    const verdict = await browser.verifyFiles({
      files: files.map(({ name, text }) => ({ name, content: new Blob([text]) })),
      keys: jwks.keys,
      costs: true,
    })
    expect(verdict.findings.map(({ fault }) => fault)).toEqual(verdict.findings.map(() => null))
    expect(verdict.text).toContain('The cost of')
    // A proof lists no keys of its own.
    const inputs = files.slice(0, 2).map(({ name, text }) => ({
      ...{ name, ...splitLines(chunksOf(text)), shareRead: () => null },
    }))
    const findings = await checkFiles(inputs, {
      ...{ trusted: trustKeys([]), checkpoints: [], costs: true, hints: { key: '', checkpoint: '' } },
    })
    expect(findings.map(({ fault }) => fault)).toEqual(findings.map(() => null))
    expect(describeFindings(findings, false)).toContain('USD 0.008013000 in all')
  })

  test('a tool that was swapped is found', async () => {
    const [exported] = await texts()
    const swapped = (exported?.text ?? '').replace('\\"tool\\":\\"read\\"', '\\"tool\\":\\"wipe\\"')
    expect(swapped).not.toBe(exported?.text)
    const verdict = await browser.verifyFiles({
      files: [{ name: 'export', content: new Blob([swapped]) }],
      ...{ keys: [], costs: false },
    })
    expect(verdict.findings[0]?.fault).not.toBeNull()
  })
})

test('what a tool cost can be corrected, and usage and the call follow', async () => {
  const { receipt } = await get(`/v1/calls/${ids.ok}`)
  const path = `/v1/compliance/receipts/${receipt.seq}/adjust`
  const { status, body } = await tenant.api.post(path, { amountUsd: 0.001, reason: 'the invoice' })
  expect([status, body.costNanos, body.adjusts]).toEqual([200, -1_000_000, receipt.seq])
  expect(await get(`/v1/calls/${ids.ok}`)).toMatchObject({
    costUsd: 0.001,
    corrections: [{ differenceUsd: -0.001 }],
  })
  expect((await get('/v1/usage?range=24h&kind=tool')).totals.spendUsd).toBe(0.007)
})

test('an erasure takes the keys to a person’s calls of tools, and nobody else’s', async () => {
  const { status, body } = await tenant.api.post('/v1/compliance/erasures', { userId: 'grace' })
  expect([status, body.erasedReceipts]).toEqual([201, 4])
  const rows = await service.database.query<{ user: string; has_key: boolean }>(
    `select canonical::jsonb ->> 'user' as user, commitment_key is not null as has_key from receipts
     where tenant_id = $1 and canonical::jsonb ->> 'user' is not null and canonical::jsonb ->> 'kind' = 'tool' order by seq`,
    [tenant.id],
  )
  const own = { user: 'grace', has_key: false }
  expect(rows).toEqual([own, own, own, { user: 'ada', has_key: true }, own])
  expect((await get(`/v1/calls/${ids.ok}`)).userName).toBeNull()
  expect((await get('/v1/compliance/attestation')).totals).toMatchObject({ chainVerified: true })
})
