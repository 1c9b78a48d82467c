/** Something that must be closed when the program ends. */
export interface Closable {
  close(): unknown
}

/** Closes components in the reverse order of their start: what a component uses was started before it and is closed after it. */
export interface Closers {
  /** Returns the component, so that one expression starts it and registers it to be closed. */
  add<Component extends Closable>(component: Component): Component
  /** Closes every component, even when others fail. Then throws the first error. */
  close(): Promise<void>
}

export function createClosers(): Closers {
  // Bounded: components of the program.
  const stack: Closable[] = []
  return {
    add(component) {
      stack.push(component)
      return component
    },
    async close() {
      const errors: unknown[] = []
      for (let component = stack.pop(); component !== undefined; component = stack.pop()) {
        try {
          await component.close()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}

/** Wraps a component that starts to close early, while others still run, and is waited for in the usual order. */
export function closeOnce(close: () => Promise<void>): { close(): Promise<void> } {
  let closing: Promise<void> | null = null
  return {
    close() {
      closing ??= close()
      return closing
    },
  }
}
