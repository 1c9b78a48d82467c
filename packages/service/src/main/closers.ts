/** Something that was started and must be closed. */
export interface Closable {
  close(): unknown
}

/** Closes what was started in the opposite order: whatever a part uses was started before it and is still there. */
export interface Closers {
  /** Returns the part, so that starting it and closing it later stand in one place. */
  add<Part extends Closable>(part: Part): Part
  /** Every one is closed, also when others fail; then the first error is thrown. */
  close(): Promise<void>
}

export function createClosers(): Closers {
  // Bounded: parts of the program.
  const stack: Closable[] = []
  return {
    add(part) {
      stack.push(part)
      return part
    },
    async close() {
      const errors: unknown[] = []
      for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
        try {
          await part.close()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}

/** For a part that is closed early, while others still work, and waited for in its turn. */
export function closeOnce(close: () => Promise<void>): { close(): Promise<void> } {
  let closing: Promise<void> | null = null
  return {
    close() {
      closing ??= close()
      return closing
    },
  }
}
