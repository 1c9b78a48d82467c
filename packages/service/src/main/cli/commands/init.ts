import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, describeSample } from '../../../config/index.js'
import { hasCode } from '../../../shared/error-code.js'

/** Writes a commented tallystick.yaml. A file that exists is kept unless its replacement is forced. */
export function writeConfiguration(folder: string, isForced: boolean): void {
  const path = join(folder, 'tallystick.yaml')
  try {
    // Credentials are often written into it.
    writeFileSync(path, describeSample(), { mode: 0o600, flag: isForced ? 'w' : 'wx' })
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new ConfigError([`${path} exists; --force replaces it`])
    throw error
  }
  console.log(`Wrote ${path}`)
}
