import type { Finding } from '../detect/index.js'
import { compilePattern } from './compile-pattern.js'
import type { TextFinder } from './judge.js'
import { findRequiredText, type RequiredText } from './required-text.js'
import { seeThrough } from './see-through.js'

type Engine = Extract<ReturnType<typeof compilePattern>, { pattern: unknown }>['pattern']

/** A match of up to this length is found wherever it stands in a longer text. */
const reach = 256

/**
 * The engine answers yes or no from an automaton that it builds as it reads, at 20 ns a character, and finds places
 * step by step at a few hundred. But on a text made for it, the automaton gets a new state with every character, each
 * of them 0.35 µs per step of the pattern: for large patterns it costs more than it saves.
 */
const mostAutomatonSteps = 40

/** With the figures above, 15 ms at worst for either way. */
const strideFor = (steps: number) =>
  steps <= mostAutomatonSteps ? Math.min(4_096, Math.floor(40_000 / steps)) : 1_024 - reach

/**
 * A match that is still going on at the end of a look is followed up to this length, in one more look. A character takes up to
 * 0.3 µs and 0.05 more for each step: both looks together, 10 ms. For large patterns one look is all that there is time for.
 */
const longestMatchFor = (steps: number) =>
  Math.min(16_384, Math.floor(10_000 / (0.3 + 0.05 * steps)) - strideFor(steps) - reach)

/** Compiled when it is first used: fifty patterns at once would take longer than anyone should wait. */
export function createPatternFinder(name: string, regex: string): TextFinder {
  let made: TextFinder | undefined
  const finder = () => {
    made ??= compileFinder(name, regex)
    return made
  }
  return {
    get atOnce() {
      return finder().atOnce
    },
    get stride() {
      return finder().stride
    },
    find: (text, from, to, isPlain) => finder().find(text, from, to, isPlain),
  }
}

/** Finds what matches a tenant's regular expression; what no match can do without is looked for first. */
function compileFinder(name: string, regex: string): TextFinder {
  const { pattern, steps } = requirePattern(regex)
  const mayMatch = [hasRequiredText(findRequiredText(regex))]
  if (steps <= mostAutomatonSteps) mayMatch.push(matchesWithoutAssertions(regex))
  const about = { entity: `pattern:${name}`, placeholder: placeholderFor(name) }

  const stride = strideFor(steps)
  const plain: TextFinder = {
    atOnce: stride,
    stride,
    find(text, from, to) {
      const end = Math.min(text.length, to + reach)
      const slice = from === 0 && end === text.length ? text : text.slice(from, end)
      if (!mayMatch.every((may) => may(slice))) return []
      const look = { from, to, end, longestMatch: longestMatchFor(steps) }
      return findFrom(pattern, text, look).map((place) => ({ ...place, ...about }))
    },
  }
  return seeThrough(plain, reach)
}

/** Of a text in several pieces, places are told by the whole: `^` and `\b` mean the text's beginning and its words. */
function findFrom(
  pattern: Engine,
  text: string,
  look: { from: number; to: number; end: number; longestMatch: number },
): Pick<Finding, 'start' | 'end'>[] {
  const found: { start: number; end: number }[] = []
  let { from, end } = look
  let matcher = pattern.matcher(text.slice(0, end))
  while (from < look.to && matcher.find(from)) {
    const start = matcher.start()
    if (start >= look.to) break
    const furthest = Math.min(text.length, start + look.longestMatch)
    if (end === look.end && matcher.end() === end && furthest > end) {
      // It may end here only because the look does; `$` may even match for that reason alone.
      from = start
      end = furthest
      matcher = pattern.matcher(text.slice(0, end))
      continue
    }
    found.push({ start, end: matcher.end() })
    // A pattern cannot match the empty text alone, but `x*|^` can, in a longer one.
    from = Math.max(matcher.end(), start + 1)
  }
  return found.filter((place) => place.end > place.start)
}

function requirePattern(regex: string) {
  const compiled = compilePattern(regex)
  if ('fault' in compiled) throw new Error(`a pattern ${compiled.fault}`)
  return compiled
}

function hasRequiredText(required: RequiredText | null): (text: string) => boolean {
  if (required === null) return () => true
  const { anyOf, ignoreCase } = required
  if (!ignoreCase) return (text) => anyOf.some((each) => text.includes(each))
  const anyCase = new RegExp(
    anyOf.map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'),
    'iu',
  )
  return (text) => anyCase.test(text)
}

/** The automaton cannot tell where a word or a line ends. Without those conditions it says no less often, never wrongly. */
function matchesWithoutAssertions(regex: string): (text: string) => boolean {
  const relaxed = withoutAssertions(regex)
  const compiled = relaxed === null ? null : compilePattern(relaxed)
  if (compiled === null || 'fault' in compiled) return () => true
  return (text) => compiled.pattern.test(text)
}

/** Passes over escapes and classes, in which the same characters mean themselves. */
const parts = /\\[bBAz]|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|[$^]/g

export function withoutAssertions(regex: string): string | null {
  if (regex.includes('\\Q')) return null
  return regex.replace(parts, (part) => (/^(?:\\[bBAz]|[$^])$/.test(part) ? '(?:)' : part))
}

const placeholderFor = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 32) || 'PATTERN'
