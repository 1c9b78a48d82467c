/** What a command prints. Texts that were hidden never appear in it. */
export interface Output {
  hide(texts: readonly string[]): void
  print(text: string): void
  warn(text: string): void
  /** Prints a value that the service shows only once. */
  printSecret(text: string): void
}

// Shorter texts also occur by chance, and are no secrets.
const minHiddenChars = 6

export function createOutput(streams: { out(text: string): void; error(text: string): void }): Output {
  const hidden = new Set<string>()

  function conceal(text: string): string {
    let shown = text
    // Longer texts first: one may contain another.
    for (const secret of [...hidden].sort((a, b) => b.length - a.length))
      shown = shown.replaceAll(secret, '[hidden]').replaceAll(JSON.stringify(secret).slice(1, -1), '[hidden]')
    return shown
  }

  return {
    hide(texts) {
      for (const text of texts) if (text.length >= minHiddenChars) hidden.add(text)
    },
    print: (text) => streams.out(conceal(text)),
    warn: (text) => streams.error(conceal(text)),
    printSecret: (text) => streams.out(text),
  }
}
