import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/**
 * Rejects unless the server answers in time. When this process itself was blocked, its timeout can fire before the answer in
 * the socket's buffer is read. So one turn of the event loop is left for reading before the connection counts as dead.
 */
export async function requireLiveness(client: pg.Client, withinMs: number): Promise<void> {
  const startedMs = performance.now()
  const answered = new AbortController()
  const answer = client.query('select true').then(() => true)
  const late = pause(withinMs, false, { signal: answered.signal })
  const inTime = Promise.race([answer, late]).finally(() => answered.abort())
  // The one that is not waited for any longer.
  for (const each of [answer, late]) each.catch(() => undefined)
  if (await inTime) return
  await nextTurn()
  // A timer that fires late says that this process was blocked, not that the server is silent.
  const wasBlocked = performance.now() - startedMs > withinMs * 1.25
  if (wasBlocked && (await Promise.race([answer, pause(withinMs, false)]))) return
  if (!(await Promise.race([answer, false]))) throw new Error('The database does not answer')
}
