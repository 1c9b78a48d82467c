import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile, renameDurably } from '../../shared/durable-files.js'
import { errorCode } from '../../shared/error-code.js'

// The file of the generated signing key in the data directory: readable by its owner only, never half-written, never
// replaced by accident.

const PERMISSIONS_OF_OTHERS = 0o077

export const keyFilePath = (dataDir: string) => join(dataDir, 'signing-key.pem')
const nextKeyFilePath = (dataDir: string) => join(dataDir, 'signing-key.next.pem')

/** Null when there is none. */
export async function readKeyFile(dataDir: string): Promise<string | null> {
  return await readPem(keyFilePath(dataDir))
}

export async function createKeyFile(dataDir: string): Promise<string> {
  return await createPem(dataDir, keyFilePath(dataDir))
}

/** Stores a key of elsewhere. Returns false when the data directory has one. */
export async function storeKeyFile(dataDir: string, pem: string): Promise<boolean> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return await createFile(keyFilePath(dataDir), pem)
}

/** Synced before it is published. Uses the file of an attempt that failed, since its key may be published already. */
export async function prepareNextKeyFile(dataDir: string): Promise<string> {
  const path = nextKeyFilePath(dataDir)
  return (await readPem(path)) ?? (await createPem(dataDir, path))
}

/** Replaces the current key with the next one. The private half of the current one is lost. */
export async function activateNextKeyFile(dataDir: string): Promise<void> {
  await renameDurably(nextKeyFilePath(dataDir), keyFilePath(dataDir))
}

async function readPem(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    // Correcting the mode silently would hide that other users may have copied the key. Windows reports every file as
    // open to all.
    if (process.platform !== 'win32' && (mode & PERMISSIONS_OF_OTHERS) !== 0) {
      throw new Error(
        `The signing key in ${path} is open to other users (mode ${(mode & 0o777).toString(8)}); make it 600, or replace it`,
      )
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return null
    if (code === undefined) throw error
    throw new Error(`The signing key in ${path} cannot be read (${code})`)
  }
}

/** If two processes create it at the same time, the second one reads the key of the first. */
async function createPem(dataDir: string, path: string): Promise<string> {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  await mkdir(dataDir, { recursive: true })
  return (await createFile(path, pem)) ? pem : await readFile(path, 'utf8')
}
