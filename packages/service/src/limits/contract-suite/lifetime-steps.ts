import fc from 'fast-check'
import type { SpendAccount } from '../../shared/spend-account.js'
import type { AdmissionStore, Hold, ReceiptSpend, WindowClaim } from '../contract.js'
import type { Entry } from './reference-model.js'

/** One step of a random script. */
export type Step = { readonly waitTicks: number; readonly replica: number; readonly pick: number } & (
  | {
      readonly kind: 'admit'
      readonly claims: readonly WindowClaim[]
      readonly most: number
      readonly least: number
    }
  | {
      readonly kind:
        | 'settle'
        | 'begin'
        | 'finish'
        | 'report'
        | 'report all again'
        | 'die'
        | 'forget'
        | 'loseState'
    }
)

const limited = [
  { id: 'key_a/rpm', unit: 'requests', windowMs: 3_000 },
  { id: 'key_a/tpm', unit: 'tokens', windowMs: 3_000 },
] as const
export const user: SpendAccount = { scopeType: 'user', scopeId: 'ada', startMs: 0, endMs: null }
export const wholeTenant: SpendAccount = { scopeType: 'tenant', scopeId: 'all', startMs: 0, endMs: null }
export const scopes = [
  ['user', 'ada'],
  ['tenant', 'all'],
] as const

const arbitraryPlace = {
  replica: fc.nat(),
  pick: fc.nat(),
  waitTicks: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 12_000 }),
    fc.integer({ min: 23_990, max: 24_010 }),
  ),
}
const arbitraryClaim = fc
  .record({
    what: fc.constantFrom(...limited),
    limit: fc.constantFrom(6, 20),
    amount: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ what, limit, amount }): WindowClaim => ({ ...what, limit, amount }))
export const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...arbitraryPlace,
      kind: fc.constant('admit' as const),
      claims: fc.uniqueArray(arbitraryClaim, { maxLength: 2, selector: ({ id }) => id }),
      most: fc.integer({ min: 1, max: 40 }),
      least: fc.integer({ min: 1, max: 10 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      ...arbitraryPlace,
      kind: fc.constantFrom(
        'begin',
        'begin',
        'begin',
        'settle',
        'settle',
        'finish',
        'finish',
        'report',
        'report',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...arbitraryPlace,
      kind: fc.constantFrom('report all again', 'die', 'forget', 'loseState'),
    }),
  },
)

/** A call as the reference model knows it. */
export interface LivingCall {
  readonly attemptId: string
  readonly store: AdmissionStore
  readonly hold: Hold
  readonly atMs: number
  readonly generation: number | null
  readonly claims: readonly WindowClaim[]
  readonly granted: number
  /** The cost and the tokens that its receipt will have. */
  readonly cost: number
  readonly tokens: number
  readonly strict: readonly Entry[]
  readonly lenient: readonly Entry[]
  held: number
  settled: boolean
  /** `fenced`: the tenant was loaded before the call was stored as open, so the call must be admitted again. */
  state: 'admitted' | 'fenced' | 'under way' | 'recorded' | 'gone'
  receipt: ReceiptSpend | null
  reported: boolean
  reportedAtMs: number
}
