import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceProcess, startServiceProcess } from '../../harness/processes/process.js'
import { pick } from '../../harness/run/seed.js'
import { waitFor } from '../../harness/run/wait.js'

/** Processes that serve together, and are killed in turns. */
export interface Fleet {
  /** The address of any one of them. */
  anyAddress(): string
  addresses(): string[]
  /** Kills one hard, and starts it again on the same folder. */
  killOne(): Promise<void>
  stop(): Promise<(number | string)[]>
}

/** Starts replicas behind a load balancer that does not care which of them are alive. */
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

/** Starts workers with one supervisor, which counts their limits. */
export async function startWorkers(count: number, env: Record<string, string>): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-workers-'))
  const service = await startServiceProcess({ ...env, TALLYSTICK_DATA_DIR: folder }, [`--workers=${count}`])
  return {
    anyAddress: () => service.address,
    addresses: () => [service.address],
    async killOne() {
      const killed = pick(await service.workers())
      process.kill(killed, 'SIGKILL')
      await waitFor('another worker', async () => {
        const now = await service.workers()
        return now.length === count && !now.includes(killed)
      })
    },
    async stop() {
      const code = await service.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
      return [code]
    },
  }
}
