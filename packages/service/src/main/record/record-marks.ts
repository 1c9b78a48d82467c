import type { Config } from '../../config/index.js'
import type { Db } from '../../db/index.js'
import { openRedisMarks } from '../../limits/index.js'
import {
  createAnchorMarks,
  createFileMarks,
  type MarkStore,
  openRecordMarks,
  type RecordMarks,
  readMark,
  writeMark,
} from '../../record/index.js'

export interface OpenMarksOptions {
  db: Db
  log: Parameters<typeof openRecordMarks>[0]['log']
  now(): number
  onRefused?: NonNullable<Parameters<typeof openRecordMarks>[0]['onRefused']>
}

/**
 * Opens the marks of how far records were sealed, which are kept in the data directory, in Redis and in anchor files. `more` are
 * further stores, which are only read.
 */
export async function openMarks(
  config: Config,
  options: OpenMarksOptions,
  more: readonly MarkStore[] = [],
): Promise<RecordMarks> {
  const redis = config.redisUrl === null ? null : await openRedisMarks(config.redisUrl)
  const inRedis: MarkStore | null = redis && {
    name: 'Redis',
    label: 'Redis',
    async read() {
      return [...(await redis.read())].flatMap(([tenant, text]) => readMark(tenant, parse(text)) ?? [])
    },
    write: (marks) =>
      redis.write(new Map(marks.map((mark) => [mark.tenant, JSON.stringify(writeMark(mark))]))),
  }
  const stores = [
    createFileMarks(config.dataDir),
    ...(inRedis ? [inRedis] : []),
    ...(config.anchor?.type === 'file' ? [createAnchorMarks(config.anchor.path)] : []),
    ...more,
  ]
  const marks = await openRecordMarks({ ...options, stores, dataDir: config.dataDir })
  return {
    ...marks,
    async close() {
      await marks.close()
      await redis?.close()
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
