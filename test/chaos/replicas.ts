import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { pick, shuffled } from '../harness/run/seed.js'
import { lacksDisks, mountDisk, unmountDisk } from './postgres.js'

export interface Replica {
  dataDir: string
  /** Undefined while it does not run. */
  process: ServiceProcess | undefined
  /** What only this one is started with. */
  env: Record<string, string>
}

// Then a disk can be filled without filling that of the machine.
const hasDisks = lacksDisks() === null

/** Replicas in processes of their own, behind a balancer that asks each whether it is ready, as balancers do. */
export class Replicas {
  readonly all: Replica[] = []
  readonly #env: Record<string, string>
  #ready: string[] = []
  #watching: NodeJS.Timeout | undefined

  constructor(env: Record<string, string>) {
    this.#env = env
  }

  async start(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-chaos-'))
      if (hasDisks) mountDisk(dataDir, 'size=4g,mode=0700')
      this.all.push({ dataDir, process: undefined, env: {} })
    }
    await Promise.all(this.all.map((replica) => this.run(replica)))
    this.#watching = setInterval(() => void this.#look(), 250)
    await this.#look()
  }

  async run(replica: Replica): Promise<void> {
    replica.process = await startServiceProcess({
      ...this.#env,
      ...replica.env,
      TALLYSTICK_DATA_DIR: replica.dataDir,
    })
  }

  async end(replica: Replica, signal: NodeJS.Signals): Promise<number | string | undefined> {
    const code = await replica.process?.end(signal)
    replica.process = undefined
    return code
  }

  any(): Replica {
    return pick(this.all)
  }

  /** Where the balancer sends a call, in order: to those that are ready, or, when none is, to all. */
  candidates(): string[] {
    return shuffled(this.#ready.length > 0 ? this.#ready : this.addresses())
  }

  address = (): string | undefined => this.candidates()[0]

  addresses(): string[] {
    return this.all.flatMap(({ process }) => process?.address ?? [])
  }

  async #look(): Promise<void> {
    const looked = await Promise.all(
      this.addresses().map(async (address) => {
        const signal = AbortSignal.timeout(1_000)
        const ok = await fetch(`${address}/readyz`, { signal }).then(
          (answer) => answer.ok,
          () => false,
        )
        return ok ? [address] : []
      }),
    )
    this.#ready = looked.flat()
  }

  async close(): Promise<void> {
    clearInterval(this.#watching)
    await Promise.all(this.all.map((replica) => this.end(replica, 'SIGKILL')))
    for (const { dataDir } of this.all) {
      if (hasDisks) unmountDisk(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}
