import type { Readable } from 'node:stream'
import { ApiError, invalidRequest } from '../errors.js'
import { type BodyAccount, CollectedBytes } from '../http/index.js'

/** The largest body that the gateway takes. */
export const maxBodyBytes = 32 * 1024 * 1024

/** What the header says, if it says something; it is taken from the account before the first byte comes. */
export function announceBody(contentLength: string | undefined, account: BodyAccount): number {
  const announced = Number(contentLength ?? 0)
  if (announced > maxBodyBytes) throw tooLarge
  account.take(announced)
  return announced
}

/** Reads a body. What was not announced is taken from the account as it comes. */
export function readBody(payload: Readable, announced: number, account: BodyAccount): Promise<Buffer> {
  // Put together as it comes: to copy 32 MiB at the end would keep others waiting.
  const whole = Buffer.allocUnsafe(announced)
  const bytes = new CollectedBytes()
  let size = 0
  let taken = announced
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      payload.off('data', onData)
      // The rest is read and forgotten: a caller that is still sending would not see the answer otherwise.
      payload.resume()
      bytes.clear()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      if (announced === 0) bytes.add(chunk)
      else chunk.copy(whole, size)
      size += chunk.length
      if (size > maxBodyBytes) return refuse(tooLarge)
      if (size <= taken) return
      try {
        account.take(size - taken)
        taken = size
      } catch (error) {
        refuse(error instanceof Error ? error : new Error(String(error)))
      }
    }
    payload.on('data', onData)
    payload.once('end', () => {
      if (announced === 0) resolve(bytes.take())
      else if (size === announced) resolve(whole)
      else reject(wrongLength)
    })
    payload.once('error', () => reject(brokenOff))
    payload.once('close', () => reject(brokenOff))
  })
}

const tooLarge = new ApiError(
  'payload_too_large',
  `The body is larger than ${maxBodyBytes / 1024 / 1024} MiB, the most that the gateway takes`,
)
const wrongLength = invalidRequest('The body does not have the length that Content-Length says')
const brokenOff = invalidRequest('The body broke off before its end')
