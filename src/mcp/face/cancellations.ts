import { createHash } from 'node:crypto'
import type { CallerMessages } from '../../modules/mcp-sessions/index.js'
import type { FaceCaller } from './face-caller.js'
import type { RpcRequest } from './message.js'

/** Requests that callers want no answer to any more, on whichever replica they are under way. */
export interface Cancellations {
  /** Returns how to stop watching. */
  watch(caller: FaceCaller, request: RpcRequest, onCancelled: () => void): () => void
  cancel(caller: FaceCaller, requestId: unknown): Promise<void>
}

// A cancellation of what is not here is written to the database: no caller may fill that.
const windowMs = 60_000
const maxPerWindow = 300

/** Only sessions have requests that another request can name: callers with the same key choose the same ids. */
export function createCancellations(
  messages: CallerMessages,
  now: () => number = () => performance.now(),
): Cancellations {
  let counted = new Map<string, number>()
  let windowEndsMs = now() + windowMs

  function mayCancel(keyId: string): boolean {
    if (now() >= windowEndsMs) {
      counted = new Map()
      windowEndsMs = now() + windowMs
    }
    const count = (counted.get(keyId) ?? 0) + 1
    counted.set(keyId, count)
    return count <= maxPerWindow
  }

  return {
    watch({ session }, { idJson }, onCancelled) {
      if (session === null || idJson === null) return () => undefined
      return messages.listen(session.tenantId, addressOf(session.id, JSON.parse(idJson)), onCancelled)
    },
    async cancel({ session, keyId }, requestId) {
      const isId = typeof requestId === 'string' || typeof requestId === 'number'
      if (session === null || !isId || !mayCancel(keyId)) return
      await messages.send(session.tenantId, addressOf(session.id, requestId), '{}')
    },
  }
}

const addressOf = (sessionId: string, id: unknown): string =>
  `${sessionId}/cancel/${createHash('sha256').update(JSON.stringify(id)).digest('hex').slice(0, 32)}`
