import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A time-stamp authority of our own: `openssl ts` behind a small server. */
export interface TimeStampAuthority {
  url: string
  /** How many requests came in. */
  asked(): number
  /** Answers nothing until the function that it returns is called. */
  pause(): () => void
  /** What it answers instead of a time-stamp, until it is given null. */
  misbehave(answer: { status?: number; type?: string; body: Buffer } | null): void
  /** Whether OpenSSL finds that the token was made by this authority for this text. */
  verify(text: string, token: Buffer): Promise<boolean>
  close(): Promise<void>
}

/** Not every machine has the command, and the program does not need it. */
export const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['ts', '-help'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const config = `
[req]
distinguished_name = name
prompt = no
[name]
CN = Test authority
[stamping]
basicConstraints = critical, CA:FALSE
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = tsa_settings
[tsa_settings]
serial = SERIAL
signer_cert = CERT
signer_key = KEY
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
`

const run = promisify(execFile)

export async function startTimeStampAuthority(): Promise<TimeStampAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-tsa-'))
  const path = (name: string) => join(folder, name)
  writeFileSync(
    path('config'),
    config
      .replace('SERIAL', path('serial'))
      .replace('CERT', path('cert.pem'))
      .replace('KEY', path('key.pem')),
  )
  writeFileSync(path('serial'), '01')
  await run(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-config', path('config')].concat([
      '-extensions',
      'stamping',
      '-keyout',
      path('key.pem'),
      '-out',
      path('cert.pem'),
    ]),
  )

  let asked = 0
  let resumed = Promise.resolve()
  let wrong: Parameters<TimeStampAuthority['misbehave']>[0] = null
  async function stamp(request: Buffer): Promise<Buffer> {
    const name = String(asked)
    writeFileSync(path(`${name}.tsq`), request)
    await run(
      'openssl',
      ['ts', '-reply', '-config', path('config'), '-queryfile', path(`${name}.tsq`)].concat([
        '-out',
        path(`${name}.tsr`),
      ]),
    )
    return readFileSync(path(`${name}.tsr`))
  }
  // It does not close a connection just when the next request is on its way.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      asked += 1
      await resumed
      const {
        status = 200,
        type = 'application/timestamp-reply',
        body,
      } = wrong ?? {
        body: await stamp(Buffer.concat(chunks)),
      }
      response.writeHead(status, { 'content-type': type }).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    asked: () => asked,
    pause() {
      let resume = () => {}
      resumed = new Promise((resolve) => {
        resume = resolve
      })
      return resume
    },
    misbehave(answer) {
      wrong = answer
    },
    async verify(text, token) {
      writeFileSync(path('text'), text)
      writeFileSync(path('token'), token)
      const trusted = ['-CAfile', path('cert.pem')]
      const args = ['ts', '-verify', '-data', path('text'), '-in', path('token'), '-token_in', ...trusted]
      return await run('openssl', args).then(
        ({ stdout }) => stdout.includes('Verification: OK'),
        () => false,
      )
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
