// The same as the service's: a variable that it would not fill in must not look like one here.
const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/g

/** The names of the variables of a prompt, each once, as they come. */
export const variablesOf = (content: string): string[] => [
  ...new Set(Array.from(content.matchAll(variable), ([, name = '']) => name)),
]

export interface PromptPiece {
  text: string
  /** Set where a variable stands. */
  variable: string | null
}

/** A prompt cut at its variables, each with its value or, without one, as it is written. */
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
