const plainName = /^[a-z0-9_]*$/

/**
 * A name in lower case. To many servers names that differ in their case alone are the same, such as to all that read JSON with Go.
 * Upper case first: some letters beyond ASCII have a plain one as their other case.
 */
export const foldName = (name: string): string =>
  plainName.test(name) ? name : name.toUpperCase().toLowerCase()
