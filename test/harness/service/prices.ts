import fc from 'fast-check'
import type {
  Counts,
  LongerRates,
  Price,
  Rates,
  TierPrice,
} from '../../../packages/record/src/pricing/index.js'

// Generators of any valid price, and of any counts whose parts do not exceed their totals.

const picos = fc.integer({ min: 0, max: 200_000_000 })
const some = { requiredKeys: [] } satisfies fc.RecordConstraints<never>

const anyRates: fc.Arbitrary<Rates> = fc
  .tuple(
    fc.record({ input: picos, output: picos }),
    fc.record(
      { cached: picos, written: picos, writtenHour: picos, audioIn: picos, audioOut: picos, image: picos },
      some,
    ),
  )
  .map(([needed, more]) => ({ ...needed, ...more }))

const anyLonger: fc.Arbitrary<LongerRates[]> = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 2_000_000 }), anyRates), {
    maxLength: 3,
    selector: ([threshold]) => threshold,
  })
  .map((list) =>
    list.sort(([a], [b]) => a - b).map(([aboveInputTokens, rates]) => ({ aboveInputTokens, rates })),
  )

const anyTierPrice: fc.Arbitrary<TierPrice> = fc.oneof(
  fc.record({ rates: anyRates, longer: anyLonger }),
  fc.record({ permille: fc.integer({ min: 0, max: 7_000 }) }),
  fc.record({ rates: anyRates, permille: fc.integer({ min: 0, max: 7_000 }) }),
)

const tool = fc.constantFrom('web_search', 'file_search', 'shell')
const tierName = fc.constantFrom('priority', 'flex', 'us')

export const anyPrice: fc.Arbitrary<Price> = fc
  .tuple(
    anyRates,
    fc.record(
      { longer: anyLonger, tiers: fc.dictionary(tierName, anyTierPrice), fees: fc.dictionary(tool, picos) },
      some,
    ),
  )
  .map(([rates, more]) => ({ rates, ...more }))

export const anyTier: fc.Arbitrary<string | null> = fc
  .array(fc.oneof(tierName, fc.constant('unheard-of')), { maxLength: 3 })
  .map((names) => (names.length > 0 ? names.join('+') : null))

export const tokens = fc.integer({ min: 0, max: 1_000_000 })

/** Generates parts that do not exceed their totals. */
export const anyCounts = fc
  .record({
    plain: tokens,
    cached: tokens,
    minutes: tokens,
    writtenHour: tokens,
    audioIn: tokens,
    text: tokens,
    audioOut: tokens,
    images: fc.integer({ min: 0, max: 5 }),
    tools: fc.dictionary(tool, fc.integer({ min: 0, max: 9 })),
  })
  .map(({ plain, minutes, text, ...counts }) => ({
    ...counts,
    written: minutes + counts.writtenHour,
    input: plain + counts.cached + minutes + counts.writtenHour + counts.audioIn,
    output: text + counts.audioOut,
  })) satisfies fc.Arbitrary<Counts>
