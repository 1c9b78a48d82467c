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

/** The server that runs on this data directory, if one does, no matter which process started it. */
export async function findServer(directory: string): Promise<RunningServer | undefined> {
  const text = await readPidFile(join(directory, 'postmaster.pid'))
  const server = parsePidFile(text)
  if (server === undefined) return undefined
  if (await servesDirectory(server.pid, directory)) return server
  // Postgres sees through a dead pid by itself. A pid that now belongs to another process of the
  // same account looks to it like a running server, and it would refuse to start for good.
  if (isAlive(server.pid)) await discardPidFile(directory, text)
  return undefined
}

/** Lines: pid, data directory, start time, port, socket folder, address, shared memory, status. */
export function parsePidFile(text: string): RunningServer | undefined {
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

async function discardPidFile(directory: string, judged: string): Promise<void> {
  const path = join(directory, 'postmaster.pid')
  const aside = join(directory, `postmaster.pid.stale-${process.pid}`)
  // Another starter may have replaced the file since it was judged: take it away first, look at
  // what was taken, and give it back if it is not the one.
  await rename(path, aside).catch(() => undefined)
  if ((await readPidFile(aside)) !== judged) await link(aside, path).catch(() => undefined)
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
