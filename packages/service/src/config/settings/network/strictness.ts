import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether the service is a local trial or can be reached by others. Strict rules apply to the latter. */
export interface Strictness {
  strict: boolean
  /** The reason, for the operator. */
  because: string
}

/** Only an address of this machine makes a local trial. A name other than `localhost` may resolve to any address. */
export function readStrictness(host: string, nodeEnv: string | null): Strictness {
  if (nodeEnv === 'production') return { strict: true, because: 'NODE_ENV is production' }
  if (!isLoopback(host)) return { strict: true, because: `it listens on ${host}, not on loopback alone` }
  return { strict: false, because: `it listens on ${host} alone and NODE_ENV is not production` }
}

export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost'
  return !host.includes('%') && ipaddr.process(host).range() === 'loopback'
}
