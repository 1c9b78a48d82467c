import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './error-code.js'

// A file survives a power cut only once its content is synced and the folder that has its name is, too.

/**
 * Creates a file with this text, which only its owner may read; false when there is one of that name already. The text
 * is written under another name and linked: a rename would replace the file of a process that does the same at the same
 * time, and a file that is opened by its final name could be read half-written.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  const draftPath = `${path}.${randomUUID()}`
  let created = true
  try {
    await writeAndSync(draftPath, text)
    await link(draftPath, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    created = false
  } finally {
    await rm(draftPath, { force: true })
  }
  // Also when another process created it: that process may not have come so far.
  await syncFolder(dirname(path))
  return created
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Windows has no way to sync a folder. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

export function syncFolderSync(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
