import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { createKeywordFinder } from './finders/keyword-finder.js'
import { anyAction, anyPhase, defineKind } from './kind.js'
import { findRestoreError, Restore } from './restore.js'

export const keywords = defineKind({
  summary: 'Finds text that contains one of these words or phrases',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object(
    {
      words: Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), {
        minItems: 1,
        maxItems: 500,
        uniqueItems: true,
        description: 'Words or phrases to find. Only whole words match: `ass` is not found in `class`',
        examples: [['project nightfall']],
      }),
      caseSensitive: Type.Boolean({ default: false }),
      restore: Restore,
    },
    { ...strict, title: 'KeywordsConfig' },
  ),
  check: findRestoreError,
  compile: ({ words, caseSensitive, restore = false }) => ({
    subject: 'text',
    finders: [createKeywordFinder(words, caseSensitive)],
    restore,
  }),
})
