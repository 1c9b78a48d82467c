import { isIPv6 } from 'node:net'
import { readWholeNumber } from '../integer.js'
import { createVariableReader, type ReadVariable } from '../variables.js'

export function readAddress(read: ReadVariable, faults: string[]): { host: string; port: number } {
  return {
    host: read('TALLYSTICK_HOST') ?? '127.0.0.1',
    port: readWholeNumber('TALLYSTICK_PORT', read, faults),
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
