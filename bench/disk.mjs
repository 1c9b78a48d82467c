import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const blockBytes = 8_192
const writes = 200

/**
 * How long this disk takes to make a small write durable. Every answer of the service waits for at least one of these,
 * so without it the time that it adds says little.
 */
export async function measureSyncMs() {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-bench-disk-'))
  const file = await open(join(folder, 'log'), 'w')
  try {
    const block = Buffer.alloc(blockBytes)
    // Allocated beforehand, as the database does with its log: only the data is to be synced.
    await file.write(Buffer.alloc(blockBytes * writes))
    await file.sync()
    const timesMs = []
    for (let i = 0; i < writes; i++) {
      const startedMs = performance.now()
      await file.write(block, 0, blockBytes, i * blockBytes)
      await file.datasync()
      timesMs.push(performance.now() - startedMs)
    }
    return timesMs.sort((a, b) => a - b)[writes >> 1] ?? 0
  } finally {
    await file.close()
    await rm(folder, { recursive: true, force: true })
  }
}
