import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../../shared/durable-files.js'
import type { DueCheckpoint } from './store.js'

/** `{day}` in the path gives each day its own file, for write-once storage. */
export const anchorPath = (path: string, day: string): string => path.replaceAll('{day}', day)

/** Appends checkpoints, one JSON object a line, and makes them durable. */
export async function appendToAnchorFile(path: string, checkpoints: readonly DueCheckpoint[]): Promise<void> {
  const lines = new Map<string, string>()
  for (const checkpoint of checkpoints) {
    const target = anchorPath(path, checkpoint.day)
    lines.set(target, (lines.get(target) ?? '') + writeLine(checkpoint))
  }
  for (const [target, text] of lines) await append(target, text)
}

const writeLine = ({ tenantId, day, size, note }: DueCheckpoint): string =>
  `${JSON.stringify({ type: 'tallystick-anchor', v: 1, tenant: tenantId, day, size, note })}\n`

async function append(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o644)
  try {
    const { size } = await file.stat()
    // A crash may have left half a line; the next line starts on its own.
    const { buffer } =
      size > 0 ? await file.read(Buffer.alloc(1), 0, 1, size - 1) : { buffer: Buffer.from('\n') }
    await file.appendFile(buffer.toString() === '\n' ? lines : `\n${lines}`)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dirname(path))
}
