import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { connectBulkReader } from '../../db/index.js'
import { errorCode } from '../../shared/error-code.js'
import { checkPart } from './check-part.js'
import type { PartTask } from './part.js'
import { tracePart } from './trace-part.js'

// One task in, one report out. The thread has its own database connection: passing rows on would cost the main thread
// 2 µs each, a quarter of its time during a large attestation.

// On Linux this sets the priority of this thread alone: calls are answered first.
const belowNormal = 5
if (process.platform === 'linux') setPriority(belowNormal)

const connecting = connectBulkReader(workerData.databaseUrl)
// Each task awaits it and reports the error.
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

/** Errors lose their code when they are sent between threads, and the code says that the database is not available. */
function describe(error: unknown): { message: string; code?: string } {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message } = error
  const code = errorCode(error)
  return code === undefined ? { message } : { message, code }
}
