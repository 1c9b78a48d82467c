import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest'
import { type Container, containerFault, createContainer } from '../harness/deploy/container.js'
import { buildImage, type Image } from '../harness/deploy/image.js'
import { findFreePort } from '../harness/processes/redis.js'
import { startUpstream } from '../harness/providers/upstream.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase } from '../harness/service/database.js'
import { root } from '../harness/service/snippets.js'

let folder: string
let image: Image

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallystick-image-'))
  image = buildImage(join(folder, 'layout'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

anyTest('two builds of the same files give the same image', () => {
  expect(buildImage(join(folder, 'again')).digest).toBe(image.digest)
})

anyTest('the Dockerfile gives it the same user, environment and commands', () => {
  const lines = readFileSync(join(root, 'deploy/image/Dockerfile'), 'utf8').replaceAll('\\\n', '').split('\n')
  const last = (name: string) =>
    lines.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? ''
  const { config } = image
  expect(last('ENV').split(/\s+/)).toEqual(config.Env)
  expect(last('USER')).toBe(config.User)
  expect(last('WORKDIR')).toBe(config.WorkingDir)
  expect(JSON.parse(last('ENTRYPOINT'))).toEqual(config.Entrypoint)
  expect(JSON.parse(last('CMD'))).toEqual(config.Cmd)
  expect(JSON.parse(last('HEALTHCHECK').split('CMD ')[1] ?? '')).toEqual(config.Healthcheck.Test.slice(1))
  const version = /nodeVersion = '(.*)'/.exec(
    readFileSync(join(root, 'scripts/image/stage-runtime.mjs'), 'utf8'),
  )?.[1]
  expect(lines.find((line) => line.startsWith('FROM'))).toContain(`node:${version}-`)
})

describe('as a user without rights, on a read-only root', () => {
  const test = anyTest.skipIf(containerFault !== null)
  let container: Container
  beforeAll(() => {
    if (containerFault === null) container = createContainer(image, folder)
  })

  test('it serves a call, its health check succeeds while it is ready, and SIGTERM ends it', async () => {
    const database = await createTestDatabase()
    const provider = await startUpstream((_, response) => {
      const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
      const message = { role: 'assistant', content: 'Hello' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      const answer = { id: 'chatcmpl-1', object: 'chat.completion', model: 'gpt-4o-mini', choices, usage }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
    const key = `tallystick_sk_${'a'.repeat(40)}`
    const port = await findFreePort()
    const env = {
      TALLYSTICK_HOST: '127.0.0.1',
      TALLYSTICK_PORT: String(port),
      TALLYSTICK_DRAIN_MS: '0',
      TALLYSTICK_WORKERS: '1',
      TALLYSTICK_BOOTSTRAP_KEY: key,
      DATABASE_URL: database.url,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: `${provider.url}/v1`,
    }
    const check = async () => {
      const [command = '', ...args] = image.config.Healthcheck.Test.slice(1)
      expect([command]).toEqual(image.config.Entrypoint)
      const [code] = await once(container.start(args, env), 'exit')
      return code
    }
    expect(await check()).toBe(1)

    const service = container.start(image.config.Cmd, env)
    const output = Promise.all([text(service.stdout), text(service.stderr)])
    const ended = once(service, 'exit')
    const early = ended.then(async () => {
      throw new Error(`the service ended before it was ready:\n${(await output).join('')}`)
    })
    await Promise.race([early, waitFor('the health check', async () => (await check()) === 0)])
    early.catch(() => undefined)
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect({ status: answer.status, seen: provider.seen.length }).toEqual({ status: 200, seen: 1 })
    const page = await fetch(`http://127.0.0.1:${port}/`)
    expect(await page.text()).toContain('<div id="root">')

    container.terminate(service)
    const [code] = await ended
    expect({ code, output: (await output).join('') }).toEqual({
      code: 0,
      output: expect.stringContaining('SIGTERM'),
    })
    await provider.close()
    await database.drop()
  })

  test('without a database it says which setting is missing', async () => {
    const service = container.start(['serve'], {})
    const [stderr, [code]] = await Promise.all([text(service.stderr), once(service, 'exit')])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Set DATABASE_URL') })
    expect(stderr).not.toContain('    at ')
  })
})
