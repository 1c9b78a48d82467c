import { Type } from 'typebox'
import { strict } from '../../../http/index.js'
import { anyPhase, blockOrFlag, defineKind } from './kind.js'
import { matchesName } from './name-pattern.js'

const Names = (description: string, options: { minItems?: number } = {}) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      maxItems: 500,
      uniqueItems: true,
      description,
      ...options,
    }),
  )

/** On input the tools that a request offers to the model; on output the tools that the model calls. */
export const tools = defineKind({
  summary: 'Tools that the model may or may not be given and call',
  phases: anyPhase,
  actions: blockOrFlag,
  schema: Type.Object(
    {
      allow: Names('Only these names; `*` stands for any characters. An empty list allows none.'),
      deny: Names(
        'Never these names, however they are capitalised, also where `allow` has them; `*` stands for any characters',
        { minItems: 1 },
      ),
    },
    { ...strict, minProperties: 1, title: 'ToolsConfig' },
  ),
  compile({ allow, deny = [] }) {
    const denied = deny.map((pattern) => pattern.toLowerCase())
    return {
      subject: 'tools',
      forbids: (name) =>
        denied.some((pattern) => matchesName(name.toLowerCase(), pattern)) ||
        (allow !== undefined && !allow.some((pattern) => matchesName(name, pattern))),
    }
  },
})
