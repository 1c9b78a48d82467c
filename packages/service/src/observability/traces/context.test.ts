import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginCallTrace } from './call-trace.js'
import { randomHex, readTraceContext } from './context.js'
import { createSampler } from './sampler.js'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const valid = `00-${traceId}-${parentId}-01`

describe('a traceparent', () => {
  test('is read', () => {
    expect(readTraceContext(valid, undefined)).toEqual({ traceId, parentId, flags: 1, tracestate: null })
  })

  test('of a later version is read without its unknown fields', () => {
    for (const later of [`01-${traceId}-${parentId}-00`, `cc-${traceId}-${parentId}-00-what-else`])
      expect(readTraceContext(later, undefined)).toMatchObject({ traceId, parentId, flags: 0 })
  })

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['version ff', `ff-${traceId}-${parentId}-01`],
    ['capitals', valid.toUpperCase()],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${traceId.slice(1)}-${parentId}-01`],
    ['more than version 00 has', `${valid}-more`],
    ['something after a later version without a dash', `01-${traceId}-${parentId}-01x`],
    ['a space', ` ${valid}`],
    ['a line end', `${valid}\n`],
    ['two of them', `${valid}, ${valid}`],
    ['a list', [valid, valid]],
  ])('that cannot be read is no traceparent: %s', (_, header) => {
    expect(readTraceContext(header, 'a=1')).toBeNull()
  })
})

describe('a tracestate', () => {
  const stateOf = (header: string | string[]) => readTraceContext(valid, header)?.tracestate
  test.each<[string, string | string[], string | null]>([
    ['one member', 'congo=t61rcWkgMzE', 'congo=t61rcWkgMzE'],
    ['spaces and empty members', ' a=1 ,, \tb=2 ', 'a=1,b=2'],
    ['a member of a tenant', 'fw529a3039@dt=FfAwMDA', 'fw529a3039@dt=FfAwMDA'],
    ['several headers', ['a=1', 'b=2'], 'a=1,b=2'],
    ['a capital in a name', 'A=1', null],
    ['no value', 'a', null],
    ['an equals sign in a value', 'a=b=c', null],
    ['a name twice', 'a=1,a=2', null],
    ['a control character', 'a=1\u0007', null],
    ['a virtual key', `a=tallystick_sk_${'k'.repeat(40)}`, null],
    ['33 members', Array.from({ length: 33 }, (_, index) => `a${index}=1`).join(), null],
    ['nothing', '', null],
    [
      'more than 512 characters',
      `a=${'x'.repeat(200)},b=${'y'.repeat(200)},c=${'z'.repeat(200)}`,
      `a=${'x'.repeat(200)},b=${'y'.repeat(200)}`,
    ],
  ])('%s', (_, header, state) => {
    expect(stateOf(header)).toBe(state)
  })

  test('is ignored without a traceparent', () => {
    expect(beginCallTrace({ tracestate: 'a=1' }, () => true).tracestate).toBeNull()
  })
})

describe('the trace of a call', () => {
  test('continues the caller’s trace, with the provider’s span below this service’s', () => {
    const trace = beginCallTrace(
      { traceparent: valid, tracestate: 'a=1' },
      createSampler('parentbased_always_on', 1),
    )
    expect(trace).toMatchObject({ traceId, parentId, isSampled: true, tracestate: 'a=1' })
    expect(trace.traceparent).toBe(`00-${traceId}-${trace.spanPrefix}02-01`)
    expect(readTraceContext(trace.traceparent, undefined)).not.toBeNull()
  })

  test('begins here if the caller sends no valid header, with a new id each time', () => {
    const ids = new Set(
      Array.from({ length: 1_000 }, () => beginCallTrace({ traceparent: 'nonsense' }, () => true).traceId),
    )
    expect(ids.size).toBe(1_000)
    for (const id of ids) expect(id).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
  })

  test('tells the provider that the caller did not sample it', () => {
    const sample = createSampler('parentbased_always_on', 1)
    const trace = beginCallTrace({ traceparent: `00-${traceId}-${parentId}-02` }, sample)
    expect(trace).toMatchObject({ isSampled: false })
    expect(trace.traceparent).toMatch(/-02$/)
  })
})

describe('a sampler', () => {
  const parent = (flags: number) => ({ traceId, parentId, flags, tracestate: null })
  test.each([
    ['always_on', [true, true, true]],
    ['always_off', [false, false, false]],
    ['parentbased_always_on', [true, true, false]],
    ['parentbased_always_off', [false, true, false]],
  ] as const)(
    '%s: of a trace that begins here, of a parent that is kept, of one that is not',
    (name, kept) => {
      const sample = createSampler(name, 1)
      expect([sample(traceId, null), sample(traceId, parent(1)), sample(traceId, parent(0))]).toEqual(kept)
    },
  )

  test('by ratio keeps that share, including everything that a smaller ratio keeps', () => {
    const ids = Array.from({ length: 20_000 }, () => randomHex(16))
    const tenth = createSampler('traceidratio', 0.1)
    const half = createSampler('parentbased_traceidratio', 0.5)
    const share = (sample: typeof tenth) => ids.filter((id) => sample(id, null)).length / ids.length
    expect(share(tenth)).toBeCloseTo(0.1, 1)
    expect(share(half)).toBeCloseTo(0.5, 1)
    for (const id of ids) if (tenth(id, null)) expect(half(id, null)).toBe(true)
    expect(share(createSampler('traceidratio', 0))).toBe(0)
    expect(share(createSampler('traceidratio', 1))).toBe(1)
  })

  test('whatever a caller sends, the provider gets a valid header', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (traceparent, tracestate) => {
        const trace = beginCallTrace({ traceparent, tracestate }, () => true)
        expect(readTraceContext(trace.traceparent, trace.tracestate ?? undefined)).toMatchObject({
          traceId: trace.traceId,
          tracestate: trace.tracestate,
        })
      }),
    )
  })
})
