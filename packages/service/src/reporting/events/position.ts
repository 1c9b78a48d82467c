import type { Cursors } from '../../http/index.js'
import { invalidField } from '../../shared/errors.js'

/**
 * The position of a stream in the two ordered sources: the record, and the log of alerts. An entry of the record
 * makes up to two events, so it has two steps: a stream that breaks off between them continues with the second.
 */
export interface Position {
  /** The position in the record: `2 · seq` after an entry's call, `2 · seq + 1` after its alert, which completes the entry. */
  step: number
  /** The position in the log of alerts: the number of the last one. */
  alert: number
}

export const callStep = (seq: number): number => 2 * seq
export const alertStep = (seq: number): number => 2 * seq + 1
/** Returns the last completed entry, after which reading continues. */
export const lastCompleteSeq = (step: number): number => Math.floor((step - 1) / 2)

/** Ids of events: positions, signed for their tenant, so that forged ones are refused. */
export interface EventIds {
  encode(tenantId: string, position: Position): string
  decode(tenantId: string, id: string): Position
}

export function createEventIds(cursors: Cursors): EventIds {
  const scopeOf = (tenantId: string) => `events ${tenantId}`
  return {
    encode: (tenantId, { step, alert }) => cursors.encode(scopeOf(tenantId), `${step}-${alert}`),
    decode(tenantId, id) {
      const [step, alert] = readPosition(cursors, scopeOf(tenantId), id).split('-').map(Number)
      if (step === undefined || alert === undefined) throw notIssued()
      return { step, alert }
    },
  }
}

function readPosition(cursors: Cursors, scope: string, id: string): string {
  try {
    return cursors.decode(scope, id)
  } catch {
    throw notIssued()
  }
}

const notIssued = () =>
  invalidField('lastEventId', 'was not issued for this stream; connect without it to start from now')
