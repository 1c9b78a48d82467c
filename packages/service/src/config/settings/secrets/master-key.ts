import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../../shared/error-code.js'

/**
 * Parses keys of 32 bytes, as hex or as padded base64, separated by commas or whitespace. Null for any other text. The padding is
 * required, because otherwise a path such as `/run/secrets/…` could be valid base64.
 */
export function parseMasterKeys(text: string): Buffer[] | null {
  const encoded = text.split(/[\s,]+/).filter(Boolean)
  const keys = encoded.flatMap((key) => {
    if (/^[0-9a-f]{64}$/i.test(key)) return Buffer.from(key, 'hex')
    return /^[A-Za-z0-9+/]{43}=$/.test(key) ? Buffer.from(key, 'base64') : []
  })
  return keys.length > 0 && keys.length === encoded.length ? keys : null
}

/** Returns the keys as text, or the absolute path of a file with keys. The file is read here only to report a fault at the start. */
export function readMasterKey(value: string | null, cwd: string, faults: string[]): string | null {
  if (value === null || parseMasterKeys(value) !== null) return value
  const path = resolve(cwd, value)
  const fault = faultOfFile(path)
  if (fault !== null) faults.push(`TALLYSTICK_MASTER_KEY: ${fault}`)
  return path
}

// The message does not contain the path, because it may be a mistyped key.
function faultOfFile(path: string): string | null {
  try {
    return parseMasterKeys(readFileSync(path, 'utf8')) === null
      ? 'the file has something else than keys of 32 bytes, as base64 or hex'
      : null
  } catch (error) {
    return `must be 32 bytes as base64 or hex, several separated by commas, or the path of a readable file with that (${errorCode(error)})`
  }
}
