import { makeGate } from '../service/gateway.js'
import type { BilledGateway } from './billed-gateway.js'
import type { JsonObject } from './json.js'
import type { Shape } from './shapes.js'
import type { Bill } from './upstream.js'

/** All calls are admitted or refused before the first one is answered. */
export async function sendAtOnce(
  { upstream, send, recorded }: BilledGateway,
  count: number,
  shape: Pick<Shape, 'path' | 'headers' | 'write' | 'files'>,
  body: JsonObject,
  key: string,
): Promise<{ bills: Bill[]; statuses: number[]; recorded: number }> {
  const before = upstream.bills.length
  const decided = makeGate()
  let refused = 0
  const openWhenDecided = () => {
    if (refused + upstream.bills.length - before >= count) decided.open()
  }
  upstream.beforeAnswer = () => {
    openWhenDecided()
    return decided.passed
  }
  const ended = await Promise.all(
    Array.from({ length: count }, async () => {
      const response = await send(shape, body, key)
      if (response.status !== 200) {
        refused++
        openWhenDecided()
      }
      await response.arrayBuffer()
      const nanos = response.status === 200 ? (await recorded(response)).nanos : 0
      return { status: response.status, nanos }
    }),
  )
  return {
    bills: upstream.bills.slice(before),
    statuses: ended.map(({ status }) => status),
    recorded: ended.reduce((sum, { nanos }) => sum + nanos, 0),
  }
}
