import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../../shared/error-code.js'

/** Stores outside of this machine. Each has a file in `secret-stores/`. */
export const storeSchemes = ['vault', 'aws-sm'] as const
export type StoreScheme = (typeof storeSchemes)[number]

/** What was read from secret stores, by reference. */
export type SecretValues = ReadonlyMap<string, { value: string } | { fault: string }>

const reference = /^(vault|aws-sm|env|file):(?=\S)([^\n\r]+)$/

interface ParsedReference {
  scheme: StoreScheme | 'env' | 'file'
  location: string
  /** The member of a secret that is a JSON object. */
  member: string | null
}

export const isReference = (text: string): boolean => reference.test(text)

export function parseReference(text: string): ParsedReference {
  const [, scheme, rest = ''] = reference.exec(text) ?? []
  const at = rest.lastIndexOf('#')
  return {
    scheme: (['vault', 'aws-sm', 'env'] as const).find((each) => each === scheme) ?? 'file',
    location: at === -1 ? rest : rest.slice(0, at),
    member: at === -1 ? null : rest.slice(at + 1),
  }
}

/** Returns the member of a secret that is a JSON object, or the whole secret. */
export function pickMember(secret: string, member: string | null): { value: string } | { fault: string } {
  if (member === null) return secret === '' ? { fault: 'is empty' } : { value: secret }
  const members = readMembers(secret)
  if (members === null) return { fault: 'is not a JSON object, so that it has no members' }
  const value = members.get(member)
  return typeof value === 'string' && value !== '' ? { value } : { fault: `has no text as ${member}` }
}

function readMembers(secret: string): Map<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(secret)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? new Map(Object.entries(value)) : null
  } catch {
    return null
  }
}

export interface References {
  /** Returns what a reference stands for; other text is returned unchanged. Null after a fault, and for what is not known yet. */
  resolve(name: string, text: string): string | null
  /** References to secret stores whose values are not known yet. */
  missing: ReadonlySet<string>
}

/** A fault names the setting and the reference, and never contains a value. */
export function createReferences(
  source: { env: Readonly<Record<string, string | undefined>>; cwd: string; values: SecretValues },
  faults: string[],
): References {
  // Bounded: the references of the configuration.
  const missing = new Set<string>()

  function read(text: string): { value: string } | { fault: string } | null {
    const { scheme, location, member } = parseReference(text)
    switch (scheme) {
      case 'env': {
        const value = source.env[location]?.trim()
        return value ? pickMember(value, member) : { fault: 'is not set' }
      }
      case 'file':
        return readSecretFile(resolve(source.cwd, location), member)
      default:
        return source.values.get(text) ?? null
    }
  }

  return {
    missing,
    resolve(name, text) {
      if (!isReference(text)) return text
      const result = read(text)
      if (result === null) missing.add(text)
      else if ('fault' in result) faults.push(`${name}: ${text} ${result.fault}`)
      return result !== null && 'value' in result ? result.value : null
    },
  }
}

function readSecretFile(path: string, member: string | null): { value: string } | { fault: string } {
  try {
    return pickMember(readFileSync(path, 'utf8').trim(), member)
  } catch (error) {
    return { fault: `cannot be read (${errorCode(error)})` }
  }
}
