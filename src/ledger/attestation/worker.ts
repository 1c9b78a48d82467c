import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { connectBulkReader } from '../../db/index.js'
import { errorCode } from '../../error-code.js'
import { checkPart } from './check-part.js'
import type { PartTask } from './part.js'
import { tracePart } from './trace-part.js'

// One task in, one report out. The thread has a connection of its own: rows handed over by the main thread would cost
// it 2 µs each, a quarter of a second in every second of a large attestation.

// On Linux a thread has a priority of its own. Calls are answered first, the record is read with what is left.
const belowNormal = 5
if (process.platform === 'linux') setPriority(belowNormal)

const connecting = connectBulkReader(workerData.databaseUrl)
// Whoever has a task hears of it.
connecting.catch(() => undefined)

async function run(task: PartTask) {
  const reader = await connecting
  if (task.kind === 'check') return await checkPart(reader, task.span, task.part)
  return await tracePart(reader, task.span, task.part, task.tree)
}

parentPort?.on('message', (task: PartTask) => {
  run(task).then(
    (report) => parentPort?.postMessage({ report }),
    (error: unknown) => parentPort?.postMessage({ error: describe(error) }),
  )
})

/** Errors lose their code on the way between threads, and the code is what tells that the database is away. */
function describe(error: unknown): { message: string; code?: string } {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message } = error
  const code = errorCode(error)
  return code === undefined ? { message } : { message, code }
}
