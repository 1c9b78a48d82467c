// Must match the syntax of the service, so that the preview shows exactly the variables that the service fills in.
const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/g

/** The distinct variable names of a prompt, in order. */
export const variablesOf = (content: string): string[] => [
  ...new Set(Array.from(content.matchAll(variable), ([, name = '']) => name)),
]

export interface PromptPiece {
  text: string
  /** The name of the variable; null for plain text. */
  variable: string | null
}

/** Splits a prompt at its variables and fills in their values. Variables without a value stay as written. */
export function fillIn(content: string, values: Readonly<Record<string, string>>): PromptPiece[] {
  const pieces: PromptPiece[] = []
  let at = 0
  for (const match of content.matchAll(variable)) {
    const name = match[1] ?? ''
    pieces.push({ text: content.slice(at, match.index), variable: null })
    pieces.push({ text: values[name] || match[0], variable: name })
    at = match.index + match[0].length
  }
  pieces.push({ text: content.slice(at), variable: null })
  return pieces.filter(({ text }) => text !== '')
}
