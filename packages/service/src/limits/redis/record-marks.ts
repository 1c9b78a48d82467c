import { createHash } from 'node:crypto'
import { openRedis } from './redis.js'
import type { Script } from './scripts.js'

/** How far records were sealed, by tenant, as text: what is kept here outlasts a database that is restored. */
export interface RedisMarks {
  read(): Promise<ReadonlyMap<string, string>>
  /** Keeps the later mark of each tenant. Each text is what `writeMark` of the ledger writes, as JSON. */
  write(marks: ReadonlyMap<string, string>): Promise<void>
  close(): Promise<void>
}

const key = 'tallystick:record-marks'
const readAll = toScript("return redis.call('hgetall', KEYS[1])")
// The rule of `isLater` in packages/service/src/record/marks/mark.ts, here in one step: replicas write at the same time.
const writeSome = toScript(`
for i = 1, #ARGV, 2 do
  local tenant, text = ARGV[i], ARGV[i + 1]
  local isRead, known = pcall(cjson.decode, redis.call('hget', KEYS[1], tenant) or 'null')
  local isLater = true
  if isRead and type(known) == 'table' and type(known[1]) == 'number' and type(known[3]) == 'number' then
    local mark = cjson.decode(text)
    local knownAccepted = type(known[5]) == 'number' and known[5] or 0
    isLater = mark[5] >= known[3] or (knownAccepted < mark[3] and mark[1] >= known[1])
  end
  if isLater then redis.call('hset', KEYS[1], tenant, text) end
end`)
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
