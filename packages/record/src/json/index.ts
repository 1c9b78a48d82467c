export { canonicalize, isPlainObject, parseCanonical } from './canonical.js'
export { decodeInSlices } from './decode-in-slices.js'
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
export { readJson } from './reader.js'
export type { JsonBounds, ReadJson } from './reader-state.js'
export { endOfString, endOfValue, skipSpace } from './scan.js'
export { type Edit, splice } from './splice.js'
export { membersOf, readItemsInSlices, readMembersInSlices } from './text-members.js'
export type { YieldToEventLoop } from './yield-to-event-loop.js'
