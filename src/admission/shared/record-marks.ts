import { createHash } from 'node:crypto'
import { openRedis } from './redis.js'
import type { Script } from './scripts.js'

/** How far records were sealed, by tenant, as text: what is kept here outlasts a database that is restored. */
export interface RedisMarks {
  read(): Promise<ReadonlyMap<string, string>>
  write(marks: ReadonlyMap<string, string>): Promise<void>
  close(): Promise<void>
}

const key = 'tallystick:record-marks'
const readAll = toScript("return redis.call('hgetall', KEYS[1])")
const writeSome = toScript("redis.call('hset', KEYS[1], unpack(ARGV))")
const commandTimeoutMs = 2_000
const marksPerScript = 500

function toScript(lines: string): Script {
  const source = `#!lua\n${lines}`
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

/** A connection of its own, which says nothing when the server goes: admission does. */
export async function openRedisMarks(url: string): Promise<RedisMarks> {
  const silent = { info: () => undefined, warn: () => undefined }
  const link = await openRedis({ url, commandTimeoutMs, log: silent })
  return {
    async read() {
      const fields = (await link.run(readAll, [key], [])) as string[]
      const marks = new Map<string, string>()
      for (let i = 0; i + 1 < fields.length; i += 2) marks.set(fields[i] ?? '', fields[i + 1] ?? '')
      return marks
    },
    async write(marks) {
      const entries = [...marks]
      for (let start = 0; start < entries.length; start += marksPerScript)
        await link.run(writeSome, [key], entries.slice(start, start + marksPerScript).flat())
    },
    close: () => link.close(),
  }
}
