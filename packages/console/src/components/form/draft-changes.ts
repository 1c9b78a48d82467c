export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The members of `after` that differ from `before`. A PATCH of all members would fail on values that cannot be set again, such as a
 * past expiry.
 */
export function changedMembers<T extends object>(before: T, after: T): Partial<T> {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isEqual(value, old.get(name))),
  ) as Partial<T>
}

/** The members that were edited here and changed to other values elsewhere. */
export function conflictingMembers<T extends object>(original: T, edited: T, stored: T): string[] {
  const [was, now] = [changedMembers(original, edited), changedMembers(original, stored)]
  return Object.keys(was).filter(
    (name) => name in now && !isEqual(was[name as keyof T], now[name as keyof T]),
  )
}
