import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, ConfigError } from '../config/index.js'
import { openStorage, prepareInstance } from '../main.js'
import { createMetricsDesk } from './metrics-desk.js'
import { announce, exitWhenOverdue, refuseTakenAddress, untilTold } from './serve.js'
import type { FromWorker, ToWorker } from './worker-messages.js'

const firstDelayMs = 100
const longestDelayMs = 5_000
// A worker that lived for this long did not die of its settings.
const settledMs = 10_000

/** Runs the service in several processes that listen on one address and count in one Redis. */
export async function superviseWorkers(config: Config, count: number): Promise<void> {
  if (config.redisUrl === null)
    throw new ConfigError(['--workers: needs REDIS_URL, for without Redis every process counts for itself'])
  const told = untilTold(config)
  await refuseTakenAddress(config)
  const storage = await openStorage(config, (message) => console.error(message))
  try {
    const { firstKey } = await prepareInstance(config, storage)
    const staff = startStaff(count, storage.url)
    const address = await Promise.race([staff.listening, told])
    if (address !== undefined) console.log(announce({ address, firstKey }, config).join('\n'))
    await told
    exitWhenOverdue(config)
    if (!(await staff.stop())) process.exitCode = 1
  } finally {
    await storage.close()
  }
}

interface Staff {
  /** Resolves with the address once every worker listens; rejects when one cannot even start. */
  listening: Promise<string>
  /** Resolves when all are gone, with whether each of them ended well. */
  stop(): Promise<boolean>
}

function startStaff(count: number, databaseUrl: string): Staff {
  let stopping = false
  let endedWell = true
  const desk = createMetricsDesk()

  /** Keeps one place filled until the service stops. */
  async function fill(onListening: (address: string) => void): Promise<void> {
    let delayMs = firstDelayMs
    for (let started = false; !stopping; await pause(delayMs)) {
      const startedMs = Date.now()
      const worker = cluster.fork({ DATABASE_URL: databaseUrl })
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'listening') {
          started = true
          onListening(message.address)
          // Told while it was still starting, it would not have heard.
          if (stopping) tell(worker, { type: 'stop' })
        } else desk.hear(worker, message)
      })
      const [code, signal] = await once(worker, 'exit')
      desk.leave(worker)
      if (stopping) {
        endedWell &&= code === 0
        return
      }
      if (!started) throw new Error(`a worker ended with ${signal ?? code} before it listened`)
      delayMs = Date.now() - startedMs > settledMs ? firstDelayMs : Math.min(delayMs * 2, longestDelayMs)
      console.error(`a worker (${worker.process.pid}) ended with ${signal ?? code}; another takes its place`)
    }
  }

  const places: Promise<void>[] = []
  const listening = Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<string>((resolve, reject) => {
          places.push(fill(resolve).catch(reject))
        }),
    ),
  ).then(([address = '']) => address)
  return {
    listening,
    async stop() {
      stopping = true
      for (const worker of workers()) tell(worker, { type: 'stop' })
      await Promise.all(places)
      return endedWell
    },
  }
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

/** A worker that is just ending needs to be told nothing. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
