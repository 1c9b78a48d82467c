import type { JsonObject } from '../../json/index.js'
import type { ReadListing, SeenTool } from './definition.js'
import type { PinnedTool, ToolState } from './terms.js'

export type Pinning = 'off' | 'warn' | 'block'

/** What is known of a tool: the newest definition, and what was decided about it. */
export interface Pin {
  name: string
  seenHash: string
  isGone: boolean
  fault: string | null
  approvedHash: string | null
  isBlocked: boolean
}

export function stateOf(pin: Pin): ToolState {
  if (pin.isBlocked) return 'blocked'
  if (pin.approvedHash === null) return 'new'
  return pin.approvedHash === pin.seenHash && pin.fault === null ? 'approved' : 'changed'
}

export interface PinWithTexts extends Pin {
  seen(): JsonObject
  approved(): JsonObject
  /** It names tools of another server: shown only where somebody approved it. */
  speaksForOthers(): boolean
}

/** A tool as callers may see it. One that is gone, ambiguous or blocked is never shown; what else is shown is for `pinning` to say. */
export function pinTool(pin: PinWithTexts, pinning: Pinning): PinnedTool {
  const { name, seenHash } = pin
  const state = stateOf(pin)
  const hidden = { name, state, hash: seenHash, definition: null, isUnapproved: false }
  if (state === 'blocked' || pin.isGone || pin.fault !== null) return hidden
  if (state === 'approved') return { ...hidden, definition: pin.approved() }
  if (pinning === 'block' || pin.speaksForOthers()) return hidden
  return { ...hidden, definition: pin.seen(), isUnapproved: pinning === 'warn' }
}

/** Something that whoever approves tools is told of. */
export interface ToolChange {
  tool: string
  state: 'changed' | 'new' | 'gone'
  hash: string
  /** What was approved, or else what was there before; null for nothing. */
  previousHash: string | null
}

export interface ListingChanges {
  /** Rows to write: definitions that are new, changed, back, or have another fault. */
  seen: SeenTool[]
  /** Decided about, and not listed any more. */
  gone: string[]
  /** Not listed any more, and nobody ever decided about them: nothing is kept, or a server could fill the table. */
  forgotten: string[]
  /** To be told, unless it is the first listing. */
  changes: ToolChange[]
}

/** What a listing changes in what is known of the tools of its server. */
export function compareListing(pins: readonly Pin[], { tools }: Pick<ReadListing, 'tools'>): ListingChanges {
  const known = new Map(pins.map((pin) => [pin.name, pin]))
  const result: ListingChanges = { seen: [], gone: [], forgotten: [], changes: [] }
  for (const tool of tools.values()) {
    const pin = known.get(tool.name)
    if (pin && !pin.isGone && pin.seenHash === tool.hash && pin.fault === tool.fault) continue
    result.seen.push(tool)
    const change = describeChange(pin, tool)
    if (change) result.changes.push(change)
  }
  for (const pin of pins) {
    if (tools.has(pin.name) || pin.isGone) continue
    const isDecided = pin.approvedHash !== null || pin.isBlocked
    result[isDecided ? 'gone' : 'forgotten'].push(pin.name)
    if (pin.approvedHash !== null && !pin.isBlocked)
      result.changes.push({
        ...{ tool: pin.name, state: 'gone', hash: pin.seenHash, previousHash: pin.approvedHash },
      })
  }
  return result
}

/** Null for a change that leaves nothing to decide: back to what was approved, or of a tool that is blocked. */
function describeChange(pin: Pin | undefined, tool: SeenTool): ToolChange | null {
  const { name, hash, fault } = tool
  if (!pin) return { tool: name, state: 'new', hash, previousHash: null }
  const after = stateOf({ ...pin, seenHash: hash, fault })
  if (after === 'blocked' || after === 'approved') return null
  if (after === 'changed') return { tool: name, state: 'changed', hash, previousHash: pin.approvedHash }
  return pin.seenHash === hash ? null : { tool: name, state: 'new', hash, previousHash: pin.seenHash }
}
