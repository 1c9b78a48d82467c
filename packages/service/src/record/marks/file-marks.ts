import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { renameDurably } from '../../shared/durable-files.js'
import { hasCode } from '../../shared/error-code.js'
import { latestMarks, type Mark, type MarkStore, readMark, writeMark } from './mark.js'

/** In the data directory: `record-marks.json`. Several processes may share it; the latest mark of a tenant stays. */
export function createFileMarks(dataDir: string): MarkStore {
  const path = join(dataDir, 'record-marks.json')

  async function read(): Promise<Mark[]> {
    try {
      const value: unknown = JSON.parse(await readFile(path, 'utf8'))
      if (typeof value !== 'object' || value === null) return []
      return Object.entries(value).flatMap(([tenant, mark]) => readMark(tenant, mark) ?? [])
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return []
      throw new Error(`${path} cannot be read`, { cause: error })
    }
  }

  return {
    name: path,
    label: `data directory on ${hostname()}`,
    read,
    async write(marks) {
      // One that cannot be read is overwritten.
      const known = await read().catch(() => [])
      const all = latestMarks([...known, ...marks])
      const text = JSON.stringify(
        Object.fromEntries([...all.values()].map((mark) => [mark.tenant, writeMark(mark)])),
      )
      const draft = `${path}.${randomUUID()}`
      try {
        await writeFile(draft, text, { mode: 0o600, flush: true })
        await renameDurably(draft, path)
      } finally {
        await rm(draft, { force: true })
      }
    },
  }
}
