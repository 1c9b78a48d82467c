import type { UsageLoader } from '../usage-loader.js'
import type { RedisConnection } from './connection.js'
import type { Scripts } from './scripts.js'

/** What admission in Redis is built from. */
export interface RedisAdmissionParts {
  readonly connection: RedisConnection
  readonly scripts: Scripts
  readonly usageLoader: UsageLoader
  /** Returns microseconds in tests, and otherwise an empty text, for which scripts use the clock of the server. */
  readonly now: () => number | ''
}
