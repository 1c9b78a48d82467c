import { isIP } from 'node:net'
import { within } from '../../shared/deadline.js'
import { ProxyError } from '../../shared/proxy-error.js'
import type { ResolveName } from '../resolve-name.js'
import { faultOfTarget, type UrlRules } from '../url-rules.js'
import { RefusedAddressError } from '../vetted-connector.js'

const lookupTimeoutMs = 5_000

/**
 * Checks a target that a proxy connects to. The name is resolved here, and refused if one of its addresses is. The proxy resolves it
 * again, so a name may change in between: against that, only the proxy's own rules help. Where the proxy alone can resolve names, the
 * operator may leave them to it, except for plain HTTP, which goes to private ranges alone.
 */
export function createVetTarget(rules: UrlRules, resolve: ResolveName, resolvesNames: boolean) {
  return async (protocol: string, hostname: string): Promise<void> => {
    if (!rules.strict) return
    const isAddress = isIP(hostname) !== 0
    if (!isAddress && resolvesNames && protocol === 'https:') return
    const addresses = isAddress ? [hostname] : await resolveHere(hostname, resolve)
    for (const address of addresses) {
      const fault = faultOfTarget(address, protocol, rules)
      if (fault !== null) throw new RefusedAddressError(fault)
    }
  }
}

async function resolveHere(hostname: string, resolve: ResolveName): Promise<string[]> {
  try {
    return await within(lookupTimeoutMs, resolve(hostname), () => new Error('not resolved in time'))
  } catch (cause) {
    const advice = 'if the proxy refuses private addresses itself, set TALLYSTICK_PROXY_RESOLVES_NAMES=true'
    throw new ProxyError(
      `the host name cannot be resolved on this machine, which checks its address before a proxy is used: ${advice}`,
      { cause },
    )
  }
}
