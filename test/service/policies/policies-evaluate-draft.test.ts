import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await shareTestGateway()
})
afterAll(() => gateway.stop())

const path = '/v1/policies/evaluate-draft'
const text = 'Ask jane@example.com about project nightfall, or jane@example.com again.'
const trial = { model: 'mock/echo', messages: [{ role: 'user', content: text }] }
const emails = { kind: 'pii', config: { entities: ['email'] } }

const tryDraft = async (draft: object, more: object = {}) =>
  await gateway.service.api.post(path, { ...trial, draft, ...more })

/** What the findings cover, cut out of the text by their positions. */
const cut = (findings: { start: number; end: number }[], from = text) =>
  findings.map(({ start, end }) => from.slice(start, end))

describe('a draft', () => {
  test('is judged as if it were saved, and is not saved', async () => {
    const before = await gateway.service.api.get('/v1/policies')
    const { status, body } = await tryDraft({ ...emails, name: 'No emails' })
    expect(status).toBe(200)
    expect(body.outcome).toBe('blocked')
    expect(body.error).toMatchObject({
      type: 'policy_violation',
      policy_id: 'draft',
      message: expect.stringContaining('"No emails"'),
    })
    expect(body.checks).toContainEqual({
      name: 'pii',
      applicable: true,
      result: 'fail',
      action: 'block',
      policy: 'draft',
    })
    expect((await gateway.service.api.get('/v1/policies')).body).toEqual(before.body)
  })

  test('says where it found something, also where it only blocks or flags', async () => {
    for (const action of ['block', 'flag']) {
      const { body } = await tryDraft({ ...emails, action })
      expect(cut(body.findings)).toEqual(['jane@example.com', 'jane@example.com'])
      for (const finding of body.findings)
        expect(finding).toMatchObject({
          policy: 'draft',
          entity: 'email',
          path: 'messages.0.content',
          replacement: null,
        })
    }
  })

  test('that redacts says what is put in the place of what it found', async () => {
    const { body } = await tryDraft({ ...emails, action: 'redact' })
    expect(body.outcome).toBe('redacted')
    let redacted = text
    for (const { start, end, replacement } of [...body.findings].reverse())
      redacted = redacted.slice(0, start) + replacement + redacted.slice(end)
    expect(redacted).toBe('Ask [EMAIL_1] about project nightfall, or [EMAIL_1] again.')
    expect(body.messages[0].content).toBe(redacted)
  })

  test('is tried on answers too, and names the message that it found something in', async () => {
    const messages = [
      { role: 'assistant', content: 'Nothing here.' },
      { role: 'assistant', content: text },
    ]
    const { body } = await tryDraft(
      { ...emails, phase: 'output', action: 'redact' },
      { messages, phase: 'output' },
    )
    expect(body.outcome).toBe('redacted')
    expect(cut(body.findings)).toEqual(['jane@example.com', 'jane@example.com'])
    expect(new Set(body.findings.map((finding: { path: string }) => finding.path))).toEqual(
      new Set(['messages.1.content']),
    )
  })

  test('stands beside the policies in force, in the place of its own, or alone', async () => {
    const { keyId, policies } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: ['nightfall'] } },
    ])
    const flagged = { ...emails, action: 'flag' }
    const asked = async (more: object, draft: object = flagged) => {
      const { body } = await tryDraft(draft, { keyId, ...more })
      const named = body.checks.filter(({ policy }: { policy?: string }) => policy !== undefined)
      return { outcome: body.outcome, by: named.map(({ policy }: { policy: string }) => policy) }
    }
    const reference = policies[0]?.reference
    expect(await asked({})).toEqual({ outcome: 'blocked', by: [reference, 'draft'] })
    expect(await asked({ alone: true })).toEqual({ outcome: 'ok', by: ['draft'] })
    const milder = {
      id: policies[0]?.id,
      kind: 'keywords',
      config: { words: ['nightfall'] },
      action: 'flag',
    }
    expect(await asked({}, milder)).toEqual({ outcome: 'ok', by: ['draft'] })
    expect(await tryDraft({ ...milder, id: 'pol_other' }, { keyId })).toMatchObject({ status: 404 })
  })

  test.each([
    ['a config of another kind', { kind: 'pii', config: { words: ['x'] } }, 'draft.config.words'],
    [
      'a faulty pattern',
      { kind: 'pattern', config: { patterns: [{ name: 'a', regex: '(' }] } },
      'draft.config.patterns.0.regex',
    ],
    ['a faulty expression', { kind: 'expression', config: { cel: 'request.' } }, 'draft.config.cel'],
    [
      'an action that the kind does not have',
      { kind: 'limits', config: { maxMessages: 1 }, action: 'redact' },
      'draft.action',
    ],
    [
      'a phase that the kind does not have',
      { kind: 'limits', config: { maxMessages: 1 }, phase: 'output' },
      'draft.phase',
    ],
    ['a service', { kind: 'http', config: { url: 'https://guard.example.com' } }, 'draft.kind'],
  ])('with %s is refused, with the path in the body', async (_, draft, faulty) => {
    const { status, body } = await tryDraft(draft)
    expect(status).toBe(400)
    expect(body.error.details.map(({ path }: { path: string }) => path)).toContain(faulty)
  })
})

test('a trial of what is in force says where it found something, too', async () => {
  const { keyId, policies } = await createKeyWithPolicies(gateway, [{ ...emails, action: 'redact' }])
  const { body } = await gateway.service.api.post('/v1/policies/evaluate', { ...trial, keyId })
  expect(cut(body.findings)).toEqual(['jane@example.com', 'jane@example.com'])
  expect(body.findings[0]).toMatchObject({ policy: policies[0]?.reference, replacement: '[EMAIL_1]' })
})
