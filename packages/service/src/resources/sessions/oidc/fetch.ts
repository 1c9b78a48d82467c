import type * as oidc from 'openid-client'
import { type Dispatcher, fetch } from 'undici'

// The documents of real issuers have a few kilobytes.
const maxAnswerBytes = 1024 * 1024

/** Calls an endpoint of the issuer and reads a bounded answer. The library follows no redirects. */
export const createFetchFromIssuer =
  (dispatcher?: Dispatcher): oidc.CustomFetch =>
  async (url, { body, ...options }) => {
    requireSafe(new URL(url))
    const answer = await fetch(url, {
      ...options,
      ...(body != null && { body }),
      ...(dispatcher && { dispatcher }),
    })
    const { status, headers } = answer
    const read = await readBounded(answer.body)
    return new Response(read.length === 0 ? null : read, { status, headers: [...headers] })
  }

/** Plain HTTP is allowed only to this machine, where the configuration allows an issuer too. */
export function requireSafe({ protocol, hostname }: URL): void {
  const isLocal = protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !isLocal) throw new TypeError('an endpoint of the issuer is not https')
}

async function readBounded(body: AsyncIterable<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxAnswerBytes)
      throw new TypeError(`an answer of the issuer has more than ${maxAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
