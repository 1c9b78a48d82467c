import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeObject, openWorkspace } from '../../harness/declarative/command.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService
beforeAll(async () => {
  service = await shareTestService()
})
afterAll(() => service.stop())

const reference = '$' + '{env:'
const text = fc.oneof(
  fc.constantFrom(
    'a: b',
    '- x',
    `${reference}HOME} stays`,
    `$${reference}HOME}`,
    '"quoted"\nsecond line',
    "it's",
    '{{name}} # no comment',
  ),
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }).filter((value) => value.trim() !== ''),
)
const amount = fc.integer({ min: 0, max: 9_000_000 })
const secret = fc.stringMatching(/^sk-[a-zA-Z0-9]{20}$/)

/** Any subset of objects of every kind, with references between them. */
const configuration = fc.record({
  teams: fc.array(amount, { minLength: 1, maxLength: 2 }),
  keys: fc.array(
    fc.record({
      rpmLimit: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
      allowedModels: fc.option(fc.constantFrom(['mock/*'], [], ['a', 'b'])),
      metadata: fc.dictionary(fc.stringMatching(/^[a-z.]{1,8}$/), text, { maxKeys: 2 }),
      hasTeam: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  budgets: fc.array(fc.record({ amountUsd: amount, type: fc.constantFrom('tenant', 'team', 'session') }), {
    maxLength: 2,
  }),
  policies: fc.array(
    fc.record({
      words: fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 1, maxLength: 2 }),
      description: text,
      enabled: fc.boolean(),
    }),
    { maxLength: 1 },
  ),
  prompts: fc.array(fc.record({ content: text, description: text, isLabelled: fc.boolean() }), {
    maxLength: 1,
  }),
  routes: fc.array(
    fc.record({
      weight: fc.integer({ min: 1, max: 1000 }),
      ttl: fc.option(fc.integer({ min: 1, max: 100 })),
    }),
    { maxLength: 1 },
  ),
  providers: fc.array(
    fc.record({ value: secret, header: secret, connectMs: fc.integer({ min: 1, max: 1000 }) }),
    { maxLength: 1 },
  ),
  servers: fc.array(fc.record({ header: secret, open: fc.boolean() }), { maxLength: 1 }),
  sinks: fc.array(
    fc.record({ key: secret, header: secret, intervalSeconds: fc.integer({ min: 1, max: 86_400 }) }),
    { maxLength: 1 },
  ),
})
type Configuration = typeof configuration extends fc.Arbitrary<infer Value> ? Value : never

const describeAll = (given: Configuration) => [
  ...given.teams.map((budgetPoolUsd, i) => describeObject('Team', `team ${i}`, { budgetPoolUsd })),
  ...given.keys.map(({ hasTeam, ...spec }, i) =>
    describeObject('Key', `key ${i}`, { ...spec, ...(hasTeam && { teamId: 'team 0' }) }),
  ),
  ...given.budgets.map(({ amountUsd, type }, i) =>
    describeObject('Budget', `budget ${i}`, {
      amountUsd,
      scope: { type, ...(type === 'team' && { id: 'team 0' }), ...(type === 'session' && { id: '*' }) },
    }),
  ),
  ...given.policies.map(({ words, ...spec }, i) =>
    describeObject('Policy', `policy ${i}`, { ...spec, kind: 'keywords', config: { words } }),
  ),
  ...given.prompts.map(({ isLabelled, ...spec }, i) =>
    describeObject('Prompt', `prompt ${i}`, { ...spec, labels: isLabelled ? ['production'] : [] }),
  ),
  ...given.routes.map(({ weight, ttl }, i) =>
    describeObject('Route', `route-${i}`, {
      targets: [{ model: 'mock/echo', weight }, { model: 'mock/slow' }],
      cache: ttl === null ? null : { ttlSeconds: ttl, scope: 'team' },
    }),
  ),
  ...given.providers.map(({ value, header, connectMs }, i) =>
    describeObject('Provider', `provider-${i}`, {
      type: 'openai',
      baseUrl: 'http://127.0.0.1:9/v1',
      headers: { 'x-org': header },
      credentials: [{ name: 'main', value, weight: 3 }],
      timeouts: { connectMs },
    }),
  ),
  ...given.servers.map(({ header, open }, i) =>
    describeObject('McpServer', `server-${i}`, {
      url: 'http://127.0.0.1:9/mcp',
      headers: { 'x-key': header },
      open,
    }),
  ),
  ...given.sinks.flatMap(({ key, header, intervalSeconds }) => [
    describeObject('Sink', 'lake', {
      ...{ data: 'calls', intervalSeconds, enabled: false },
      destination: {
        ...{ type: 's3', url: 'http://127.0.0.1:9', region: 'eu-central-1', bucket: 'exports' },
        ...{ accessKeyId: 'AKIA', secretAccessKey: key },
      },
    }),
    describeObject('Sink', 'siem', {
      ...{ data: 'audit', enabled: false },
      destination: { type: 'http', url: 'http://127.0.0.1:9', headers: { 'x-key': header } },
    }),
  ]),
]

const secretsOf = ({ providers, servers, sinks }: Configuration) => ({
  ...(providers[0] && {
    PROVIDER_PROVIDER_0_CREDENTIALS_MAIN: providers[0].value,
    PROVIDER_PROVIDER_0_HEADERS_X_ORG: providers[0].header,
  }),
  ...(servers[0] && { MCPSERVER_SERVER_0_HEADERS_X_KEY: servers[0].header }),
  ...(sinks[0] && {
    SINK_LAKE_DESTINATION_SECRETACCESSKEY: sinks[0].key,
    SINK_SIEM_DESTINATION_HEADERS_X_KEY: sinks[0].header,
  }),
})

/** Texts that may start like a reference are escaped in the files. */
const escapeTexts = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(reference, () => `$${reference}`))

test('what is exported is what was applied: the same service has no changes, an empty one becomes the same, and no secret is in any text', async () => {
  await fc.assert(
    fc.asyncProperty(configuration, async (given) => {
      const [first, second] = [await addTenant(service, 'from'), await addTenant(service, 'to')]
      const from = openWorkspace({ address: service.address, managerKey: first.managerKey })
      const to = openWorkspace({ address: service.address, managerKey: second.managerKey })
      try {
        const env: Record<string, string> = secretsOf(given)
        from.write(
          'all.yaml',
          describeAll(given).map((each) => Object(escapeTexts(each))),
        )
        const applied = await from.apply()
        expect(applied, applied.out + applied.error).toMatchObject({ exitCode: 0 })
        const exported = await from.run(['export-config'])
        expect(exported.exitCode).toBe(0)
        from.write('all.yaml', exported.out)
        const again = await from.apply(['--plan'], env)
        expect(again, exported.out + again.out + again.error).toEqual({
          exitCode: 0,
          out: 'No changes.\n',
          error: '',
        })

        to.write('all.yaml', exported.out)
        const copied = await to.apply([], env)
        expect(copied, exported.out + copied.out + copied.error).toMatchObject({ exitCode: 0 })
        expect((await to.apply([], env)).out).toBe('No changes.\n')
        expect((await to.run(['export-config'])).out).toBe(exported.out)
        const texts = JSON.stringify([applied, exported, again, copied])
        for (const value of Object.values(env)) expect(texts).not.toContain(value)
      } finally {
        from.close()
        to.close()
      }
    }),
    { numRuns: 5 },
  )
})

test('objects that were made by hand are exported, taken over, and have no changes from then on', async () => {
  const tenant = await addTenant(service, 'by-hand')
  const files = openWorkspace({ address: service.address, managerKey: tenant.managerKey })
  try {
    const { body: team } = await tenant.api.post('/v1/team/teams', { name: 'by hand', budgetPoolUsd: 7 })
    await tenant.api.post('/v1/keys', {
      name: 'of the team',
      teamId: team.id,
      expiresAt: '2099-01-01T00:00:00Z',
    })
    await tenant.api.post('/v1/budgets', {
      name: 'small',
      amountUsd: 1,
      scope: { type: 'team', id: team.id },
    })
    await tenant.api.post('/v1/policies', { name: 'p', kind: 'pii', config: { entities: ['email'] } })
    await tenant.api.post('/v1/prompts', { name: 'q', content: 'Hi' })
    await tenant.api.post('/v1/webhook-endpoints', {
      ...{ name: 'w', url: 'http://127.0.0.1:9/', type: 'chat' },
      events: ['policy.violation'],
    })
    for (const _ of ['one', 'two']) await tenant.api.post('/v1/keys', { name: 'twice' })
    const exported = await files.run(['export-config', '--out', `${files.folder}/exported`])
    expect(exported).toMatchObject({ exitCode: 0, out: '' })
    expect(exported.error).toContain('2 objects of kind Key are called "twice" and were left out')
    const refused = await files.apply(['--plan'])
    expect(refused.exitCode).toBe(1)
    expect(refused.out).toContain('Plan: 6 refused.')
    const adopted = await files.apply(['--adopt'])
    expect(adopted, adopted.out + adopted.error).toMatchObject({ exitCode: 0 })
    expect(adopted.out, 'nothing but the owner changes').not.toContain('→')
    expect(await files.apply(['--plan'])).toEqual({ exitCode: 0, out: 'No changes.\n', error: '' })
    expect((await tenant.api.get('/v1/audit-log?subjectType=team')).body.data).toHaveLength(1)
  } finally {
    files.close()
  }
})
