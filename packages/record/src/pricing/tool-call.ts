import type { Counts } from './counts.js'
import type { Price } from './price.js'

const feeName = 'tool_call'
const picosPerNano = 1_000

/** Returns the price of each tool call at a server, in the form of the record. */
export const toolCallPrice = (nanos: number): Price => ({
  rates: { input: 0, output: 0 },
  ...(nanos > 0 && { fees: { [feeName]: nanos * picosPerNano } }),
})

/** The counts of one tool call that reached its server. */
export const oneToolCall: Counts = { tools: { [feeName]: 1 } }
