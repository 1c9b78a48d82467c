import { CloudIdentityError } from './cloud-identity-error.js'

interface Source<T> {
  name: string
  /** What the environment lacks when `fetch` returns null. */
  missing: string
  /** Returns null when the environment does not describe this source. */
  fetch(): Promise<T> | null
}

/**
 * Fetches from the first source that the environment describes. That one must work: the next could be another account. The error says
 * which sources were tried.
 */
export async function fetchFromFirst<T>(what: string, sources: readonly Source<T>[]): Promise<T> {
  const tried: string[] = []
  const fail = (isRefused: boolean, cause?: unknown) =>
    new CloudIdentityError(`There are no ${what} (${tried.join('; ')})`, isRefused, cause)
  for (const { name, missing, fetch } of sources) {
    const fetching = fetch()
    if (fetching === null) tried.push(`${name}: ${missing}`)
    else
      return await fetching.catch((error) => {
        const isKnown = error instanceof CloudIdentityError
        tried.push(`${name}: ${isKnown ? error.message : 'failed'}`)
        throw fail(isKnown && error.isRefused, error)
      })
  }
  throw fail(true)
}
