/**
 * Joins a path with the queries of several sources. A parameter of an earlier query overrides later ones: a caller
 * cannot change what the vendor or the operator set, such as the API version.
 */
export function joinQueries(path: string, ...queries: readonly string[]): string {
  const later = queries.filter((query) => query !== '')
  if (later.length === 0) return path
  const [pathname = '', own = ''] = splitOnce(path)
  const taken = new Set<string>()
  const kept: string[] = []
  for (const query of [own, ...later]) {
    const pairs = query.split('&').filter((pair) => pair !== '' && !taken.has(nameOf(pair)))
    kept.push(...pairs)
    for (const pair of pairs) taken.add(nameOf(pair))
  }
  return kept.length === 0 ? pathname : `${pathname}?${kept.join('&')}`
}

function splitOnce(path: string): [string, string] {
  const at = path.indexOf('?')
  return at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)]
}

/**
 * Normalises a name the way servers do: `api%2Dversion` is `api-version`, and to some servers so is `API-Version`.
 */
const nameOf = (pair: string): string => ([...new URLSearchParams(pair).keys()][0] ?? '').toLowerCase()

const credentialName = /key|token|secret|auth|credential|passw|signature|^sig$|^x-/i

/** True for parameters in which servers accept credentials, headers or signatures. */
export const isCredentialParameter = (parameter: string): boolean => credentialName.test(parameter)
