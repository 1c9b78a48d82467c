import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../shared/error-code.js'
import { isAlive, servesDirectory } from './process-identity.js'

export interface RunningServer {
  pid: number
  port: number
  /** False while it starts, recovers from a crash, or shuts down. */
  ready: boolean
}

/** Returns the server that runs on this data directory, regardless of which process started it. */
export async function findServer(directory: string): Promise<RunningServer | undefined> {
  const text = await readPidFile(join(directory, 'postmaster.pid'))
  const server = parsePidFile(text)
  if (server === undefined) return undefined
  if (await servesDirectory(server.pid, directory)) return server
  // Postgres ignores the pid file of a dead process. But when the pid now belongs to another process of the same account, Postgres
  // considers the server running and never starts, so the file is removed.
  if (isAlive(server.pid)) await discardPidFile(directory, text)
  return undefined
}

/** Parses the lines of a pid file: pid, data directory, start time, port, socket folder, address, shared memory, status. */
export function parsePidFile(text: string): RunningServer | undefined {
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

async function discardPidFile(directory: string, staleText: string): Promise<void> {
  const path = join(directory, 'postmaster.pid')
  const aside = join(directory, `postmaster.pid.stale-${process.pid}`)
  // Another process may have replaced the file since it was read. So it is renamed first, and restored if its text is a different one.
  await rename(path, aside).catch(() => undefined)
  if ((await readPidFile(aside)) !== staleText) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

async function readPidFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}
