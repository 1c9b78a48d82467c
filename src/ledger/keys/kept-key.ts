import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile, renameDurably } from '../../durable-files.js'
import { errorCode } from '../../error-code.js'

// The signing key's file in the data directory: for its owner alone, never half-written, never replaced by accident.

const PERMISSIONS_OF_OTHERS = 0o077

export const keptKeyPath = (dataDir: string) => join(dataDir, 'signing-key.pem')
const nextKeyPath = (dataDir: string) => join(dataDir, 'signing-key.next.pem')

/** Null when there is none. */
export async function readKeptPem(dataDir: string): Promise<string | null> {
  return await readPem(keptKeyPath(dataDir))
}

export async function createKeptPem(dataDir: string): Promise<string> {
  return await createPem(dataDir, keptKeyPath(dataDir))
}

/** Made and synced before anyone hears of it. What an attempt that broke off has published is used again. */
export async function prepareNextPem(dataDir: string): Promise<string> {
  const path = nextKeyPath(dataDir)
  return (await readPem(path)) ?? (await createPem(dataDir, path))
}

/** The next key takes the place of the kept one, which is gone for good: nobody can seal with it any more. */
export async function adoptNextPem(dataDir: string): Promise<void> {
  await renameDurably(nextKeyPath(dataDir), keptKeyPath(dataDir))
}

async function readPem(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    // Whoever could read it may have signed with it, so narrowing the mode in silence would hide something.
    // Windows reports every file as open to all.
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
