import { type Static, type TSchema, Type } from 'typebox'
import { emailPattern, namePattern, userIdPattern } from '../hidden-characters.js'

// What the schemas of many routes have in common.

/** An object with these options refuses members that it does not name. */
export const strict = { additionalProperties: false }

export const DateTime = Type.String({ format: 'date-time' })

/** What people call something. What it consists of is shown as it is written: a name cannot pass for another. */
export const Name = (options: { maxLength?: number; description?: string; examples?: string[] } = {}) => {
  const { maxLength = 200 } = options
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: namePattern,
    'x-expects': `1 to ${maxLength} visible characters, not all of them blank`,
    ...options,
  })
}

/** Any 1 to 128 printable characters that the tenant chooses. */
export const UserId = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: userIdPattern,
  'x-expects': '1 to 128 printable characters',
})

export const Email = Type.String({
  maxLength: 320,
  pattern: emailPattern,
  'x-expects': 'an email address without blanks, control characters or invisible characters',
})

/** The parameters of `/…/{id}`. */
export const ById = Type.Object({ id: Type.String({ maxLength: 64 }) })

/** Of a DELETE: what becomes of that which refers to the row. */
export const CascadeQuery = Type.Object(
  {
    cascade: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Without it, a row that others refer to is not deleted: 409, with a list of them',
      }),
    ),
  },
  strict,
)

/**
 * A field that may be left out of a body that creates something, and what it is then. Never for a change: what that leaves out stays as
 * it is, and the validator fills defaults in.
 */
export const withDefault = <T extends TSchema>(schema: T, value: Static<T>) =>
  Type.Optional({ ...schema, default: value })

/** The description says what null means. */
export const Nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
