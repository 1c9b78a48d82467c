import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { NewReceipt } from './receipt.js'
import { createSpoolFile, isSpoolFile, newSpoolPath, type SpoolFile } from './spool-file.js'

/**
 * Keeps receipts on this machine's disk while the database is unavailable. Used only then, so it writes and syncs
 * synchronously: no receipt can be appended between the replay of the last one and the removal of the file.
 */
export interface Spool {
  /** Returns once the receipts are synced to disk. */
  append(receipts: readonly NewReceipt[]): void
  /** Call it once everything that was appended is in the record. */
  clear(): void
  /** Appends a receipt that cannot be recorded to `spool/refused.jsonl`, for the operator. */
  saveRefused(receipt: NewReceipt): void
}

/** What earlier processes left in the spool. */
export interface Leftovers {
  receipts: NewReceipt[]
  /** The number of lines that could not be parsed; they are in `spool/refused.jsonl`. */
  unreadable: number
  discard(): void
}

export function openSpool(dataDir: string): { spool: Spool; leftovers: Leftovers } {
  const folder = join(dataDir, 'spool')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { leftovers: takeOver(folder), spool: createSpool(folder) }
}

function createSpool(folder: string): Spool {
  let file: SpoolFile | null = null
  return {
    append(receipts) {
      const text = receipts.map((receipt) => `${writeLine(receipt)}\n`).join('')
      for (;;) {
        file ??= createSpoolFile(folder)
        file.append(text)
        if (file.isAtPath()) return
        // Another process took the file over, and may have read it before this text was in it.
        file.close()
        file = null
      }
    },
    clear() {
      const cleared = file
      file = null
      cleared?.close()
      if (cleared) rmSync(cleared.path, { force: true })
    },
    saveRefused: (receipt) => appendRefused(folder, [writeLine(receipt)]),
  }
}

/**
 * Takes over every spool in the folder, without checking whether its owner is alive: process ids are reused, and mean
 * nothing across containers. A live owner notices that its file is gone; a receipt that both have is recorded once.
 */
function takeOver(folder: string): Leftovers {
  const paths = readdirSync(folder)
    .filter(isSpoolFile)
    .sort()
    .flatMap((name) => takeFile(join(folder, name), newSpoolPath(folder)))
  const lines = paths.flatMap(readLines).map((line) => ({ line, receipt: readLine(line) }))
  const unreadable = lines.flatMap(({ line, receipt }) => (receipt === null ? [line] : []))
  if (unreadable.length > 0) appendRefused(folder, unreadable)
  return {
    receipts: lines.flatMap(({ receipt }) => (receipt === null ? [] : [receipt])),
    unreadable: unreadable.length,
    discard() {
      for (const path of paths) rmSync(path, { force: true })
    },
  }
}

/** Renames a file and returns its new path. Returns no path when another process that is starting was faster. */
function takeFile(from: string, to: string): string[] {
  try {
    renameSync(from, to)
    return [to]
  } catch (error) {
    if (existsSync(from)) throw error
    return []
  }
}

function readLines(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  // What follows the last line break is an incomplete write: its caller never got an answer.
  lines.pop()
  return lines
}

function appendRefused(folder: string, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join('')
  appendFileSync(join(folder, 'refused.jsonl'), text, { mode: 0o600, flush: true })
}

function writeLine({ tenantId, draft, commitmentKey, issued }: NewReceipt): string {
  return JSON.stringify({ tenantId, draft, commitmentKey: commitmentKey?.toString('base64') ?? null, issued })
}

function readLine(line: string): NewReceipt | null {
  try {
    const { tenantId, draft, commitmentKey, issued } = JSON.parse(line)
    if (typeof tenantId !== 'string' || typeof draft.id !== 'string') return null
    return {
      tenantId,
      draft,
      commitmentKey: commitmentKey === null ? null : Buffer.from(commitmentKey, 'base64'),
      ...(issued && { issued }),
    }
  } catch {
    return null
  }
}
