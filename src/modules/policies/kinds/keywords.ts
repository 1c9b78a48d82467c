import { Type } from 'typebox'
import { anyAction, anyPhase, defineKind, strict } from './kind.js'

export const keywords = defineKind({
  summary: 'Text that has one of these words or phrases',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object(
    {
      words: Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), {
        minItems: 1,
        maxItems: 500,
        uniqueItems: true,
        description: 'Words or phrases',
        examples: [['project nightfall']],
      }),
      caseSensitive: Type.Boolean({ default: false }),
    },
    { ...strict, title: 'KeywordsConfig' },
  ),
})
