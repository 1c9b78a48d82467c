const plainName = /^[a-z0-9_]*$/

/**
 * Returns a name in lower case. Many servers, such as all that parse JSON in Go, treat names as equal when they
 * differ only in case. The name is converted to upper case first, because some letters outside ASCII have an ASCII
 * letter as their other case.
 */
export const foldName = (name: string): string =>
  plainName.test(name) ? name : name.toUpperCase().toLowerCase()
