import { isIPv6 } from 'node:net'
import { readWholeNumber } from './integer.js'
import { createVariableReader, type ReadVariable } from './variables.js'

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
  const { host, port } = readAddress(createVariableReader(env, cwd, faults), faults)
  // A service that listens on every address answers on loopback.
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return { url: `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`, faults }
}
