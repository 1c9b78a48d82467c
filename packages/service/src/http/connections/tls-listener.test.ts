import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { hostsCertificate, hostsKey } from '../../../../../test/harness/tls/files.js'
import { openTlsListener, type TlsListener } from './tls-listener.js'

const other = (name: string) =>
  fileURLToPath(new URL(`../../../../../test/harness/tls/${name}.pem`, import.meta.url))
const ca = [readFileSync(hostsCertificate), readFileSync(other('certificate'))]

let folder: string
let listener: TlsListener
let server: Server
let port: number
let logged: string[]
const agents: Agent[] = []

const path = (name: string) => join(folder, name)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-tls-'))
  copyFileSync(hostsCertificate, path('certificate.pem'))
  copyFileSync(hostsKey, path('key.pem'))
  logged = []
  const log = {
    info: (message: string) => void logged.push(`info: ${message}`),
    error: (message: string) => void logged.push(`error: ${message}`),
  }
  listener = await openTlsListener({
    ...{ certificatePath: path('certificate.pem'), keyPath: path('key.pem'), log },
    ...{ minVersion: 'TLSv1.3', reloadEveryMs: 20 },
  })
  server = listener.createServer((_, response) => void response.end('served'), {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy()
  await listener.close()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the name in the certificate that the answer came with. */
async function ask(agent: Agent): Promise<string> {
  const sent = request({ host: '127.0.0.1', port, agent }).end()
  const [answer] = await once(sent, 'response')
  const socket: TLSSocket = answer.socket
  answer.resume()
  await once(answer, 'end')
  return String(socket.getPeerCertificate().subject.CN)
}
function newAgent(): Agent {
  const agent = new Agent({ ca, keepAlive: true, maxCachedSessions: 0 })
  agents.push(agent)
  return agent
}

test('a new certificate is for new connections; those that are open continue', async () => {
  const before = newAgent()
  expect(await ask(before)).toBe('Hosts in a test')
  const expired = listener.expiresAtSeconds()
  copyFileSync(other('certificate'), path('certificate.pem'))
  copyFileSync(other('key'), path('key.pem'))
  await waitFor('the new certificate', async () => (await ask(newAgent())) === 'A receiver in a test')
  expect(await ask(before)).toBe('Hosts in a test')
  expect(listener.expiresAtSeconds()).not.toBe(expired)
  expect(logged.at(-1)).toMatch(/^info: new connections get the TLS certificate that is valid until 2126/)
})

test.each([
  ['is broken', () => writeFileSync(path('certificate.pem'), 'nothing')],
  ['belongs to another key', () => copyFileSync(other('certificate'), path('certificate.pem'))],
  ['is gone', () => rmSync(path('certificate.pem'))],
])('a new certificate that %s is reported once, and the old one stays', async (_, replace) => {
  replace()
  await waitFor('the report', () => logged.length > 0)
  await listener.reload()
  await listener.reload()
  expect(logged).toEqual([expect.stringMatching(/^error: the new TLS certificate is not used/)])
  expect(await ask(newAgent())).toBe('Hosts in a test')
})

test('an older version of TLS is refused', async () => {
  const socket = connect({ host: '127.0.0.1', port, ca, maxVersion: 'TLSv1.2' })
  const [error] = await once(socket, 'error')
  expect(error.code).toMatch(/^ERR_SSL/)
})
