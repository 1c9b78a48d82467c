import { BlockList, isIP } from 'node:net'
import { ApiError } from '../../errors.js'

/**
 * What can be told from a URL by reading it, when a policy is saved: its scheme, credentials in it, and a host that is
 * an address of this machine or of a private network in whatever notation. What only a look-up can tell, a name that
 * leads to such an address, is not covered here: that is vetted when the connection is made.
 */
export function requireAllowedUrl(text: string, path: string, { production }: { production: boolean }): void {
  const broken = findBrokenRule(text, production)
  if (broken !== null) throw new ApiError('invalid_webhook_url', `${path}: ${broken}`)
}

function findBrokenRule(text: string, production: boolean): string | null {
  // The parser would drop tabs and line ends silently: what is stored must be what was meant.
  if (/\s/.test(text) || !URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or a password'
  if (!production) return null
  if (url.protocol !== 'https:') return 'must be an https URL'
  return isOwnHost(url.hostname) ? 'must not lead to this machine or a private network' : null
}

/** The parser has already turned every notation of an address (`0x7f.1`, `2130706433`, `::ffff:7f00:1`) into one. */
function isOwnHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(name) === 4) return notPublic.check(name, 'ipv4')
  if (isIP(name) === 6) return !globalUnicast.check(name, 'ipv6') || notPublic.check(name, 'ipv6')
  return name === 'localhost' || name.endsWith('.localhost')
}

/** All of IPv6 that is in use in public. Everything else is local, reserved, or another address in disguise. */
const globalUnicast = listOf('ipv6', ['2000::/3'])

const notPublic = listOf(
  'ipv4',
  [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  // Tunnels that wrap an IPv4 address (Teredo, 6to4), and documentation.
  listOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']),
)

function listOf(family: 'ipv4' | 'ipv6', ranges: string[], list = new BlockList()): BlockList {
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
