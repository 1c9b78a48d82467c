import { createHash } from 'node:crypto'
import { connectToRedis } from './connection.js'
import type { Script } from './scripts.js'

/** The mark of each tenant's record, as text. Marks in Redis survive when the database is restored from a backup. */
export interface RedisMarks {
  read(): Promise<ReadonlyMap<string, string>>
  /** Stores each mark that is later than the stored one. A mark is the JSON text that `writeMark` in record/marks/ produces. */
  write(marks: ReadonlyMap<string, string>): Promise<void>
  close(): Promise<void>
}

const key = 'tallystick:record-marks'
const readAll = toScript("return redis.call('hgetall', KEYS[1])")
// Applies the rule of `isLater` in packages/service/src/record/marks/mark.ts atomically, because replicas write concurrently.
const writeLater = toScript(`
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

/** Opens a connection for marks. It does not log lost connections, because the connection for admission does. */
export async function openRedisMarks(url: string): Promise<RedisMarks> {
  const silent = { info: () => undefined, warn: () => undefined }
  const connection = await connectToRedis({ url, commandTimeoutMs, log: silent })
  return {
    async read() {
      const fields = (await connection.run(readAll, [key], [])) as string[]
      const marks = new Map<string, string>()
      for (let i = 0; i + 1 < fields.length; i += 2) marks.set(fields[i] ?? '', fields[i + 1] ?? '')
      return marks
    },
    async write(marks) {
      const entries = [...marks]
      for (let start = 0; start < entries.length; start += marksPerScript)
        await connection.run(writeLater, [key], entries.slice(start, start + marksPerScript).flat())
    },
    close: () => connection.close(),
  }
}
