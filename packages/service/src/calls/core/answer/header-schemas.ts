import { Type } from 'typebox'

// The OpenAPI schemas of the headers that `headers.ts` writes.

const limitHeaders = (unit: 'requests' | 'tokens') => ({
  [`X-RateLimit-Limit-${unit}`]: Type.Integer({ description: `The maximum number of ${unit} per minute` }),
  [`X-RateLimit-Remaining-${unit}`]: Type.Integer({
    description: `The number of ${unit} that are left in this minute`,
  }),
  [`X-RateLimit-Reset-${unit}`]: Type.String({
    description: `The duration until all ${unit} are available again`,
    examples: ['12.5s', '800ms'],
  }),
})

export const rateLimitHeaderSchemas = { ...limitHeaders('requests'), ...limitHeaders('tokens') }

export const receiptHeaderSchemas = {
  'X-Tallystick-Cost-Usd': Type.String({
    description:
      'The cost of the call in USD, as an exact decimal. Streams do not have this header, because they start before the cost is known',
    examples: ['0.00042'],
  }),
  'X-Tallystick-Receipt': Type.Integer({
    description:
      'The number of the receipt in the record. Streams do not have this header, because they start before the receipt exists',
    examples: [4711],
  }),
}
