import { anthropic } from './anthropic.js'
import { openai } from './openai.js'
import type { Vendor } from './vendor.js'

export type { AuthorizeTools, StreamDecoder, Vendor } from './vendor.js'

/** By type. */
export const vendors: ReadonlyMap<string, Vendor> = new Map(
  [openai, anthropic].map((vendor) => [vendor.type, vendor]),
)
