import type { JsonObject } from '@tallystick/record/json'
import type { PinnedTool, ToolState } from '../tool-server.js'
import type { ReadListing, SeenTool } from './definition.js'

export type Pinning = 'off' | 'warn' | 'block'

/** The newest definition of a tool, and the decision about it. */
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
  /** True when it names tools of another server: it is then shown only after approval. */
  speaksForOthers(): boolean
}

/**
 * Returns a tool as callers may see it. A tool that is gone, ambiguous or blocked is never shown; `pinning` decides
 * about the others.
 */
export function pinTool(pin: PinWithTexts, pinning: Pinning): PinnedTool {
  const { name, seenHash } = pin
  const state = stateOf(pin)
  const hidden = { name, state, hash: seenHash, definition: null, isUnapproved: false }
  if (state === 'blocked' || pin.isGone || pin.fault !== null) return hidden
  if (state === 'approved') return { ...hidden, definition: pin.approved() }
  if (pinning === 'block' || pin.speaksForOthers()) return hidden
  return { ...hidden, definition: pin.seen(), isUnapproved: pinning === 'warn' }
}

/** A change that is reported to the people who approve tools. */
export interface ToolChange {
  tool: string
  state: 'changed' | 'new' | 'gone'
  hash: string
  /** The approved definition, or else the previous one; null for neither. */
  previousHash: string | null
}

export interface ListingChanges {
  /** Rows to write: definitions that are new, changed, restored, or have another fault. */
  seen: SeenTool[]
  /** Tools with a decision that are no longer listed. */
  gone: string[]
  /** Tools without a decision that are no longer listed: they are deleted, or a server could fill the table. */
  forgotten: string[]
  /** Changes to report, unless it is the first listing. */
  changes: ToolChange[]
}

/** Compares a listing with the stored tools of its server. */
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

/** Returns null for a change that needs no decision: back to the approved definition, or of a blocked tool. */
function describeChange(pin: Pin | undefined, tool: SeenTool): ToolChange | null {
  const { name, hash, fault } = tool
  if (!pin) return { tool: name, state: 'new', hash, previousHash: null }
  const after = stateOf({ ...pin, seenHash: hash, fault })
  if (after === 'blocked' || after === 'approved') return null
  if (after === 'changed') return { tool: name, state: 'changed', hash, previousHash: pin.approvedHash }
  return pin.seenHash === hash ? null : { tool: name, state: 'new', hash, previousHash: pin.seenHash }
}
