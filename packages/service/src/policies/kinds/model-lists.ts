import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { blockOrFlag, defineKind, inputOnly } from './kind.js'

const schema = Type.Object(
  {
    models: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
      description: 'Names of models, or prefixes that end in `*`',
      examples: [['gpt-4o-mini', 'anthropic/*']],
    }),
  },
  { ...strict, title: 'ModelListConfig' },
)

const parts = { schema, phases: inputOnly, actions: blockOrFlag, check: findInnerStars }

export const modelAllowlist = defineKind({
  ...parts,
  summary: 'Allows only these models',
  compile: ({ models }) => ({ subject: 'model', forbids: (names) => !hasModel(models, names) }),
})

export const modelDenylist = defineKind({
  ...parts,
  summary: 'Refuses these models',
  compile: ({ models }) => ({ subject: 'model', forbids: (names) => hasModel(models, names) }),
})

/** True when a list of exact names, and prefixes with a trailing `*`, includes one of the names of a model. */
export function hasModel(list: readonly string[], names: readonly string[]): boolean {
  return list.some((pattern) =>
    pattern.endsWith('*')
      ? names.some((name) => name.startsWith(pattern.slice(0, -1)))
      : names.includes(pattern),
  )
}

/** A star in the middle would only match a model that has one in its name: no such model exists. */
function findInnerStars({ models }: { models: string[] }) {
  return models.flatMap((model, index) =>
    model.slice(0, -1).includes('*')
      ? [{ path: `config.models.${index}`, message: 'may have a `*` only as its last character' }]
      : [],
  )
}
