import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './error-code.js'

// A file survives a power cut only once both its content and the folder that contains it are synced.

/**
 * Creates a file with this text, which only its owner can read. Returns false when the file already exists. The text is written under
 * another name and linked, because a rename would replace the file of a process that does the same, and a file that is created under its
 * final name could be read before it is complete.
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
  // This is also needed when another process created the file, which may not have synced the folder yet.
  await syncFolder(dirname(path))
  return created
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Syncs a folder, except on Windows, which cannot. */
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
