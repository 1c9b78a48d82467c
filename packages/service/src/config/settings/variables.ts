import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../shared/error-code.js'
import type { References } from './secrets/references.js'

/** Returns the value of a setting without surrounding whitespace. Null when it is not set, or empty. */
export type ReadVariable = (name: string) => string | null

/**
 * Reads `NAME` from the environment, or else the file that `NAME_FILE` names, which is how container platforms hand over secrets. Either
 * may be a reference to a secret. A fault names the variable, and not the path, because that may be a secret in the wrong variable.
 */
export function createVariableReader(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  faults: string[],
  references: Pick<References, 'resolve'> = { resolve: (_, text) => text },
): ReadVariable {
  // Bounded: one entry for each setting.
  const known = new Map<string, string | null>()

  function read(name: string): string | null {
    const value = env[name]?.trim() || null
    const path = env[`${name}_FILE`]?.trim() || null
    if (path !== null && value !== null) faults.push(`${name}, ${name}_FILE: set one of them, not both`)
    const text = path === null ? value : (value ?? readContent(name, resolve(cwd, path), faults))
    return text === null ? null : references.resolve(name, text)
  }

  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const value = read(name)
    known.set(name, value)
    return value
  }
}

function readContent(name: string, path: string, faults: string[]): string | null {
  try {
    const content = readFileSync(path, 'utf8').trim()
    if (content === '') faults.push(`${name}_FILE: the file is empty`)
    return content || null
  } catch (error) {
    faults.push(`${name}_FILE: must be the path of a readable file (${errorCode(error)})`)
    return null
  }
}
