import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import claudeTokens from '../../../../../test/vectors/claude-tokens.json' with { type: 'json' }
import { createTokenCounter, type TokenCounter } from './token-counter.js'

const MIB = 1024 * 1024
const prose = 'Tally sticks were split in two, so that neither party could alter the count alone.\n'

let counter: TokenCounter
beforeAll(async () => {
  counter = await createTokenCounter()
})
afterAll(() => counter.close())

describe('the token counter', () => {
  it('counts several texts together as o200k_base does', async () => {
    expect(await counter.count(['hello world', prose])).toBe(countTokens('hello world') + countTokens(prose))
    expect(await counter.count([])).toBe(0)
    expect(await counter.count([''])).toBe(0)
  })

  it('counts the markers of a model as ordinary text', async () => {
    expect(await counter.count(['<|endoftext|>'])).toBe(7)
    expect(await counter.count(['<|im_start|>system <|fim_prefix|>'])).toBeGreaterThan(8)
  })

  it('gives the same answer in the thread, over several batches, as on the spot', async () => {
    const long = prose.repeat(2000)
    expect(await counter.count([long, 'hello world'])).toBe(countTokens(long) + 2)
  })

  it('counts text of ordinary words exactly, wherever it is cut into pieces', async () => {
    const word = fc.stringMatching(/^[A-Za-z0-9.,/(){}"'=-]{1,20}$/)
    const gap = fc.constantFrom(' ', '\n', '\n\n', '\r\n', '  ', '\n    ', '\t')
    const text = fc
      .array(fc.tuple(word, gap), { minLength: 100, maxLength: 300 })
      .map((pairs) => pairs.flat().join(''))
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        expect(await counter.count([text])).toBe(countTokens(text, { disallowedSpecial: new Set() }))
      }),
      { numRuns: propertyRuns / 2 },
    )
  })

  it('counts a short text of any characters exactly, also one whose words it has counted before', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        "it's",
        " DON'T",
        '`code`',
        '\r\n\n',
        '   ',
        '人口',
        'é',
        '\u0301',
        '😀',
        '1234',
        '//\n',
        '\ud835',
      ),
    )
    const text = fc.array(part, { maxLength: 20 }).map((parts) => parts.join('').slice(0, 250))
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const exact = countTokens(text, { disallowedSpecial: new Set() })
        expect([await counter.count([text]), await counter.count([text])]).toEqual([exact, exact])
      }),
      { numRuns: 10 * propertyRuns },
    )
  })

  it('counts more words than it remembers', async () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}`).join(' ')
    expect(await counter.count([text])).toBe(countTokens(text))
    expect(await counter.count([text])).toBe(countTokens(text))
  })

  it('answers for any string, with at most one token for each byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 3000 }), async (text) => {
        const tokens = await counter.count([text])
        expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text))
        expect(tokens).toBeGreaterThanOrEqual(text === '' ? 0 : 1)
      }),
      { numRuns: propertyRuns / 2 },
    )
  })

  it.each([
    ['one letter', 'a', 8],
    ['spaces', ' ', 128],
    ['newlines', '\n', 16],
    ['one Chinese character', '人', 2],
    ['equals signs', '=', 64],
  ])(
    'counts 1 MiB of %s in time that grows with its length, not with its square',
    async (_, unit, charsPerToken) => {
      const tokens = await counter.count([unit.repeat(MIB)])
      expect(tokens).toBeGreaterThanOrEqual(MIB / charsPerToken)
      expect(tokens).toBeLessThan((MIB / charsPerToken) * 1.1)
    },
  )

  it('leaves the event loop free while it counts 1 MiB', async () => {
    await counter.count([prose.repeat(100)])
    let counting = true
    let turns = 0
    const counted = counter.count([prose.repeat(MIB / prose.length)]).finally(() => {
      counting = false
    })
    while (counting) {
      await nextTurn()
      turns += 1
    }
    await counted
    expect(turns).toBeGreaterThan(100)
  })

  it('answers the upper bound after it was closed', async () => {
    const closing = await createTokenCounter()
    const long = prose.repeat(1000)
    const pending = closing.count([long])
    await closing.close()
    expect(await pending).toBe(long.length)
    expect(await closing.count([long])).toBe(long.length)
  })
})

describe('the families of encodings', () => {
  it('count cl100k exactly, short and long', async () => {
    const hindi = 'गिनती की छड़ियों को दो भागों में चीरा जाता था। '
    for (const text of ['hello world', hindi, prose.repeat(200)]) {
      const exact = countCl100k(text)
      expect(await counter.measure([text], 'cl100k')).toEqual({ estimate: exact, bound: exact })
    }
    expect(countCl100k(hindi)).toBeGreaterThan(2 * countTokens(hindi))
  })

  it('bound an unknown encoding by the bytes, also of what normalisation makes of them', async () => {
    expect(await counter.measure(['hello world'], 'bytes')).toEqual({ estimate: 2, bound: 11 })
    expect((await counter.measure(['人é'], 'bytes')).bound).toBe(5)
    expect((await counter.measure(['\ufdfa'], 'bytes')).bound).toBe(
      Buffer.byteLength('\ufdfa'.normalize('NFKC')),
    )
  })

  it('never bound Claude below 1.35 times its public count, nor above the bytes', async () => {
    expect(claudeTokens.length).toBeGreaterThan(200)
    for (const { text, tokens } of claudeTokens) {
      const { bound } = await counter.measure([text], 'claude')
      const mostBytes = (await counter.measure([text], 'bytes')).bound
      expect({ text, ok: bound >= Math.min(Math.ceil((tokens * 135) / 100), mostBytes) }).toEqual({
        text,
        ok: true,
      })
      expect(bound).toBeLessThanOrEqual(mostBytes)
    }
  })

  it('bound Claude below twice the public count for plain prose', async () => {
    const english = claudeTokens[0]
    if (english === undefined) throw new Error('there are no vectors')
    const { estimate, bound } = await counter.measure([english.text], 'claude')
    expect(estimate).toBe(Math.round((english.tokens * 135) / 100))
    expect(bound).toBeLessThan(2 * english.tokens)
  })

  it('count the same in the thread as on the spot', async () => {
    for (const tokenizer of ['o200k', 'claude', 'bytes'] as const) {
      const short = await counter.measure([prose], tokenizer)
      const long = await counter.measure(
        Array.from({ length: 100 }, () => prose),
        tokenizer,
      )
      expect(long).toEqual({ estimate: 100 * short.estimate, bound: 100 * short.bound })
    }
  })
})
