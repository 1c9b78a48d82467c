import type { Finding } from '../../detect/index.js'
import type { TextFinder } from '../judge.js'
import { compilePattern } from './compile-pattern.js'
import { findRequiredText, type RequiredText } from './required-text.js'
import { withFolding } from './with-folding.js'

type Engine = Extract<ReturnType<typeof compilePattern>, { pattern: unknown }>['pattern']

/** A match of up to this length is found anywhere in a long text. */
const reach = 256

/**
 * The engine tells whether there is a match with an automaton that it builds as it reads, at 20 ns per character. Where the
 * match is, it finds step by step, at a few hundred. But on a hostile text the automaton gets a new state with every
 * character, each of them 0.35 µs per step of the pattern: for large patterns it costs more than it saves.
 */
const maxAutomatonSteps = 40

/** With the figures above, 15 ms at worst with or without the automaton. */
const strideFor = (steps: number) =>
  steps <= maxAutomatonSteps ? Math.min(4_096, Math.floor(40_000 / steps)) : 1_024 - reach

/**
 * A match that reaches the end of the scanned part is followed up to this length, in a second scan. A character takes up to
 * 0.3 µs and 0.05 more for each step: both scans together, 10 ms. For large patterns there is time for one scan only.
 */
const maxMatchFor = (steps: number) =>
  Math.min(16_384, Math.floor(10_000 / (0.3 + 0.05 * steps)) - strideFor(steps) - reach)

/** Creates a finder that compiles its pattern on first use: compiling fifty at once would block the thread too long. */
export function createPatternFinder(name: string, regex: string): TextFinder {
  let compiled: TextFinder | undefined
  const finder = () => {
    compiled ??= compileFinder(name, regex)
    return compiled
  }
  return {
    ignoresIds: true,
    get maxWholeChars() {
      return finder().maxWholeChars
    },
    get strideChars() {
      return finder().strideChars
    },
    find: (text, from, to, isPlain) => finder().find(text, from, to, isPlain),
  }
}

/** Finds what matches a tenant's regular expression. Cheaper checks that rule out a match come first. */
function compileFinder(name: string, regex: string): TextFinder {
  const { pattern, steps } = requirePattern(regex)
  const mayMatch = [hasRequiredText(findRequiredText(regex))]
  if (steps <= maxAutomatonSteps) mayMatch.push(matchesWithoutAssertions(regex))
  const labels = { entity: `pattern:${name}`, placeholder: placeholderFor(name) }

  const stride = strideFor(steps)
  const finder: TextFinder = {
    maxWholeChars: stride,
    strideChars: stride,
    find(text, from, to) {
      const end = Math.min(text.length, to + reach)
      const slice = from === 0 && end === text.length ? text : text.slice(from, end)
      if (!mayMatch.every((may) => may(slice))) return []
      return findMatches(pattern, text, { from, to, end, maxMatch: maxMatchFor(steps) }).map((span) => ({
        ...span,
        ...labels,
      }))
    },
  }
  return withFolding(finder, reach)
}

/**
 * Returns the matches that start at `from` or later, and before `to`, in the text up to `end`. The engine gets the text from its start, so
 * that `^` and `\b` mean the start and the words of the whole text.
 */
function findMatches(
  pattern: Engine,
  text: string,
  limits: { from: number; to: number; end: number; maxMatch: number },
): Pick<Finding, 'start' | 'end'>[] {
  const found: { start: number; end: number }[] = []
  let { from, end } = limits
  let matcher = pattern.matcher(text.slice(0, end))
  while (from < limits.to && matcher.find(from)) {
    const start = matcher.start()
    if (start >= limits.to) break
    const furthest = Math.min(text.length, start + limits.maxMatch)
    if (end === limits.end && matcher.end() === end && furthest > end) {
      // The match may end here only because the scanned part does, and `$` may match for that reason alone.
      from = start
      end = furthest
      matcher = pattern.matcher(text.slice(0, end))
      continue
    }
    found.push({ start, end: matcher.end() })
    // No pattern matches the empty text, but some match an empty part of a longer one: `x*|^`.
    from = Math.max(matcher.end(), start + 1)
  }
  return found.filter((span) => span.end > span.start)
}

function requirePattern(regex: string) {
  const compiled = compilePattern(regex)
  if ('error' in compiled) throw new Error(`a pattern ${compiled.error}`)
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

/** The automaton does not support `\b`, `^` and `$`. Without them more texts match, never fewer. */
function matchesWithoutAssertions(regex: string): (text: string) => boolean {
  const relaxed = withoutAssertions(regex)
  const compiled = relaxed === null ? null : compilePattern(relaxed)
  if (compiled === null || 'error' in compiled) return () => true
  return (text) => compiled.pattern.test(text)
}

/** Matches escapes and classes too, in which the same characters mean themselves. */
const regexParts = /\\[bBAz]|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|[$^]/g

export function withoutAssertions(regex: string): string | null {
  if (regex.includes('\\Q')) return null
  return regex.replace(regexParts, (part) => (/^(?:\\[bBAz]|[$^])$/.test(part) ? '(?:)' : part))
}

const placeholderFor = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 32) || 'PATTERN'
