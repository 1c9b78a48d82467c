export type { HeldInput, UnboundedInput } from './attachments.js'
export { boundInput, type InputBound, type InputRequest } from './input-bound.js'
export { findLostInput } from './lost-input.js'
