import { type Static, type TSchema, Type } from 'typebox'
import { emailPattern, namePattern, userIdPattern } from '../shared/hidden-characters.js'

// Schemas that many routes share.

/** An object with these options refuses unknown members. */
export const strict = { additionalProperties: false }

export const DateTime = Type.String({ format: 'date-time' })

/** An optional filter by time. A date means its start in UTC. */
export const TimeFilter = (description: string) =>
  Type.Optional(
    Type.Union([DateTime, Type.String({ format: 'date' })], {
      description: `${description}: an RFC 3339 time, or a date, which means midnight UTC`,
    }),
  )

/** A display name. Invisible characters are refused, so that one name cannot pass for another. */
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

/** The query of a DELETE: what happens to objects that refer to the row. */
export const CascadeQuery = Type.Object(
  {
    cascade: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Also delete or update the objects that refer to the object. Without `cascade`, if there are such objects, the request fails with 409 and a list of them',
      }),
    ),
  },
  strict,
)

/**
 * An optional field of a body that creates an object, with its default. Never for a change: a field that a change
 * leaves out keeps its value, and the validator would fill the default in.
 */
export const withDefault = <T extends TSchema>(schema: T, value: Static<T>) =>
  Type.Optional({ ...schema, default: value })

/** The description states what null means. */
export const Nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
