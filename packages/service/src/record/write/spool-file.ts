import { randomUUID } from 'node:crypto'
import { appendFileSync, closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolderSync } from '../../shared/durable-files.js'

/** One file of a spool, open for writing. */
export interface SpoolFile {
  path: string
  /** Returns once the text is synced to disk. When it throws, the file is unchanged. */
  append(text: string): void
  /** False once another process has renamed or removed the file. */
  isAtPath(): boolean
  close(): void
}

export const isSpoolFile = (name: string) => /^\d{13}-[0-9a-f-]{36}\.spool$/.test(name)
export const newSpoolPath = (folder: string) => join(folder, `${Date.now()}-${randomUUID()}.spool`)

export function createSpoolFile(folder: string): SpoolFile {
  const path = newSpoolPath(folder)
  const file = openSync(path, 'ax', 0o600)
  syncFolderSync(folder)
  let length = 0
  return {
    path,
    append(text) {
      try {
        appendFileSync(file, text)
        fsyncSync(file)
      } catch (error) {
        // A full disk may have accepted part of a line; the next receipt must start on a new one.
        ftruncateSync(file, length)
        throw error
      }
      length += Buffer.byteLength(text)
    },
    isAtPath: () => statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino,
    close: () => closeSync(file),
  }
}
