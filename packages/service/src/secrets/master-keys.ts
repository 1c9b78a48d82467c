import { createHmac, randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseMasterKeys } from '../config/index.js'
import { createFile, renameDurably } from '../shared/durable-files.js'
import { errorCode } from '../shared/error-code.js'
import { keyBytes } from './cipher.js'

export interface MasterKey {
  /** A fingerprint that tells keys apart and nothing about them. */
  id: string
  bytes: Buffer
}

export interface MasterKeySource {
  dataDir: string
  /** Keys as text, or the path of a file with them; null for the file in the data directory. */
  configured: string | null
}

const permissionsOfOthers = 0o077
// Most programs empty a file before they write it. So a file that changed a moment ago may be incomplete, and is read again.
const settledAfterMs = 2_000
const readAgainEveryMs = 20
const maxReads = settledAfterMs / readAgainEveryMs
export const masterKeyPath = (dataDir: string) => join(dataDir, 'master-key')

export const toMasterKey = (bytes: Buffer): MasterKey => ({
  id: createHmac('sha256', bytes).update('tallystick master key').digest('hex').slice(0, 16),
  bytes,
})

/** The newest first. Empty if there is none, or the file has something else in it; `warn` is told why. */
export async function loadMasterKeys(
  source: MasterKeySource,
  warn: (message: string) => void,
  waitToReadAgain: () => Promise<unknown> = () => pause(readAgainEveryMs),
): Promise<MasterKey[]> {
  const { configured, dataDir } = source
  const inline = configured === null ? null : parseMasterKeys(configured)
  if (inline !== null) return inline.map(toMasterKey)
  const path = configured ?? masterKeyPath(dataDir)
  for (let reads = 1; ; reads++) {
    const file = await readKeyFile(path, configured === null)
    if (file === null) return []
    const keys = parseMasterKeys(file.text)
    if (keys !== null) return keys.map(toMasterKey)
    if (reads === maxReads || Date.now() - file.changedAtMs >= settledAfterMs) break
    await waitToReadAgain()
  }
  warn(`The master key in ${path} is damaged: it has something else than keys of 32 bytes`)
  return []
}

/** The first one, in the data directory. If two processes make it at the same time, both get the key of one of them. */
export async function createMasterKeyFile(dataDir: string): Promise<MasterKey[]> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const key = toMasterKey(randomBytes(keyBytes))
  const path = masterKeyPath(dataDir)
  if (await createFile(path, toText([key]))) return [key]
  const existing = parseMasterKeys((await readKeyFile(path, true))?.text ?? '')
  if (existing === null)
    throw new Error(`The master key in ${path} is damaged, and is not replaced: move it away`)
  return existing.map(toMasterKey)
}

/** Puts a new key before those that the file has. They stay: another replica or a backup may need them. */
export async function addMasterKeyToFile(dataDir: string, known: readonly MasterKey[]): Promise<MasterKey[]> {
  const keys = [toMasterKey(randomBytes(keyBytes)), ...known]
  const path = masterKeyPath(dataDir)
  const draft = `${path}.next`
  // What an attempt left that failed before the rename: nothing is encrypted under it.
  await rm(draft, { force: true })
  await createFile(draft, toText(keys))
  await renameDurably(draft, path)
  return keys
}

const toText = (keys: readonly MasterKey[]) =>
  keys.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('')

/** Null when there is none. One that was made here must be closed to others; one that was mounted is often open to a group. */
async function readKeyFile(
  path: string,
  isOwn: boolean,
): Promise<{ text: string; changedAtMs: number } | null> {
  try {
    const file = await open(path)
    try {
      const text = await file.readFile('utf8')
      // After the text, so that the time of a change that the text may lack is seen.
      const { mode, mtimeMs } = await file.stat()
      if (isOwn && process.platform !== 'win32' && (mode & permissionsOfOthers) !== 0)
        throw new Error(
          `The master key in ${path} is open to other users (mode ${(mode & 0o777).toString(8)}); make it 600, or replace it`,
        )
      return { text, changedAtMs: mtimeMs }
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return null
    if (code === undefined) throw error
    throw new Error(`The master key in ${path} cannot be read (${code})`)
  }
}
