import { createHash } from 'node:crypto'
import type { CallerMessages } from '../../../resources/mcp-sessions/index.js'
import type { McpCaller } from '../caller.js'
import type { RpcRequest } from '../protocol/message.js'

/** Cancels open requests of callers, on any replica. */
export interface Cancellations {
  /** Calls back when the request is cancelled. Returns a function that stops watching. */
  watch(caller: McpCaller, request: RpcRequest, onCancelled: () => void): () => void
  cancel(caller: McpCaller, requestId: unknown): Promise<void>
}

// Limits cancellations per key, because those for other replicas are written to the database.
const windowMs = 60_000
const maxPerWindow = 300

/** Creates the cancellations. They require a session, because callers with the same key may choose the same request ids. */
export function createCancellations(
  messages: CallerMessages,
  now: () => number = () => performance.now(),
): Cancellations {
  // Bounded: keys that cancelled within a window; cleared with each.
  let counted = new Map<string, number>()
  let windowEndsMs = now() + windowMs

  function mayCancel(keyId: string): boolean {
    if (now() >= windowEndsMs) {
      // Bounded: keys that cancelled within a window; cleared with each.
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
