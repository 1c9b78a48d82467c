import { Type } from 'typebox'

// The OpenAPI schemas of the headers that `headers.ts` writes.

const limitHeaders = (unit: 'requests' | 'tokens') => ({
  [`X-RateLimit-Limit-${unit}`]: Type.Integer({ description: `How many ${unit} a minute may have` }),
  [`X-RateLimit-Remaining-${unit}`]: Type.Integer({
    description: `How many ${unit} are left of this minute`,
  }),
  [`X-RateLimit-Reset-${unit}`]: Type.String({
    description: `When all ${unit} are available again, as a duration`,
    examples: ['12.5s', '800ms'],
  }),
})

export const rateLimitHeaderSchemas = { ...limitHeaders('requests'), ...limitHeaders('tokens') }

export const receiptHeaderSchemas = {
  'X-Tallystick-Cost-Usd': Type.String({
    description: 'What the call cost, as an exact decimal. A stream begins before it is known',
    examples: ['0.00042'],
  }),
  'X-Tallystick-Receipt': Type.Integer({
    description: 'The number of the receipt. A stream begins before there is one',
    examples: [4711],
  }),
}
