import { describe, expect, test } from 'vitest'
import { processorMsSince, scaledMs } from '../../../../../../test/harness/run/processor-time.js'
import { compilePattern } from './compile-pattern.js'

/** Each of them takes a backtracking engine longer than the age of the universe on the text below. */
const explosive = [
  '(a+)+$',
  '(a|a)+$',
  '(a|aa)+$',
  '(.*a){12}b',
  '([a-z]+)*\\d',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
]

describe('a pattern', () => {
  test.each(explosive)('like %s is harmless', (regex) => {
    const compiled = compilePattern(regex)
    if (!('pattern' in compiled)) throw new Error(compiled.error)
    const text = `${'a'.repeat(20_000)}!`
    const begun = process.cpuUsage()
    expect(compiled.pattern.test(text)).toBe(false)
    expect(compiled.pattern.matcher(text).find()).toBe(false)
    expect(processorMsSince(begun)).toBeLessThan(scaledMs(5_000))
  })

  test.each(['((a?){30}){30}', '.{1000}', '(((a?){10}){10}){10}'])(
    'like %s, whose steps are many, is refused',
    (regex) => {
      expect(compilePattern(regex)).toMatchObject({
        tooLarge: true,
        error: expect.stringMatching(/compiles to \d+ steps/),
      })
    },
  )

  test('finds what it describes', () => {
    const compiled = compilePattern('(?i)\\bproject\\s+nightfall\\b')
    expect('pattern' in compiled && compiled.pattern.test('About Project  Nightfall.')).toBe(true)
    expect('pattern' in compiled && compiled.pattern.test('Projects nightfalls')).toBe(false)
  })
})
