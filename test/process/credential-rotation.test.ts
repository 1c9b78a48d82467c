import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test as anyTest, expect } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, startRedis } from '../harness/processes/redis.js'
import { replaceFile } from '../harness/processes/replace-file.js'
import { sendJson, startUpstream } from '../harness/providers/upstream.js'
import { chatAnswer } from '../harness/providers/vendor-answers.js'
import { waitFor } from '../harness/run/wait.js'
import { type Api, createApi } from '../harness/service/api.js'
import { createTestDatabase } from '../harness/service/database.js'

const test = anyTest.skipIf(!hasRedis)
const managerKey = `tallystick_sk_${'m'.repeat(40)}`

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-rotation-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess({ TALLYSTICK_BOOTSTRAP_KEY: managerKey, ...env })
  closing.push(() => service.end('SIGKILL'))
  return service
}

const newKey = () => randomBytes(32).toString('base64')

test('a credential, and the key that seals it, are replaced under load on two replicas: no call is lost', async () => {
  const database = await createTestDatabase()
  closing.push(database.drop)
  const redis = await startRedis()
  closing.push(() => redis.close())
  /** What the vendor takes at this moment. */
  const taken = new Set(['Bearer sk-rotated-0'])
  const upstream = await startUpstream(({ headers }, response) =>
    taken.has(headers.authorization ?? '')
      ? sendJson(response, 200, chatAnswer({ content: 'Hi' }))
      : sendJson(response, 401, { error: { message: 'Incorrect API key' } }),
  )
  closing.push(upstream.close)
  const keyFile = join(await makeFolder(), 'keys')
  const masterKeys = [newKey()]
  await writeFile(keyFile, masterKeys.join('\n'))
  const shared = { DATABASE_URL: database.url, REDIS_URL: redis.url, TALLYSTICK_MASTER_KEY: keyFile }
  const envOf = async () => ({ ...shared, TALLYSTICK_DATA_DIR: await makeFolder() })
  const [firstEnv, secondEnv] = [await envOf(), await envOf()]
  const services = [await start(firstEnv), await start(secondEnv)]
  const [one, other] = services.map(({ address }) => createApi(address, managerKey))
  if (!one || !other) throw new Error('there are two')

  const { body: provider, status } = await one.post('/v1/providers', {
    ...{ name: 'rotated', type: 'openai', baseUrl: `${upstream.url}/v1`, pricesOf: 'openai' },
    credentials: [{ name: 'key-0', value: 'sk-rotated-0' }],
  })
  expect(status, JSON.stringify(provider)).toBe(201)
  const call = { model: 'rotated/gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20 }
  await waitFor('the provider', async () => (await other.post('/v1/chat/completions', call)).status === 200)

  let rotating = true
  let answered = 0
  const refused: unknown[] = []
  const nameOf = (api: Api) => (api === one ? 'one' : 'other')
  async function load(api: Api): Promise<void> {
    while (rotating) {
      const { status, body } = await api.post('/v1/chat/completions', { ...call, user: nameOf(api) })
      if (status === 200) answered++
      else refused.push({ status, body, of: nameOf(api), seen: upstream.seen.length })
    }
  }
  const loads = [one, one, one, other, other, other].map(load)
  const used = (value: string) =>
    waitFor(`${value} of both`, () =>
      ['one', 'other'].every((name) =>
        upstream.seen.some(({ headers, body }) => headers.authorization === value && body.user === name),
      ),
    )

  let old = provider.credentials[0].id
  for (let round = 1; round <= 3; round++) {
    taken.add(`Bearer sk-rotated-${round}`)
    const { body } = await one.post(`/v1/providers/${provider.id}/credentials`, {
      name: `key-${round}`,
      value: `sk-rotated-${round}`,
    })
    await used(`Bearer sk-rotated-${round}`)
    masterKeys.unshift(newKey())
    await replaceFile(keyFile, masterKeys.join('\n'))
    const { exitCode, stderr } = await runCommand(['master-key', 'rotate'], firstEnv)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    // The vendor refuses the old one before it is removed here, as happens to people.
    taken.delete(`Bearer sk-rotated-${round - 1}`)
    const before = upstream.seen.length
    await waitFor('some calls', async () => upstream.seen.length > before + 20)
    expect((await one.delete(`/v1/providers/${provider.id}/credentials/${old}`)).status).toBe(204)
    const added = body.credentials?.find(({ name }: { name: string }) => name === `key-${round}`) ?? body
    old = added.id
  }
  await waitFor('enough calls', () => answered > 60 || refused.length > 0)
  rotating = false
  await Promise.all(loads)

  expect(refused).toEqual([])
  // Every attempt that reached the vendor has its receipt, those with a refused credential included.
  const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
    "select count(*)::int as count from receipts where canonical::json ->> 'provider' = 'rotated'",
  )
  expect(count).toBe(upstream.seen.length)
})
