import { readConfigFile } from '../../file/config-file.js'
import { createVariableReader } from '../variables.js'
import type { KnownProviders } from './providers.js'

/** Returns the names of the configured providers, without reading any of their secrets. */
export function readProviderNames(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  { types }: KnownProviders,
): string[] {
  const source = { cwd, readVariable: () => '', references: { resolve: () => null }, withSecrets: false }
  const path = createVariableReader(env, cwd, [])('TALLYSTICK_CONFIG')
  const isSet = (name: string) => Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim())
  const ofVariables = [...types].flatMap(([type, { environmentPrefix: prefix }]) =>
    prefix !== null && (isSet(`${prefix}_API_KEY`) || isSet(`${prefix}_BASE_URL`)) ? type : [],
  )
  return [...readConfigFile({ path, ...source }, []).providerNames, ...ofVariables]
}
