import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { sendJson, startEvents, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

const managerKey = `tallystick_sk_${'a'.repeat(40)}`
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

let upstream: Upstream
let endStream: () => void
beforeAll(async () => {
  upstream = await startUpstream(({ body }, response) => {
    if (body.stream !== true)
      return sendJson(response, 200, {
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        usage,
      })
    const send = startEvents(response)
    send({ choices: [{ index: 0, delta: { content: 'first' }, finish_reason: null }] })
    endStream = () => {
      send({ choices: [{ index: 0, delta: { content: ' last' }, finish_reason: 'stop' }], usage })
      send('[DONE]')
      response.end()
    }
  })
})
afterAll(async () => await upstream.close())

describe.each([1, 2])('with %i processes', (workers) => {
  let database: TestDatabase
  let folder: string
  let service: ServiceProcess
  const at = (name: string) => join(folder, name)
  const provider = (name: string, rest = '') =>
    `  ${name}: { type: openai, baseUrl: "${upstream.url}/v1", pricesOf: openai, credentials: [{ name: a, file: key }]${rest} }\n`

  beforeAll(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'tallystick-reload-'))
    await writeFile(at('key'), 'sk-first-key')
    await writeFile(at('level'), 'info')
    await writeFile(at('backlog'), '50')
    await writeFile(at('tallystick.yaml'), `providers:\n${provider('one')}`)
    service = await startServiceProcess(
      {
        DATABASE_URL: database.url,
        TALLYSTICK_DATA_DIR: at('data'),
        TALLYSTICK_CONFIG: at('tallystick.yaml'),
        TALLYSTICK_BOOTSTRAP_KEY: managerKey,
        TALLYSTICK_LOG_LEVEL: '',
        TALLYSTICK_LOG_LEVEL_FILE: at('level'),
        TALLYSTICK_LISTEN_BACKLOG_FILE: at('backlog'),
      },
      ['--workers', String(workers)],
    )
  })
  afterAll(async () => {
    await service.end('SIGTERM')
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  // Each request has a connection of its own, so that all workers are asked.
  const api = () => createApi(service.address, managerKey, { connection: 'close' })
  const call = async (model: string) =>
    (await api().post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })).status
  const callTimes = async (model: string) => [
    ...new Set(await Promise.all([...Array(8)].map(() => call(model)))),
  ]
  const countLines = (text: string) => service.output().split(text).length - 1
  /** Sends SIGHUP and waits for the line about it. */
  async function reload(line: string): Promise<void> {
    const before = countLines(line)
    process.kill(service.pid, 'SIGHUP')
    await waitFor(`the line "${line}"`, () => countLines(line) > before)
  }

  test('SIGHUP applies the file and secrets, and a call in progress goes on', async () => {
    const open = await fetch(`${service.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${managerKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'one/gpt-4o-mini',
        stream: true,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    })
    expect(await callTimes('two/gpt-4o-mini')).toEqual([404])

    await writeFile(at('key'), 'sk-second-key')
    await writeFile(at('level'), 'warn')
    await writeFile(
      at('tallystick.yaml'),
      `callsRetentionDays: 30\nproviders:\n${provider('one')}${provider('two')}`,
    )
    // The level is warn from now on, so this line is the last at info.
    await reload('read again')
    await waitFor('the new provider', async () => String(await callTimes('two/gpt-4o-mini')) === '200')
    await waitFor('the new key', async () => {
      const seen = upstream.seen.length
      await callTimes('one/gpt-4o-mini')
      return upstream.seen
        .slice(seen)
        .every(({ headers }) => headers.authorization === 'Bearer sk-second-key')
    })
    endStream()
    expect(await open.text()).toContain(' last')
    expect((await api().get('/v1/about')).body.retention.callsDays).toBe(30)
    expect(service.output()).not.toContain('sk-second-key')
  })

  test('the audit log names the settings that the operator changed', async () => {
    const { body } = await waitFor('the entry', async () => {
      const page = await api().get('/v1/audit-log?action=configuration.reload')
      return page.body.data.length > 0 && page
    })
    expect(body.data).toMatchObject([
      {
        actor: { type: 'operator' },
        subject: { type: 'configuration' },
        after: {
          changed: ['TALLYSTICK_LOG_LEVEL', 'providers', 'callsRetentionDays'],
          needRestart: [],
        },
      },
    ])
  })

  test('faults in the file change nothing, and one line names all of them', async () => {
    await writeFile(at('level'), 'loud')
    await writeFile(
      at('tallystick.yaml'),
      `callsRetentionDays: 0\nproviders:\n${provider('three', ', colour: red')}`,
    )
    await reload('nothing was changed')
    const line =
      service
        .output()
        .split('\n')
        .find((each) => each.includes('nothing was changed')) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      faults: expect.arrayContaining([
        expect.stringContaining('TALLYSTICK_LOG_LEVEL: must be one of'),
        expect.stringContaining('callsRetentionDays: '),
        expect.stringContaining('providers.three.colour: unknown field'),
      ]),
    })
    expect(await callTimes('two/gpt-4o-mini')).toEqual([200])
    expect((await api().get('/v1/about')).body.retention.callsDays).toBe(30)
  })

  test('settings that need a restart are named, and the others are applied', async () => {
    await writeFile(at('level'), 'info')
    await writeFile(at('backlog'), '100')
    await writeFile(at('tallystick.yaml'), `callsRetentionDays: 31\nproviders:\n${provider('one')}`)
    await reload('restart to apply: TALLYSTICK_LISTEN_BACKLOG')
    await waitFor('the removal', async () => String(await callTimes('two/gpt-4o-mini')) === '404')
    expect(await callTimes('one/gpt-4o-mini')).toEqual([200])
  })
})
