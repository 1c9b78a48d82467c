import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A range that the operator allows although it is not public, such as `10.20.0.0/16`. */
export type AllowedRange = ReturnType<typeof ipaddr.parseCIDR>

export const parseRange = (cidr: string): AllowedRange => ipaddr.parseCIDR(cidr)

// All public IPv6 addresses. The rest is local, reserved, or maps to IPv4, and the library alone classifies some of that, such
// as ::7f00:1, as public.
const globalUnicast = parseRange('2000::/3')

// A public address by its range, but on an Azure machine it leads to the host's own services.
const azureHost = parseRange('168.63.129.16/32')

const faults: Record<string, string> = {
  loopback: 'must not lead to this machine (a loopback address)',
  unspecified: 'must not lead to this machine (the unspecified address)',
  private: 'must not lead to a private network',
  uniqueLocal: 'must not lead to a private network (a unique local address)',
  carrierGradeNat: 'must not lead to a private network (a shared address)',
  linkLocal: 'must not lead to a link-local address',
}

/** An IPv4 address within IPv6 (`::ffff:10.0.0.1`) is taken as IPv4. Null if it cannot be read. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const normalized = normalizeIpv6(address)
  return ipaddr.isValid(normalized) ? ipaddr.process(normalized) : null
}

export function isInRanges(address: string, ranges: readonly AllowedRange[]): boolean {
  const parsed = parseAddress(address)
  return parsed !== null && ranges.some((range) => isWithin(parsed, range))
}

/** Why an address may not be called; null if it is public. */
export function faultOfAddress(address: string): string | null {
  const parsed = parseAddress(address)
  if (parsed === null) return 'must not lead to an address that cannot be read'
  const isPublic =
    parsed.range() === 'unicast' &&
    (parsed.kind() === 'ipv4' || isWithin(parsed, globalUnicast)) &&
    !isWithin(parsed, azureHost)
  return isPublic ? null : (faults[parsed.range()] ?? 'must not lead to a reserved address')
}

/**
 * IPv6 without dots: the library treats `::8.8.8.8`, which is not routed, as the IPv4 address that it ends with. A zone
 * (`fe80::1%eth0`) is not valid in a URL, and an address with one is local anyway.
 */
function normalizeIpv6(address: string): string {
  if (!isIPv6(address) || address.includes('%')) return address
  return new URL(`http://[${address}]/`).hostname.slice(1, -1)
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, range: AllowedRange): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}
