import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A range that the operator lets through although it is not public, such as `10.20.0.0/16`. */
export type AllowedRange = ReturnType<typeof ipaddr.parseCIDR>

export const parseRange = (cidr: string): AllowedRange => ipaddr.parseCIDR(cidr)

// All of IPv6 that is in use in public. Outside of it everything is local, reserved, or an IPv4 address in disguise,
// and the library alone takes some of those, such as ::7f00:1, for public.
const globalUnicast = parseRange('2000::/3')

// Looks public, but is the door to the host that an Azure machine runs on.
const azureHost = parseRange('168.63.129.16/32')

const words: Record<string, string> = {
  loopback: 'must not lead to this machine (a loopback address)',
  unspecified: 'must not lead to this machine (the unspecified address)',
  private: 'must not lead to a private network',
  uniqueLocal: 'must not lead to a private network (a unique local address)',
  carrierGradeNat: 'must not lead to a private network (a shared address)',
  linkLocal: 'must not lead to a link-local address',
}

/**
 * Why an address may not be called; null when it is public, or the operator allows it. An IPv4 address within IPv6
 * (`::ffff:10.0.0.1`) is judged as what it is.
 */
export function faultOfAddress(address: string, allowed: readonly AllowedRange[]): string | null {
  const plain = spellPlainly(address)
  if (!ipaddr.isValid(plain)) return 'must not lead to an address that cannot be read'
  const parsed = ipaddr.process(plain)
  if (allowed.some((range) => isWithin(parsed, range))) return null
  const isPublic =
    parsed.range() === 'unicast' &&
    (parsed.kind() === 'ipv4' || isWithin(parsed, globalUnicast)) &&
    !isWithin(parsed, azureHost)
  return isPublic ? null : (words[parsed.range()] ?? 'must not lead to a reserved address')
}

/**
 * IPv6 without dots: the library takes `::8.8.8.8`, which leads nowhere, for the IPv4 address that it ends with. A zone
 * (`fe80::1%eth0`) has no place in a URL, and what has one is local anyway.
 */
function spellPlainly(address: string): string {
  if (!isIPv6(address) || address.includes('%')) return address
  return new URL(`http://[${address}]/`).hostname.slice(1, -1)
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, range: AllowedRange): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}
