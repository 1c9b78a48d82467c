import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceProcess, startServiceProcess } from '../../harness/processes/process.js'
import { pick } from '../../harness/run/seed.js'

/** Replicas in processes of their own, behind a load balancer that does not care which of them are alive. */
export interface Fleet {
  /** The address of any one of them. */
  anyAddress(): string
  addresses(): string[]
  /** Kills one hard, and starts it again on the same folder. */
  killOne(): Promise<void>
  stop(): Promise<(number | string)[]>
}

export async function startFleet(count: number, env: Record<string, string>): Promise<Fleet> {
  const folders = await Promise.all(
    Array.from({ length: count }, () => mkdtemp(join(tmpdir(), 'tallystick-fleet-'))),
  )
  const start = (folder: string) => startServiceProcess({ ...env, TALLYSTICK_DATA_DIR: folder })
  const replicas: ServiceProcess[] = await Promise.all(folders.map(start))
  let turn = 0
  return {
    anyAddress: () => pick(replicas).address,
    addresses: () => replicas.map((replica) => replica.address),
    async killOne() {
      const place = turn++ % count
      await replicas[place]?.end('SIGKILL')
      replicas[place] = await start(folders[place] ?? '')
    },
    async stop() {
      const codes = await Promise.all(replicas.map((replica) => replica.end('SIGTERM')))
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
      return codes
    },
  }
}
