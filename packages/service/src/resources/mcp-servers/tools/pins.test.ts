import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SeenTool } from './definition.js'
import { compareListing, type Pin, type Pinning, pinTool, stateOf } from './pins.js'

const hashes = ['a', 'b', 'c'] as const
const names = ['one', 'two', '__proto__', 'constructor'] as const

const anyHash = fc.constantFrom(...hashes)
const anyFault = fc.constantFrom(null, 'listed twice')
const anyPin = (name: string): fc.Arbitrary<Pin> =>
  fc.record({
    name: fc.constant(name),
    seenHash: anyHash,
    isGone: fc.boolean(),
    fault: anyFault,
    approvedHash: fc.option(anyHash),
    isBlocked: fc.boolean(),
  })
const anyPins = fc
  .tuple(...names.map((name) => fc.option(anyPin(name))))
  .map((pins) => pins.filter((pin) => pin !== null))
const anyListing = fc
  .tuple(
    ...names.map((name) =>
      fc.option(
        fc.record<SeenTool>({
          name: fc.constant(name),
          hash: anyHash,
          text: fc.constant('{}'),
          fault: anyFault,
        }),
      ),
    ),
  )
  .map((tools) => ({
    tools: new Map(tools.filter((tool) => tool !== null).map((tool) => [tool.name, tool])),
  }))
const anyPinning = fc.constantFrom<Pinning>('off', 'warn', 'block')

/** What the rows are after a listing was kept. */
function apply(pins: readonly Pin[], listing: { tools: ReadonlyMap<string, SeenTool> }): Pin[] {
  const { seen, gone, forgotten } = compareListing(pins, listing)
  const after = new Map(pins.map((pin) => [pin.name, pin]))
  for (const { name, hash, fault } of seen) {
    const known = after.get(name) ?? { approvedHash: null, isBlocked: false }
    after.set(name, { ...known, name, seenHash: hash, fault, isGone: false })
  }
  for (const name of gone) {
    const known = after.get(name)
    if (known) after.set(name, { ...known, isGone: true, fault: null })
  }
  for (const name of forgotten) after.delete(name)
  return [...after.values()]
}

const shown = (pin: Pin, pinning: Pinning, speaksForOthers = false) =>
  pinTool(
    {
      ...pin,
      seen: () => ({ hash: pin.seenHash }),
      approved: () => ({ hash: pin.approvedHash }),
      speaksForOthers: () => speaksForOthers,
    },
    pinning,
  )

describe('what callers are shown', () => {
  test('under block it is what was approved, byte for byte, and listed as such: nothing else', () => {
    fc.assert(
      fc.property(anyPin('t'), (pin) => {
        const { definition } = shown(pin, 'block')
        const isAsApproved =
          pin.approvedHash === pin.seenHash && !pin.isBlocked && !pin.isGone && pin.fault === null
        expect(definition).toEqual(isAsApproved ? { hash: pin.approvedHash } : null)
      }),
    )
  })

  test('what is blocked, gone or ambiguous is never shown, whatever pinning says', () => {
    fc.assert(
      fc.property(anyPin('t'), anyPinning, fc.boolean(), (pin, pinning, speaks) => {
        fc.pre(pin.isBlocked || pin.isGone || pin.fault !== null)
        expect(shown(pin, pinning, speaks).definition).toBeNull()
      }),
    )
  })

  test('a definition that nobody approved and that speaks for another server is never shown', () => {
    fc.assert(
      fc.property(anyPin('t'), anyPinning, (pin, pinning) => {
        const { definition } = shown(pin, pinning, true)
        if (definition !== null) expect(pin.approvedHash).toBe(pin.seenHash)
      }),
    )
  })

  test('warn shows the newest and says that nobody approved it; off does not say so', () => {
    const pin: Pin = {
      ...{ name: 't', seenHash: 'b', isGone: false, fault: null },
      ...{ approvedHash: 'a', isBlocked: false },
    }
    expect(shown(pin, 'warn')).toEqual({
      ...{ name: 't', state: 'changed', hash: 'b', definition: { hash: 'b' }, isUnapproved: true },
    })
    expect(shown(pin, 'off')).toMatchObject({ definition: { hash: 'b' }, isUnapproved: false })
    expect(shown({ ...pin, approvedHash: null }, 'warn')).toMatchObject({ state: 'new', isUnapproved: true })
    expect(shown({ ...pin, approvedHash: 'b' }, 'warn')).toMatchObject({
      ...{ state: 'approved', isUnapproved: false },
    })
  })
})

describe('comparing a listing with what is known', () => {
  test('after it, what is known is what was listed, and the same listing again changes nothing', () => {
    fc.assert(
      fc.property(anyPins, anyListing, (pins, listing) => {
        const after = apply(pins, listing)
        const listed = after.filter(({ isGone }) => !isGone)
        expect(listed.map(({ name, seenHash, fault }) => ({ name, seenHash, fault })).sort(byName)).toEqual(
          [...listing.tools.values()]
            .map(({ name, hash, fault }) => ({ name, seenHash: hash, fault }))
            .sort(byName),
        )
        expect(compareListing(after, listing)).toEqual({ seen: [], gone: [], forgotten: [], changes: [] })
      }),
    )
  })

  test('no decision is ever changed or forgotten by a listing', () => {
    fc.assert(
      fc.property(anyPins, anyListing, (pins, listing) => {
        const after = new Map(apply(pins, listing).map((pin) => [pin.name, pin]))
        for (const pin of pins) {
          if (pin.approvedHash === null && !pin.isBlocked) continue
          expect(after.get(pin.name)).toMatchObject({
            ...{ approvedHash: pin.approvedHash, isBlocked: pin.isBlocked },
          })
        }
      }),
    )
  })

  test('everything that stops being callable as approved is told of, and nothing that stays so', () => {
    fc.assert(
      fc.property(anyPins, anyListing, (pins, listing) => {
        const told = new Map(compareListing(pins, listing).changes.map((change) => [change.tool, change]))
        const after = new Map(apply(pins, listing).map((pin) => [pin.name, pin]))
        const isCallable = (pin: Pin | undefined) =>
          pin !== undefined && !pin.isGone && stateOf(pin) === 'approved'
        for (const name of names) {
          const before = pins.find((pin) => pin.name === name)
          const now = after.get(name)
          if (isCallable(before) && !isCallable(now)) expect(told.has(name)).toBe(true)
          if (isCallable(now) || now?.isBlocked) expect(told.has(name)).toBe(false)
          if (!before && now) expect(told.get(name)).toMatchObject({ state: 'new', previousHash: null })
        }
      }),
    )
  })

  const approved: Pin = {
    ...{ name: 'old', seenHash: 'a', isGone: false, fault: null },
    ...{ approvedHash: 'a', isBlocked: false },
  }
  const listed = (...tools: [name: string, hash: string][]) => ({
    tools: new Map(tools.map(([name, hash]) => [name, { name, hash, text: '{}', fault: null }])),
  })

  test('a renamed tool is one that is gone and one that is new', () => {
    const { changes } = compareListing([approved], listed(['new', 'b']))
    expect(changes).toEqual([
      { tool: 'new', state: 'new', hash: 'b', previousHash: null },
      { tool: 'old', state: 'gone', hash: 'a', previousHash: 'a' },
    ])
  })

  test('one that comes back as it was approved is approved; otherwise it is changed', () => {
    const [gone] = apply([approved], listed())
    expect(gone).toMatchObject({ isGone: true, approvedHash: 'a' })
    const back = apply(gone ? [gone] : [], listed(['old', 'a']))
    expect(back.map(stateOf)).toEqual(['approved'])
    expect(compareListing(gone ? [gone] : [], listed(['old', 'a'])).changes).toEqual([])
    expect(compareListing(gone ? [gone] : [], listed(['old', 'z'])).changes).toEqual([
      { tool: 'old', state: 'changed', hash: 'z', previousHash: 'a' },
    ])
  })

  test('of one that nobody decided about nothing is kept when it is gone', () => {
    const unknown = { ...approved, approvedHash: null }
    expect(compareListing([unknown], listed())).toEqual({
      ...{ seen: [], gone: [], forgotten: ['old'], changes: [] },
    })
  })
})

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
