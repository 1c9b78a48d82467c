import type { Readable } from 'node:stream'
import { type BodyAccount, CollectedBytes } from '../../../http/index.js'
import { ApiError, invalidRequest } from '../../../shared/errors.js'

/** The largest body that the gateway accepts. */
export const maxBodyBytes = 32 * 1024 * 1024

/** Throws when the announced body would not fit, before any of it is read. */
export function checkAnnouncedLength(contentLength: string | undefined, account: BodyAccount): void {
  const announced = Number(contentLength ?? 0)
  if (announced > maxBodyBytes) throw tooLarge
  account.require(announced)
}

/**
 * Reads a body. Bytes are charged to the account as they arrive, so a caller that announces a large body and sends nothing is charged
 * nothing.
 */
export function readBody(payload: Readable, account: BodyAccount, contentLength?: string): Promise<Buffer> {
  const bytes = new CollectedBytes(Number(contentLength ?? 0))
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      payload.off('data', onData)
      // The rest is read and discarded, because a caller that is still sending would not see the answer otherwise.
      payload.resume()
      bytes.clear()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      if (bytes.size + chunk.length > maxBodyBytes) return refuse(tooLarge)
      try {
        account.take(chunk.length)
        bytes.add(chunk)
      } catch (error) {
        refuse(error instanceof Error ? error : new Error(String(error)))
      }
    }
    payload.on('data', onData)
    // Node refuses a body whose length differs from the announced one.
    payload.once('end', () => resolve(bytes.take()))
    payload.once('error', () => reject(brokenOff))
    payload.once('close', () => reject(brokenOff))
  })
}

export const tooLarge = new ApiError(
  'payload_too_large',
  `The body is larger than ${maxBodyBytes / 1024 / 1024} MiB, the limit of the gateway`,
)
const brokenOff = invalidRequest('The connection was closed before the whole body had arrived')
