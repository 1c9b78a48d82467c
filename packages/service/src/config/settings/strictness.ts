import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether this is a local trial, where anything may be tried, or a service that others reach, where the rules are strict. */
export interface Strictness {
  strict: boolean
  /** Why, for the operator. */
  because: string
}

/** Only a service that nobody else can reach is a local trial: a name that is not `localhost` may lead anywhere. */
export function readStrictness(host: string, nodeEnv: string | null): Strictness {
  if (nodeEnv === 'production') return { strict: true, because: 'NODE_ENV is production' }
  if (!isLoopback(host)) return { strict: true, because: `it listens on ${host}, not on loopback alone` }
  return { strict: false, because: `it listens on ${host} alone and NODE_ENV is not production` }
}

export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost'
  return !host.includes('%') && ipaddr.process(host).range() === 'loopback'
}
