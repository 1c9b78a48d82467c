import { Problem } from '../../api'

export type FaultOf = (path: string) => string | undefined

/** What the service said about each field: of a draft that is tried, and of one that was to be saved. */
export function faultsOf(...errors: unknown[]): FaultOf {
  const details = errors.flatMap((error) => (error instanceof Problem ? error.details : []))
  const faults = details.map(({ path, message }) => ({ path: path.replace(/^draft\./, ''), message }))
  return (path) => {
    const found = faults.find((fault) => fault.path === path || fault.path.startsWith(`${path}.`))
    if (!found) return undefined
    const line = /^\.(\d+)$/.exec(found.path.slice(path.length))?.[1]
    return line === undefined ? found.message : `Line ${Number(line) + 1} ${found.message}`
  }
}
