export { canonicalize, isPlainObject, parseCanonical } from './canonical.js'
export { decodeInTurns } from './decode-in-turns.js'
export { JsonError } from './json-error.js'
export { fromText, LongString } from './long-string.js'
export { editMembers, editTextMembers, type Member } from './members.js'
export {
  asArray,
  asCount,
  asObject,
  asText,
  isObject,
  type JsonObject,
  maxCount,
  parseObject,
  readCount,
  readModelName,
  stringsIn,
  writeJson,
} from './read.js'
export { type JsonBounds, type ReadJson, readJson } from './reader.js'
export { endOfString, endOfValue, skipSpace } from './scan.js'
export { type Edit, splice } from './splice.js'
export { itemsInTurns, membersInTurns, membersOf } from './text-members.js'
export type { WaitForTurn } from './wait-for-turn.js'
