/** What the address says of the playground. Never what is said or answered there, and never a key. */
export interface PlaygroundSearch {
  model?: string
  /** A stored prompt in place of the system message. */
  prompt?: string
  version?: number
}

export function readPlaygroundSearch({ model, prompt, version }: Record<string, unknown>): PlaygroundSearch {
  return {
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(typeof prompt === 'string' && prompt !== '' && { prompt }),
    ...(Number.isInteger(version) && Number(version) > 0 && { version: Number(version) }),
  }
}
