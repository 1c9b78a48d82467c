import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import { createSecureContext, type SecureVersion, Server as TlsServer } from 'node:tls'
import type { FastifyServerFactory } from 'fastify'
import { errorCode } from '../../shared/error-code.js'

export interface TlsListener {
  createServer: FastifyServerFactory
  /** Reads the files again. New connections get the new certificate; with a fault in the files, they get the old one. */
  reload(): Promise<void>
  /** Seconds since 1970. */
  expiresAtSeconds(): number
  close(): Promise<void>
}

export interface TlsListenerOptions {
  certificatePath: string
  keyPath: string
  minVersion: SecureVersion
  log: { info(message: string): void; error(message: string): void }
  reloadEveryMs?: number
}

/**
 * Terminates TLS. The files are read periodically instead of watched: tools replace them by renaming, and Kubernetes by a link to another
 * folder, which a watch of the file misses.
 */
export async function openTlsListener(options: TlsListenerOptions): Promise<TlsListener> {
  const { log, reloadEveryMs = 5_000 } = options
  // Bounded: one server for each address that the host name has.
  const servers: Server[] = []
  const readFiles = async () => {
    const [cert, key] = await Promise.all([readFile(options.certificatePath), readFile(options.keyPath)])
    return { cert, key, minVersion: options.minVersion }
  }
  let current = await readFiles()
  let refused = ''

  async function reload(): Promise<void> {
    let seen = ''
    try {
      const next = await readFiles()
      if (next.cert.equals(current.cert) && next.key.equals(current.key)) return
      seen = `${next.cert}${next.key}`
      // Throws also when the key belongs to another certificate, as while the two files are being replaced.
      createSecureContext(next)
      for (const server of servers) server.setSecureContext(next)
      current = next
      refused = ''
      log.info(
        `new connections get the TLS certificate that is valid until ${expiryOf(next.cert).toISOString()}`,
      )
    } catch (error) {
      const reason = errorCode(error) ?? String(error)
      // Reported once for each state of the files.
      if (refused === seen + reason) return
      refused = seen + reason
      log.error(
        `the new TLS certificate is not used, and the old one stays in use until ${expiryOf(current.cert).toISOString()}: check TALLYSTICK_TLS_CERTIFICATE and TALLYSTICK_TLS_KEY (${reason})`,
      )
    }
  }

  let reading = Promise.resolve()
  const timer = setInterval(() => {
    reading = reload()
  }, reloadEveryMs).unref()
  return {
    createServer(handler, { keepAliveTimeout, requestTimeout }) {
      const server = createServer({ ...current, requireHostHeader: false }, handler)
      if (typeof keepAliveTimeout === 'number') server.keepAliveTimeout = keepAliveTimeout
      if (typeof requestTimeout === 'number') server.requestTimeout = requestTimeout
      servers.push(server)
      return server
    },
    reload,
    expiresAtSeconds: () => expiryOf(current.cert).getTime() / 1_000,
    async close() {
      clearInterval(timer)
      await reading
    },
  }
}

const expiryOf = (certificate: Buffer): Date => new Date(new X509Certificate(certificate).validTo)

/** The event with the connections that requests arrive on, which for TLS begin after the handshake. */
export const connectionEventOf = (server: object): 'connection' | 'secureConnection' =>
  server instanceof TlsServer ? 'secureConnection' : 'connection'
