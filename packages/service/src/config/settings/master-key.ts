import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../shared/error-code.js'

/**
 * 32 bytes each, as hex or as base64 with its padding, separated by commas or white space. Null if that is not what it is. The
 * padding is required: a path has none, and `/run/secrets/…` could be read as base64 otherwise.
 */
export function parseMasterKeys(text: string): Buffer[] | null {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const keys = words.flatMap((word) => {
    if (/^[0-9a-f]{64}$/i.test(word)) return Buffer.from(word, 'hex')
    return /^[A-Za-z0-9+/]{43}=$/.test(word) ? Buffer.from(word, 'base64') : []
  })
  return keys.length > 0 && keys.length === words.length ? keys : null
}

/** The keys themselves, or the path of a file with them, made absolute. It is read here only to find a fault before anything starts. */
export function readMasterKey(value: string | null, cwd: string, faults: string[]): string | null {
  if (value === null || parseMasterKeys(value) !== null) return value
  const path = resolve(cwd, value)
  const fault = faultOfFile(path)
  if (fault !== null) faults.push(`TALLYSTICK_MASTER_KEY: ${fault}`)
  return path
}

// The path is not named: what stands there may be a key that was mistyped.
function faultOfFile(path: string): string | null {
  try {
    return parseMasterKeys(readFileSync(path, 'utf8')) === null
      ? 'the file has something else than keys of 32 bytes, as base64 or hex'
      : null
  } catch (error) {
    return `must be 32 bytes as base64 or hex, several separated by commas, or the path of a readable file with that (${errorCode(error)})`
  }
}
