import type { Readable } from 'node:stream'
import { ApiError, invalidRequest } from '../errors.js'
import { type BodyAccount, CollectedBytes } from '../http/index.js'

/** The largest body that the gateway takes. */
export const maxBodyBytes = 32 * 1024 * 1024

/** Refuses a body that would not fit, before the first byte of it comes. */
export function announceBody(contentLength: string | undefined, account: BodyAccount): void {
  const announced = Number(contentLength ?? 0)
  if (announced > maxBodyBytes) throw tooLarge
  account.require(announced)
}

/** Reads a body. It is taken from the account as it comes: a caller that announces much and sends nothing takes nothing. */
export function readBody(payload: Readable, account: BodyAccount): Promise<Buffer> {
  const bytes = new CollectedBytes()
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      payload.off('data', onData)
      // The rest is read and forgotten: a caller that is still sending would not see the answer otherwise.
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
    // Node itself refuses a body that is longer or shorter than it was announced.
    payload.once('end', () => resolve(bytes.take()))
    payload.once('error', () => reject(brokenOff))
    payload.once('close', () => reject(brokenOff))
  })
}

export const tooLarge = new ApiError(
  'payload_too_large',
  `The body is larger than ${maxBodyBytes / 1024 / 1024} MiB, the most that the gateway takes`,
)
const brokenOff = invalidRequest('The body broke off before its end')
