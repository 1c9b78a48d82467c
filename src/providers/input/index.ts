export type { HeldInput } from './attachments.js'
export { boundInput } from './input-bound.js'
export { findOtherSpelling } from './other-spelling.js'
