import { createHmac, randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseMasterKeys } from '../config/index.js'
import { createFile, renameDurably } from '../shared/durable-files.js'
import { errorCode } from '../shared/error-code.js'
import { keyBytes } from './cipher.js'

export interface MasterKey {
  /** A fingerprint that identifies the key without revealing anything about it. */
  id: string
  bytes: Buffer
}

export interface MasterKeySource {
  dataDir: string
  /** Keys as text, or the path of a file with keys. Null for the file in the data directory. */
  configured: string | null
}

const permissionsOfOthers = 0o077
// Most programs truncate a file before they write it, so a file that changed a moment ago may be incomplete and is read again.
const settledAfterMs = 2_000
const readAgainEveryMs = 20
const maxReads = settledAfterMs / readAgainEveryMs
export const masterKeyPath = (dataDir: string) => join(dataDir, 'master-key')

export const toMasterKey = (bytes: Buffer): MasterKey => ({
  id: createHmac('sha256', bytes).update('tallystick master key').digest('hex').slice(0, 16),
  bytes,
})

/** Loads the keys, newest first. Empty when there is none. Empty with a warning when the file has invalid content. */
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

/** Creates the first key in the data directory. When two processes do so at the same time, both get the key of one of them. */
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

/** Adds a new key before those in the file. The others stay, because another replica or a backup may need them. */
export async function addMasterKeyToFile(dataDir: string, known: readonly MasterKey[]): Promise<MasterKey[]> {
  const keys = [toMasterKey(randomBytes(keyBytes)), ...known]
  const path = masterKeyPath(dataDir)
  const draft = `${path}.next`
  // A file left by an attempt that failed before the rename. Nothing is encrypted under its key.
  await rm(draft, { force: true })
  await createFile(draft, toText(keys))
  await renameDurably(draft, path)
  return keys
}

/** Stores keys of elsewhere in the data directory, which must not have any. Returns false when it has. */
export async function storeMasterKeys(dataDir: string, text: string): Promise<boolean> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return await createFile(masterKeyPath(dataDir), text)
}

/** The keys as in a key file, newest first, or null when there are none. */
export async function readMasterKeysText(
  source: MasterKeySource,
  warn: (message: string) => void,
): Promise<string | null> {
  const keys = await loadMasterKeys(source, warn)
  return keys.length === 0 ? null : toText(keys)
}

/** The ids of the keys in a text, newest first. */
export const masterKeyIdsOf = (text: string): string[] =>
  (parseMasterKeys(text) ?? []).map((bytes) => toMasterKey(bytes).id)

const toText = (keys: readonly MasterKey[]) =>
  keys.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('')

/**
 * Reads a key file. Null when there is none. Other users must not be able to read a file that this program created. A file that was
 * mounted into a container is often readable by a group, so its mode is not checked.
 */
async function readKeyFile(
  path: string,
  isOwn: boolean,
): Promise<{ text: string; changedAtMs: number } | null> {
  try {
    const file = await open(path)
    try {
      const text = await file.readFile('utf8')
      // The time is read after the text, so that a change during the read is noticed.
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
