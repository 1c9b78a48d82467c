import { randomBytes, scrypt } from 'node:crypto'
import { decrypt, encrypt, keyBytes } from './cipher.js'

/** A value that is encrypted under a key that is derived from a passphrase. All that opening it needs, but for the passphrase. */
export interface PassphraseSealed {
  kdf: 'scrypt'
  /** The logarithm of scrypt's cost: 17 takes 128 MiB and a third of a second. */
  logCost: number
  salt: string
  sealed: string
}

const logCost = 17
const blockSize = 8
// A file that was tampered with must not make this process take any amount of memory.
const maxLogCost = 20
const context = Buffer.from('tallystick passphrase')

export async function sealWithPassphrase(passphrase: string, plain: Uint8Array): Promise<PassphraseSealed> {
  const salt = randomBytes(16)
  const key = await derive(passphrase, salt, logCost)
  const sealed = encrypt(key, context, plain).toString('base64')
  return { kdf: 'scrypt', logCost, salt: salt.toString('base64'), sealed }
}

/** Null when the passphrase is another one, or the value was changed. */
export async function openWithPassphrase(
  passphrase: string,
  { kdf, logCost: cost, salt, sealed }: PassphraseSealed,
): Promise<Buffer | null> {
  if (kdf !== 'scrypt' || !(cost <= maxLogCost)) return null
  const key = await derive(passphrase, Buffer.from(salt, 'base64'), cost)
  return decrypt(key, context, Buffer.from(sealed, 'base64'))
}

function derive(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: 2 ** cost, r: blockSize, p: 1, maxmem: 2 * 128 * blockSize * 2 ** cost }
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, keyBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}
