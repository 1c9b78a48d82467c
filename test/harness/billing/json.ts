/** A request body, before anything is known of it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [member: string]: Json | undefined
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** The value at a path of member names; undefined where the way ends. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  let current = value
  for (const name of path) {
    if (!isObject(current)) return undefined
    current = current[name]
  }
  return current
}

export const textAt = (value: Json | undefined, ...path: string[]): string => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

export const numberAt = (value: Json | undefined, ...path: string[]): number | undefined => {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

/** The items of a list; a single value that is no list is a list of one. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return isList(value) ? value : [value]
}

export const without = (value: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
