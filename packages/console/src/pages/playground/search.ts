/** The search parameters of the playground. Messages and keys are never part of the URL. */
export interface PlaygroundSearch {
  model?: string
  /** The ID of a stored prompt that replaces the system message. */
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
