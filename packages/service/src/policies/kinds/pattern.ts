import { Type } from 'typebox'
import { Name, strict } from '../../http/index.js'
import type { ErrorDetail } from '../../shared/errors.js'
import { compilePattern } from './finders/compile-pattern.js'
import { createPatternFinder } from './finders/pattern-finder.js'
import { anyAction, anyPhase, defineKind } from './kind.js'
import { findRestoreError, Restore } from './restore.js'

/** The steps of all patterns of a policy together: each of them reads the whole text. */
const maxSteps = 1_024

const Pattern = Type.Object(
  {
    name: Name({
      maxLength: 64,
      description: 'A name for what the pattern finds. It is included in violations',
    }),
    regex: Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'A regular expression in RE2 syntax, which has no backreferences and no lookaround. Start it with `(?i)` to ignore case',
      examples: ['\\bEMP-[0-9]{6}\\b'],
    }),
  },
  strict,
)

export const pattern = defineKind({
  summary: 'Finds text that matches one of these regular expressions',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object(
    { patterns: Type.Array(Pattern, { minItems: 1, maxItems: 50 }), restore: Restore },
    { ...strict, title: 'PatternConfig' },
  ),
  check: (config, use) => [
    ...findRepeatedNames(config.patterns),
    ...findInvalidPatterns(config.patterns),
    ...findRestoreError(config, use),
  ],
  compile: ({ patterns, restore = false }) => ({
    subject: 'text',
    // What is given in parts, a letter and its accent, also as it stands in most texts.
    finders: patterns.flatMap(({ name, regex }) =>
      [...new Set([regex, regex.normalize('NFC')])].map((each) => createPatternFinder(name, each)),
    ),
    restore,
  }),
})

function findRepeatedNames(patterns: { name: string }[]): ErrorDetail[] {
  const names = patterns.map(({ name }) => name)
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ path: `config.patterns.${index}.name`, message: 'is the name of an earlier pattern' }]
      : [],
  )
}

/** Finds invalid patterns. Stops at the first that is too large: compiling one takes up to 0.25 s, and a policy may have fifty. */
function findInvalidPatterns(patterns: { regex: string }[]): ErrorDetail[] {
  const errors: ErrorDetail[] = []
  let total = 0
  for (const [index, { regex }] of patterns.entries()) {
    const path = `config.patterns.${index}.regex`
    const compiled = compilePattern(regex)
    if ('error' in compiled) {
      errors.push({ path, message: compiled.error })
      if (compiled.tooLarge) break
      continue
    }
    if (compiled.pattern.test(''))
      errors.push({ path, message: 'matches empty text, so it would match every text' })
    total += compiled.steps
    if (total > maxSteps) {
      errors.push({
        path,
        message: `brings the patterns of this policy to more than ${maxSteps} steps; make a second policy`,
      })
      break
    }
  }
  return errors
}
