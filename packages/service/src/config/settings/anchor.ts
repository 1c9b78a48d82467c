import { resolve } from 'node:path'
import type { AnchorFileConfig } from '../file/schema.js'

/** Where checkpoints are stored outside the database. */
export type AnchorConfig =
  | { type: 'none' }
  | { type: 'file'; path: string }
  | { type: 'rfc3161'; url: string }

/** Reads the anchor from one of two variables or from the file. A variable takes precedence. */
export function readAnchor(
  fromFile: AnchorFileConfig | undefined,
  read: (name: string) => string | null,
  cwd: string,
  faults: string[],
): AnchorConfig {
  const path = read('TALLYSTICK_ANCHOR_FILE')
  const url = read('TALLYSTICK_ANCHOR_TSA_URL')
  if (path !== null && url !== null) {
    faults.push('TALLYSTICK_ANCHOR_FILE, TALLYSTICK_ANCHOR_TSA_URL: set one of them, not both')
    return { type: 'none' }
  }
  if (path !== null) return { type: 'file', path: resolve(cwd, path) }
  if (url !== null) return readAuthority(url, 'TALLYSTICK_ANCHOR_TSA_URL', faults)
  return readFileEntry(fromFile, faults)
}

function readFileEntry(
  { type, path, url }: AnchorFileConfig = { type: 'none' },
  faults: string[],
): AnchorConfig {
  if (path !== undefined && type !== 'file') faults.push('anchor.path: goes with type file')
  if (url !== undefined && type !== 'rfc3161') faults.push('anchor.url: goes with type rfc3161')
  if (type === 'file') {
    if (path === undefined) faults.push('anchor.path: is required')
    return { type, path: path ?? '' }
  }
  if (type === 'rfc3161') {
    if (url === undefined) faults.push('anchor.url: is required')
    else return readAuthority(url, 'anchor.url', faults)
  }
  return { type: 'none' }
}

/** Plain http is allowed, because time-stamp authorities sign their answers and most do not offer https. */
function readAuthority(url: string, name: string, faults: string[]): AnchorConfig {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    faults.push(`${name}: must be an http or https URL`)
  return { type: 'rfc3161', url }
}
