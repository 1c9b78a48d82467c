import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { processorMsSince, scaledMs } from '../../../../../../test/harness/run/processor-time.js'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import type { TextFinder } from '../judge.js'
import { matchesName } from '../name-pattern.js'
import { createKeywordFinder } from './keyword-finder.js'
import { createPatternFinder, withoutAssertions } from './pattern-finder.js'
import { findRequiredText } from './required-text.js'

const findAll = (finder: TextFinder, text: string, stride = Number.POSITIVE_INFINITY): string[] => {
  const found: string[] = []
  for (let from = 0; from < text.length; from += stride)
    for (const { start, end } of finder.find(text, from, Math.min(text.length, from + stride)))
      found.push(text.slice(start, end))
  return found
}

describe('keywords', () => {
  test.each([
    [['ass'], 'A class of its own; assess it.', []],
    [['ass'], 'An ASS, an-ass_', ['ASS']],
    [['project nightfall'], 'project\n\t Nightfall', ['project\n\t Nightfall']],
    [['c++', '.net'], 'I know C++ and .NET well', ['C++', '.NET']],
    [['straße'], 'Die STRASSE, die Straße', ['Straße']],
    [['秘密'], '这是秘密文件', ['秘密']],
    [['секрет'], 'Наш секрет, не секретарь', ['секрет']],
    [['a.b'], 'axb a.b', ['a.b']],
    [['nightfall'], 'night\u200bfall, \uff4eightfall', ['night\u200bfall', '\uff4eightfall']],
    [['one', 'two three'], 'two  three one', ['two  three', 'one']],
  ])('%j in "%s" are %j', (words, text, expected) => {
    expect(findAll(createKeywordFinder(words, false), text)).toEqual(expected)
  })

  test('are distinguished by case if that is configured', () => {
    expect(findAll(createKeywordFinder(['Falcon'], true), 'falcon Falcon FALCON')).toEqual(['Falcon'])
  })

  test('are the same whole and in strides', () => {
    const text = fc.array(fc.constantFrom('night', 'fall', ' ', 'x', 'nightfall', '\u200b', 'night  fall'))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (parts, stride) => {
        const finder = createKeywordFinder(['nightfall', 'night fall'], false)
        const whole = new Set(findAll(finder, parts.join('')))
        expect(new Set(findAll(finder, parts.join(''), stride))).toEqual(whole)
      }),
    )
  })

  test('of the largest list are found in a long text within two seconds', () => {
    for (const unit of ['word ', '- ', 'wordy']) {
      const words = Array.from({ length: 500 }, (_, i) => `${unit.repeat(30)}${i}`)
      const finder = createKeywordFinder(words, false)
      const begun = process.cpuUsage()
      expect(findAll(finder, unit.repeat(20_000), finder.strideChars)).toEqual([])
      expect(processorMsSince(begun)).toBeLessThan(scaledMs(2_000))
      expect(findAll(finder, `${unit.repeat(30)}77.`)).toHaveLength(1)
    }
  })

  test('are all found, also if they share a prefix or one is part of another', () => {
    const finder = createKeywordFinder(
      ['night', 'night fall', 'nightly', 'fall guy', 'night fall soon'],
      false,
    )
    expect(findAll(finder, 'A night, nightly; night fall guy. nights')).toEqual([
      'night',
      'nightly',
      'night fall',
      'fall guy',
    ])
  })
})

/** Regular expressions with everything that the reader of required text must understand. */
const regexes = fc
  .array(
    fc.constantFrom(
      ...['a', 'b', 'ab', 'x', '\\.', '-', '\\d', '[a-c]', '[^]a]', '[[:digit:]x]', '\\pL', '\\p{Lu}', '.'],
      ...['a+', 'b*', 'ab?', 'a{2}', 'b{1,3}', 'x{0,2}', '(ab)', '(?:a|b)', '(a|bx)+', '(a|)', '(?P<n>ab)?'],
      ...['\\b', '^', '$', '|', '\\B', '(?i:x)', '\\x61', '[\\]x]', '{', 'é'],
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', 'x', '.', '-', '1', ' ', 'é', '{'),
  maxLength: 12,
})

describe('a pattern', () => {
  test('has the required text in every match', () => {
    let checked = 0
    fc.assert(
      fc.property(regexes, fc.boolean(), texts, (body, ignoreCase, text) => {
        const regex = `${ignoreCase ? '(?i)' : ''}${body}`
        let engine: RE2JS
        try {
          engine = RE2JS.compile(regex)
        } catch {
          return
        }
        const required = findRequiredText(regex)
        if (required === null || !engine.matcher(text).find()) return
        checked++
        const anyOf = required.anyOf.map((each) => (required.ignoreCase ? each.toLowerCase() : each))
        const within = required.ignoreCase ? text.toLowerCase() : text
        expect(anyOf.some((each) => within.includes(each))).toBe(true)
      }),
      { numRuns: 50 * propertyRuns },
    )
    expect(checked).toBeGreaterThan(200)
  })

  test.each([
    ['\\bEMP-[0-9]{6}\\b', ['EMP-']],
    ['(?i)project\\s+nightfall', ['nightfall']],
    ['(foo|bar)baz?', ['foo', 'bar']],
    ['(foo|ba)\\d', ['foo', 'ba']],
    ['a|[0-9]', null],
    ['[a-z]+', null],
    ['(?i:abc)', null],
  ])('%s needs one of %j', (regex, anyOf) => {
    expect(findRequiredText(regex)?.anyOf ?? null).toEqual(anyOf)
  })

  test('without its assertions matches no less', () => {
    expect(withoutAssertions('^\\b[$^\\b]\\$a\\Bb\\z')).toBe('(?:)(?:)[$^\\b]\\$a(?:)b(?:)')
    fc.assert(
      fc.property(regexes, texts, (regex, text) => {
        const relaxed = withoutAssertions(regex)
        let engine: RE2JS
        try {
          engine = RE2JS.compile(regex)
        } catch {
          return
        }
        if (relaxed !== null && engine.matcher(text).find())
          expect(RE2JS.compile(relaxed).test(text)).toBe(true)
      }),
      { numRuns: 20 * propertyRuns },
    )
  })

  test('is found wherever it stands in a long text, and its anchors mean the whole text', () => {
    const filler = 'lorem ipsum '.repeat(2_000)
    const badge = createPatternFinder('badge', '\\bEMP-[0-9]{6}\\b')
    for (const at of [0, 900, 1_023, 1_024, 4_096, 20_000, filler.length]) {
      const text = `${filler.slice(0, at)} EMP-123456 ${filler.slice(at)}`
      expect(findAll(badge, text, badge.strideChars)).toEqual(['EMP-123456'])
    }
    for (const [regex, expected] of [
      ['^lorem', ['lorem']],
      ['ipsum $', ['ipsum ']],
      ['^ipsum', []],
      ['lorem$', []],
    ] as const) {
      const finder = createPatternFinder('x', regex)
      expect(findAll(finder, filler, finder.strideChars)).toEqual(expected)
    }
  })

  test('that matches more than one scan covers is followed to its end', () => {
    const finder = createPatternFinder('line', 'password:.*')
    const line = `password: ${'secret '.repeat(500)}`
    const text = `${'x'.repeat(3_900)}\n${line}\nmore`
    expect(findAll(finder, text, finder.strideChars)).toEqual([line])
  })

  test('that still matches where a scan ends may end there, or not match at all', () => {
    const [open, anchored] = [createPatternFinder('x', 'ax+'), createPatternFinder('x', 'ax+$')]
    const { strideChars: stride } = open
    // Where the first scan ends, and around it.
    for (let end = stride + 250; end < stride + 262; end++) {
      const match = `a${'x'.repeat(end - stride)}`
      const text = `${' '.repeat(end - match.length)}${match} and ${' '.repeat(20_000)}`
      expect(findAll(open, text, stride)).toEqual([match])
      expect(findAll(anchored, text, stride)).toEqual([])
    }
  })

  const slow = [
    '(a+)+$',
    '(a*a*a*a*a*a*a*a*)+b?a',
    '(.*a){12}b?',
    '(.*a){12}b',
    '[ab].{200}z',
    '\\b[ab].{200}z\\b',
    '(?i)[a-z]{3,40}ing [a-z]{3,40}ed',
  ]
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return 'abcd '[seed % 5]
  }
  const longTexts = ['a'.repeat(20_000), Array.from({ length: 20_000 }, random).join('')]
  test.each(slow)('like %s takes some milliseconds for one scan', (regex) => {
    const finder = createPatternFinder('x', regex)
    for (const text of longTexts) {
      for (let from = 0; from < text.length; from += finder.strideChars) {
        const scan = () => {
          const begun = process.cpuUsage()
          finder.find(text, from, Math.min(text.length, from + finder.strideChars))
          return processorMsSince(begun)
        }
        // The best of three: the first warms up, and others share the machine. Goal: 20.
        expect(Math.min(scan(), scan(), scan())).toBeLessThan(scaledMs(60))
      }
    }
  })
})

describe('a name pattern', () => {
  test('matches like a regular expression in which only the star is special', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 })
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 10 })
    fc.assert(
      fc.property(pattern, name, (glob, name) => {
        const regex = new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
        expect(matchesName(name, glob)).toBe(regex.test(name))
      }),
    )
  })

  test('full of stars takes no exponential time', () => {
    const begun = process.cpuUsage()
    expect(matchesName('a'.repeat(512), `${'*a'.repeat(60)}*b`)).toBe(false)
    expect(processorMsSince(begun)).toBeLessThan(scaledMs(100))
    expect(() => matchesName('a'.repeat(513), 'a*')).toThrow('too long')
  })
})
