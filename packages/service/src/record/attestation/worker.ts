import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { connectBulkReader } from '../../db/index.js'
import { errorCode } from '../../shared/error-code.js'
import { checkChunk } from './check-chunk.js'
import type { ChunkTask } from './chunk.js'
import { traceChunk } from './trace-chunk.js'

// One task in, one report out. The thread has its own database connection: passing rows on would cost the main thread
// 2 µs each, a quarter of its time during a large attestation.

// On Linux this sets the priority of this thread alone: calls are answered first.
const belowNormal = 5
if (process.platform === 'linux') setPriority(belowNormal)

const connecting = connectBulkReader(workerData.databaseUrl)
// Each task awaits it and reports the error.
connecting.catch(() => undefined)

async function run(task: ChunkTask) {
  const reader = await connecting
  if (task.kind === 'check') return await checkChunk(reader, task.span, task.chunk)
  return await traceChunk(reader, task.span, task.chunk, task.tree)
}

parentPort?.on('message', (task: ChunkTask) => {
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
