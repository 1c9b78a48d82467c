import type { Counts } from './counts.js'
import type { Price } from './price.js'

const feeName = 'tool_call'
const picosPerNano = 1_000

/** What each call of a server's tools costs, as the record says it. */
export const toolCallPrice = (nanos: number): Price => ({
  rates: { input: 0, output: 0 },
  ...(nanos > 0 && { fees: { [feeName]: nanos * picosPerNano } }),
})

/** Of one call that reached its server. */
export const oneToolCall: Counts = { tools: { [feeName]: 1 } }
