import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../harness/processes/command.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { hostsCertificate, hostsKey, readHostsTls } from '../harness/tls/files.js'

// A service with two workers that answers by HTTPS.

const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const other = (name: string) => fileURLToPath(new URL(`../harness/tls/${name}.pem`, import.meta.url))

let database: TestDatabase
let folder: string
let service: ServiceProcess
let env: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tallystick-https-'))
  env = {
    DATABASE_URL: database.url,
    TALLYSTICK_DATA_DIR: join(folder, 'data'),
    TALLYSTICK_BOOTSTRAP_KEY: managerKey,
    TALLYSTICK_WORKERS: '2',
    TALLYSTICK_LOG_LEVEL: 'info',
    TALLYSTICK_TLS_CERTIFICATE: join(folder, 'certificate.pem'),
    TALLYSTICK_TLS_KEY: join(folder, 'key.pem'),
  }
  await copyFile(hostsCertificate, join(folder, 'certificate.pem'))
  await copyFile(hostsKey, join(folder, 'key.pem'))
  service = await startServiceProcess(env, [], folder)
})
afterAll(async () => {
  await service?.end('SIGTERM')
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function send(path: string, body?: object, ca: string | Buffer = readHostsTls().cert) {
  const headers = { authorization: `Bearer ${managerKey}`, 'content-type': 'application/json' }
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request(service.address + path, { method, headers, ca, agent: false }).end(
    body && JSON.stringify(body),
  )
  const [answer] = await once(sent, 'response')
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}

test('calls, cookies and the printed address are those of HTTPS', async () => {
  expect(service.address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const call = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello' }], stream: true }
  const answer = await send('/v1/chat/completions', call)
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('[DONE]')
  const session = await send('/v1/session', { key: managerKey })
  expect(session.headers['set-cookie']?.[0]).toContain('; Secure')
})

test('the expiry of the certificate is a metric', async () => {
  const { text } = await send('/metrics')
  const seconds = Number(/^tallystick_tls_certificate_expires_at_seconds (\S+)$/m.exec(text)?.[1])
  expect(seconds).toBeGreaterThan(Date.now() / 1_000)
})

test('healthcheck asks by HTTPS', async () => {
  const { port } = new URL(service.address)
  const { exitCode, stdout } = await runCommand(['healthcheck'], { ...env, TALLYSTICK_PORT: port }, folder)
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining(`https://127.0.0.1:${port}/readyz answers 200`),
  })
})

test('plain HTTP on the port is refused, and the service goes on', async () => {
  const socket = connect(Number(new URL(service.address).port), '127.0.0.1')
  socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
  socket.on('error', () => undefined).resume()
  await once(socket, 'close')
  expect((await send('/readyz')).status).toBe(200)
})

test('every worker takes a new certificate without a restart', async () => {
  await copyFile(other('certificate'), join(folder, 'certificate.pem'))
  await copyFile(other('key'), join(folder, 'key.pem'))
  const ca = readFileSync(other('certificate'))
  const hasNew = () =>
    send('/readyz', undefined, ca).then(
      () => true,
      () => false,
    )
  await waitFor('the new certificate', async () => {
    // Connections are spread over the workers.
    for (let i = 0; i < 6; i++) if (!(await hasNew())) return false
    return true
  })
  expect(service.output()).not.toContain('error')
})

test('SIGHUP takes a new certificate too, and says so', async () => {
  const countChanges = () => service.output().split('changed the files of TALLYSTICK_TLS_*').length - 1
  const before = countChanges()
  for (const [round, name] of [other('certificate'), hostsCertificate].entries()) {
    await copyFile(name, join(folder, 'certificate.pem'))
    await copyFile(round === 0 ? other('key') : hostsKey, join(folder, 'key.pem'))
    process.kill(service.pid, 'SIGHUP')
    await waitFor('the line', () => countChanges() === before + round + 1)
    const hasNew = () =>
      send('/readyz', undefined, readFileSync(name)).then(
        () => true,
        () => false,
      )
    await waitFor('the certificate', hasNew)
  }
  await copyFile(other('key'), join(folder, 'key.pem'))
  process.kill(service.pid, 'SIGHUP')
  await waitFor('the fault', () =>
    service.output().includes('must be the paths of a certificate and its key'),
  )
  expect((await send('/readyz')).status).toBe(200)
})
