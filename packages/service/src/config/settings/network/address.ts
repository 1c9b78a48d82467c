import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { readWholeNumber } from '../integer.js'
import { createReferences } from '../secrets/references.js'
import { createVariableReader, type ReadVariable } from '../variables.js'

export const defaultDataDir = './.tallystick'
const defaultHost = '127.0.0.1'

export function readAddress(read: ReadVariable, faults: string[]): { host: string; port: number } {
  return {
    host: read('TALLYSTICK_HOST') ?? defaultHost,
    port: readWholeNumber('TALLYSTICK_PORT', read, faults),
  }
}

/** Where a service begins: what it listens on, and where it keeps files. */
export interface StartPlaces {
  /** Null while the host has a fault, which `loadConfig` reports. The port is 0 while it has one. */
  address: { host: string; port: number } | null
  /** Null while it has a fault. */
  dataDir: string | null
}

/** Reads the places that can be checked while other settings have faults. */
export function readStartPlaces(env: Readonly<Record<string, string | undefined>>, cwd: string): StartPlaces {
  const faults: string[] = []
  const references = createReferences({ env, cwd, values: new Map() }, faults)
  const read = createVariableReader(env, cwd, faults, references)
  const dataDir = resolve(cwd, read('TALLYSTICK_DATA_DIR') ?? defaultDataDir)
  const isKnown = () => faults.length === 0 && references.missing.size === 0
  const isDataDirKnown = isKnown()
  faults.length = 0
  const host = read('TALLYSTICK_HOST') ?? defaultHost
  const isHostKnown = isKnown()
  const { port } = readAddress(read, faults)
  return {
    // A host can be checked with any free port.
    address: isHostKnown ? { host, port: isKnown() ? port : 0 } : null,
    dataDir: isDataDirKnown ? dataDir : null,
  }
}

/** Returns where a process on this machine reaches a service with this environment. Other faults of the settings do not matter to it. */
export function readProbeUrl(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): { url: string; faults: string[] } {
  const faults: string[] = []
  const read = createVariableReader(env, cwd, faults)
  const { host, port } = readAddress(read, faults)
  // A service that listens on every address answers on loopback.
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  const scheme = read('TALLYSTICK_TLS_CERTIFICATE') === null ? 'http' : 'https'
  return { url: `${scheme}://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`, faults }
}
