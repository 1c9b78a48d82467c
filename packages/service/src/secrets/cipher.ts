import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

// XAES-256-GCM (c2sp.org/XAES-256-GCM): AES-256-GCM under a key that is derived for each value from the first half of a
// 24-byte random nonce. With the 12-byte nonce of GCM alone, replicas would have to count their values together and replace the key
// after 2^32 of them. Here 2^80 values under one key are safe, so none are counted.

const nonceBytes = 24
const tagBytes = 16
export const keyBytes = 32

/** Returns nonce, ciphertext and tag. They can be decrypted only with the same key and the same context. */
export function encrypt(
  key: Buffer,
  context: Buffer,
  plain: Uint8Array,
  nonce = randomBytes(nonceBytes),
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, nonce), nonce.subarray(12), {
    authTagLength: tagBytes,
  })
  cipher.setAAD(context)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Returns null when the key or the context differs, or the encrypted value was changed. */
export function decrypt(key: Buffer, context: Buffer, encrypted: Buffer): Buffer | null {
  if (encrypted.length < nonceBytes + tagBytes) return null
  const nonce = encrypted.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, nonce), nonce.subarray(12), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(context)
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  const plain = decipher.update(encrypted.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return null
  }
}

/** Derives a key as in NIST SP 800-108: the CMAC of two blocks, each with a counter and the nonce. */
function deriveKey(key: Buffer, nonce: Buffer): Buffer {
  const subkey = double(encryptBlocks(key, Buffer.alloc(16)))
  const blocks = [1, 2].map((counter) => {
    const block = Buffer.concat([Buffer.from([0, counter, 0x58, 0]), nonce.subarray(0, 12)])
    for (let i = 0; i < 16; i++) block[i] = (block[i] ?? 0) ^ (subkey[i] ?? 0)
    return block
  })
  return encryptBlocks(key, Buffer.concat(blocks))
}

/** Encrypts each block on its own (ECB), as CMAC requires. */
function encryptBlocks(key: Buffer, blocks: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(blocks), cipher.final()])
}

/** Multiplies by x in GF(2^128). */
function double(block: Buffer): Buffer {
  const doubled = Buffer.alloc(16)
  for (let i = 0; i < 16; i++) doubled[i] = (((block[i] ?? 0) << 1) | ((block[i + 1] ?? 0) >> 7)) & 0xff
  if ((block[0] ?? 0) & 0x80) doubled[15] = (doubled[15] ?? 0) ^ 0x87
  return doubled
}
