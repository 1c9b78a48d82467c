export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Equal values have equal texts, whatever the order of their members. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each,
  )

export const isEqual = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b)

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const pick = (value: Json, fields: readonly string[]): Json =>
  Object.fromEntries(fields.flatMap((field) => (value[field] === undefined ? [] : [[field, value[field]]])))
