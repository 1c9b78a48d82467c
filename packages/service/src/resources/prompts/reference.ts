import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { strict } from '../../http/index.js'
import { type ApiError, type ErrorDetail, invalidField, invalidRequest } from '../../shared/errors.js'
import { labelPattern } from './labels/label.js'

/** The `prompt` member of a gateway call. Without a label or a version it means the newest version. */
export const PromptReference = Type.Object(
  {
    id: Type.String({ pattern: '^prompt_[0-9a-z]{1,57}$', examples: ['prompt_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    label: Type.Optional(Type.String({ pattern: labelPattern, description: '`latest` by default' })),
    // The maximum of the column.
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'In place of a label' }),
    ),
    variables: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'A value for every `{{name}}` in the prompt; more are allowed',
        examples: [{ customer: 'Ada' }],
      }),
    ),
  },
  { ...strict, title: 'PromptReference' },
)
export type PromptReference = Static<typeof PromptReference>

/** Validates the `prompt` member of a gateway call. */
export function readPromptReference(value: unknown): PromptReference {
  if (!Value.Check(PromptReference, value)) throw refuse(value)
  if (value.label !== undefined && value.version !== undefined) {
    throw invalidField('prompt', 'takes a label or a version, not both')
  }
  return value
}

function refuse(value: unknown): ApiError {
  const faults = Value.Errors(PromptReference, value).flatMap((error): ErrorDetail[] => {
    const path = `prompt${error.instancePath.replaceAll('/', '.')}`
    // The checker reports an unknown field at its own path and again on the object, and each branch of a union: one
    // message for each path is enough.
    if (error.keyword === 'additionalProperties') return []
    if (error.keyword === 'boolean') return [{ path, message: 'unknown field' }]
    if (error.keyword === 'required') {
      return error.params.requiredProperties.map((name) => ({
        path: `${path}.${name}`,
        message: 'is required',
      }))
    }
    const inVariables = error.instancePath.startsWith('/variables/')
    return [{ path, message: inVariables ? 'must be a string, a number or a boolean' : error.message }]
  })
  const details = [...new Map(faults.map((fault) => [fault.path, fault])).values()]
  return invalidRequest(details.map(({ path, message }) => `${path}: ${message}`).join('; '), details)
}
