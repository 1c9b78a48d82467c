export type { HeldInput } from './attachments.js'
export { boundInput } from './input-bound.js'
export { findLostInput, findOtherSpelling } from './lost-input.js'
