import { type TSchema, Type } from 'typebox'

/** A value that may be null, which then means something of its own. */
export const Nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
