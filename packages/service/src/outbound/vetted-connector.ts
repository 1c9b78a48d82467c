import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { ResolveName } from './resolve-name.js'
import { faultOfTarget, type UrlRules } from './url-rules.js'

/** The rules refuse the address that a connection would be made to. */
export class RefusedAddressError extends Error {}

export interface TlsOptions {
  /** A certificate authority in PEM, besides which no other is trusted. */
  ca?: string | undefined
}

/**
 * Connects only to addresses that the rules allow. A name is resolved here, once for each connection, and the address that was
 * checked is the one that is connected to: a name that resolves to another address a moment later (DNS rebinding) gains
 * nothing. If one address of a name is refused, the name is.
 */
export function createVettedConnector(
  rules: UrlRules,
  resolve: ResolveName,
  timeoutMs: number,
  { ca }: TlsOptions = {},
): buildConnector.connector {
  const connectBy = (protocol: string) => {
    const faultOf = (address: string) => faultOfTarget(address, protocol, rules)
    const lookup = createVettedLookup(resolve, faultOf)
    const tls = ca === undefined ? {} : { ca }
    return {
      faultOf,
      connect: buildConnector({ timeout: timeoutMs, lookup, autoSelectFamily: true, ...tls }),
    }
  }
  // What plain HTTP may reach is less than what HTTPS may.
  const [plain, secure] = [connectBy('http:'), connectBy('https:')]

  return (options, done) => {
    const { faultOf, connect } = options.protocol === 'https:' ? secure : plain
    // If the host is an address, the connector does not call the lookup.
    const literalFault = isIP(options.hostname) === 0 ? null : faultOf(options.hostname)
    if (literalFault !== null) return done(new RefusedAddressError(literalFault), null)
    connect(options, (error, socket) => {
      if (error !== null) return done(error, null)
      const fault = faultOf(socket.remoteAddress ?? '')
      if (fault === null) return done(null, socket)
      socket.destroy()
      done(new RefusedAddressError(fault), null)
    })
  }
}

function createVettedLookup(
  resolve: ResolveName,
  faultOf: (address: string) => string | null,
): LookupFunction {
  return (name, { all }, done) => {
    resolve(name)
      .then((addresses) => {
        for (const address of addresses) refuse(faultOf(address))
        return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
      })
      .then(
        (vetted) => {
          const [first] = vetted
          if (all) done(null, vetted)
          else done(null, first?.address ?? '', first?.family)
        },
        (error) => done(error, ''),
      )
  }
}

function refuse(fault: string | null): void {
  if (fault !== null) throw new RefusedAddressError(fault)
}
