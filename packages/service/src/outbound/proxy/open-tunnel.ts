import { request as requestPlain, STATUS_CODES } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIPv6, type Socket } from 'node:net'
import { errorCode } from '../../shared/error-code.js'
import { ProxyError } from '../../shared/proxy-error.js'
import { type ProxyServer, portOf } from './proxies.js'

/** Asks a proxy for a connection to a host. The name of the host is sent, because proxies filter by it. Rejects with a `ProxyError`. */
export function openTunnel(
  { url, name, authorization }: ProxyServer,
  target: { hostname: string; port: number },
  timeoutMs: number,
): Promise<Socket> {
  const host = isIPv6(target.hostname) ? `[${target.hostname}]` : target.hostname
  const authority = `${host}:${target.port}`
  const send = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const fail = (what: string, cause?: unknown) => {
      clearTimeout(deadline)
      reject(new ProxyError(`the proxy ${name} ${what}`, { cause }))
    }
    const connect = send({
      method: 'CONNECT',
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: portOf(url),
      path: authority,
      headers: { host: authority, ...(authorization !== null && { 'proxy-authorization': authorization }) },
      // Its own connection, which belongs to the caller afterwards.
      agent: false,
    })
    const deadline = setTimeout(() => {
      fail(`opened no connection within ${timeoutMs / 1_000} s`)
      connect.destroy()
    }, timeoutMs)
    connect.on('error', (error) => fail(describeError(error), error))
    // Answers to CONNECT come as this event, whatever their status is.
    connect.on('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        fail(describeStatus(statusCode))
        socket.on('error', () => undefined).destroy()
        return
      }
      clearTimeout(deadline)
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    connect.end()
  })
}

/** Half a sentence about the status that a proxy answered with, instead of doing its work. */
export function describeStatus(status: number): string {
  const answer = `answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  return status === 407 ? `${answer}: check the user and password in its URL` : answer
}

function describeError(error: Error): string {
  const code = errorCode(error) ?? (error instanceof AggregateError ? errorCode(error.errors[0]) : undefined)
  return `cannot be reached (${code ?? error.name})`
}
