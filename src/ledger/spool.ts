import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { NewReceipt } from './receipt.js'

/**
 * Where receipts wait on this machine's disk while the database is away. Used only then, so it writes and syncs in
 * the foreground: nothing can come between the last receipt's replay and the truncation.
 */
export interface Spool {
  append(receipts: readonly NewReceipt[]): void
  clear(): void
  close(): void
}

interface Leftover {
  receipts: NewReceipt[]
  discard(): void
}

const suffix = '.jsonl'

export function openSpool(dataDir: string): { spool: Spool; leftovers: Leftover[] } {
  const folder = join(dataDir, 'spool')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const leftovers = readdirSync(folder)
    .filter(isAbandoned)
    .map((name) => readLeftover(join(folder, name)))
  const path = join(folder, `${process.pid}-${Date.now()}${suffix}`)
  const file = openSync(path, 'a', 0o600)
  return {
    leftovers,
    spool: {
      append(receipts) {
        writeSync(file, receipts.map(writeLine).join(''))
        fsyncSync(file)
      },
      clear() {
        ftruncateSync(file)
        fsyncSync(file)
      },
      close() {
        closeSync(file)
        if (readFileSync(path).length === 0) unlinkSync(path)
      },
    },
  }
}

/** A spool belongs to the process in its name. Ours is not open yet, so our own number is of an earlier life. */
function isAbandoned(name: string): boolean {
  const pid = Number(/^(\d+)-\d+\.jsonl$/.exec(name)?.[1])
  return Number.isInteger(pid) && (pid === process.pid || !isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function readLeftover(path: string): Leftover {
  const lines = readFileSync(path, 'utf8').split('\n')
  // What follows the last line break was cut off in the middle of a write: its caller was never answered.
  lines.pop()
  return { receipts: lines.filter((line) => line !== '').map(readLine), discard: () => unlinkSync(path) }
}

function writeLine({ tenantId, draft, commitmentKey }: NewReceipt): string {
  return `${JSON.stringify({ tenantId, draft, commitmentKey: commitmentKey?.toString('base64') ?? null })}\n`
}

function readLine(line: string): NewReceipt {
  const { tenantId, draft, commitmentKey } = JSON.parse(line)
  return {
    tenantId,
    draft,
    commitmentKey: commitmentKey === null ? null : Buffer.from(commitmentKey, 'base64'),
  }
}
