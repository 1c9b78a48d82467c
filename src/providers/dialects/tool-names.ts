import type { JsonObject } from '../../json/index.js'

/** Where a dialect puts the names of tools: for policies, which judge them. */
export interface DialectToolNames {
  /** Names of the tools that a request offers; those that have none of their own go by their type. */
  offered(body: JsonObject): string[]
  /** Names of the tools that an answer, or a piece of one, calls. */
  called(answer: JsonObject): string[]
  calledIn(event: JsonObject): string[]
}
