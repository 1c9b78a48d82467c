export type { HeldInput } from './attachments.js'
export { boundInput } from './input-bound.js'
export { findUngoverned } from './other-spelling.js'
