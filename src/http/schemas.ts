import { type TSchema, Type } from 'typebox'

// What the schemas of many routes have in common.

/** An object with these options refuses members that it does not name. */
export const strict = { additionalProperties: false }

export const DateTime = Type.String({ format: 'date-time' })

/** The parameters of `/…/{id}`. */
export const ById = Type.Object({ id: Type.String({ maxLength: 64 }) })

/** The description says what null means. */
export const Nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
