export type { HeldInput } from './attachments.js'
export { boundInput, readsInputsApart } from './input-bound.js'
export { findUngoverned, isGovernedMember } from './other-spelling.js'
