import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readCheckpoint } from '@tallystick/record/format'
import { parseObject } from '@tallystick/record/json'
import { hasCode } from '../../shared/error-code.js'
import type { Mark, MarkStore } from './mark.js'

// Each day has one line for each tenant; older files say nothing that newer ones do not.
const newestFiles = 2

/** What was anchored in a file: the last checkpoint of each day. */
export function createAnchorMarks(path: string): MarkStore {
  return {
    name: path,
    label: 'anchor file',
    async read() {
      const marks: Mark[] = []
      for (const file of await listFiles(path)) {
        for (const line of (await readFile(file, 'utf8')).split('\n')) {
          const mark = readLine(line)
          if (mark) marks.push(mark)
        }
      }
      return marks
    },
    write: null,
  }
}

async function listFiles(path: string): Promise<string[]> {
  const [before = '', after] = basename(path).split('{day}')
  const folder = dirname(path)
  try {
    const names = await readdir(folder)
    if (after === undefined) return names.includes(before) ? [path] : []
    const isAnchor = (name: string) =>
      name.length === before.length + 10 + after.length && name.startsWith(before) && name.endsWith(after)
    const days = names.filter(isAnchor).sort().slice(-newestFiles)
    return days.map((name) => join(folder, name))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

function readLine(line: string): Mark | null {
  const { type, tenant, day, size, note } = parseObject(line) ?? {}
  if (type !== 'tallystick-anchor' || typeof tenant !== 'string' || typeof size !== 'number') return null
  const atMs = Date.parse(`${day}T23:59:59.999Z`)
  if (!Number.isFinite(atMs)) return null
  const checkpoint = typeof note === 'string' ? readCheckpoint(note) : null
  const root = checkpoint?.size === size ? checkpoint.root.toString('hex') : null
  return { tenant, size, last: null, root, atMs, acceptedMs: 0 }
}
