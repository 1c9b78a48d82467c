import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultOfAddress, parseRange } from './public-address.js'
import { requireAllowedUrl, type UrlRules } from './url-rules.js'

const check = (url: string, rules: UrlRules) => () => requireAllowedUrl(url, 'url', rules)
const anywhere = { strict: false }
const production = { strict: true }

describe('a URL', () => {
  test.each([
    'ftp://hooks.example.com',
    'file:///etc/passwd',
    'gopher://hooks.example.com',
    'javascript:alert(1)',
    'data:text/plain,x',
    'hooks.example.com',
    '//hooks.example.com',
    'https://',
    'https://a b.com',
    'https://exa\nmple.com',
    'https://hooks.example.com/\t',
    '',
  ])('that is not of the web (%j) is refused everywhere', (url) => {
    for (const rules of [anywhere, production])
      expect(check(url, rules)).toThrow(expect.objectContaining({ type: 'invalid_webhook_url', status: 400 }))
  })

  test.each([
    'https://user:secret@hooks.example.com',
    'https://user@hooks.example.com',
    'https://:secret@hooks.example.com',
    'https://hooks.example.com%40127.0.0.1:x@127.0.0.1/',
  ])('must not carry credentials, which every reader of the endpoint would see (%s)', (url) => {
    expect(check(url, anywhere)).toThrow('url: must not carry a user name or a password')
  })

  test('may lead anywhere outside of production', () => {
    for (const url of [
      'http://127.0.0.1:9000/hook',
      'http://localhost',
      'https://10.0.0.1',
      'http://[::1]:1',
    ])
      expect(check(url, anywhere)).not.toThrow()
  })

  test('must be https in production', () => {
    expect(check('http://hooks.example.com', production)).toThrow('url: must be an https URL')
  })

  test.each([
    'https://hooks.example.com:8443/x?y=1',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://[::ffff:93.184.216.34]/',
    'https://münchen.example/',
    'https://localhost.example.com/',
  ])('may lead to any public place in production: %s', (url) => {
    expect(check(url, production)).not.toThrow()
  })
})

const machine = 'this machine'
const private_ = 'a private network'
const local = 'a link-local address'
const reserved = 'a reserved address'

test.each([
  // Names.
  ['localhost', machine],
  ['LOCALHOST', machine],
  ['localhost.', machine],
  ['api.localhost', machine],
  ['api.localhost.', machine],
  ['ｌocalhost', machine],
  ['metadata.google.internal', 'cloud metadata'],
  ['metadata.google.internal.', 'cloud metadata'],
  ['instance-data', 'cloud metadata'],
  // One address, spelled in every way that a parser takes.
  ['127.0.0.1', machine],
  ['127.0.0.1.', machine],
  ['127.1', machine],
  ['127.0.1', machine],
  ['2130706433', machine],
  ['017700000001', machine],
  ['0177.0.0.1', machine],
  ['0177.0.0.01', machine],
  ['0x7f000001', machine],
  ['0x7f.1', machine],
  ['0x7F.0x0.0x0.0x1', machine],
  ['１２７.0.0.1', machine],
  ['①②⑦.⓪.⓪.①', machine],
  ['127。0。0。1', machine],
  ['%31%32%37.0.0.1', machine],
  ['127.%30.0.1', machine],
  ['127.255.255.254', machine],
  ['0', machine],
  ['0.0.0.0', machine],
  ['0.1.2.3', machine],
  // Networks of IPv4.
  ['10.0.0.1', private_],
  ['10.255.255.255', private_],
  ['167772161', private_],
  ['100.64.0.1', private_],
  ['100.127.255.254', private_],
  ['100.100.100.200', private_],
  ['172.16.0.1', private_],
  ['172.31.255.254', private_],
  ['192.168.0.1', private_],
  ['192.168.255.255', private_],
  ['169.254.0.1', local],
  ['169.254.169.254', local],
  ['0xa9fea9fe', local],
  ['2852039166', local],
  ['192.0.0.1', reserved],
  ['192.0.0.192', reserved],
  ['192.0.2.1', reserved],
  ['192.88.99.1', reserved],
  ['198.18.0.1', reserved],
  ['198.19.255.254', reserved],
  ['198.51.100.1', reserved],
  ['203.0.113.1', reserved],
  ['224.0.0.1', reserved],
  ['239.255.255.255', reserved],
  ['240.0.0.1', reserved],
  ['255.255.255.255', reserved],
  ['168.63.129.16', reserved],
  // IPv6.
  ['[::1]', machine],
  ['[0:0:0:0:0:0:0:1]', machine],
  ['[::]', machine],
  ['[::ffff:127.0.0.1]', machine],
  ['[::ffff:7f00:1]', machine],
  ['[::ffff:10.0.0.1]', private_],
  ['[::ffff:169.254.169.254]', local],
  ['[::127.0.0.1]', reserved],
  ['[::7f00:1]', reserved],
  ['[::ffff:0:127.0.0.1]', reserved],
  ['[64:ff9b::7f00:1]', reserved],
  ['[64:ff9b::10.0.0.1]', reserved],
  ['[64:ff9b:1::1]', reserved],
  ['[2002:7f00:1::]', reserved],
  ['[2002:a00:1::]', reserved],
  ['[2001::1]', reserved],
  ['[2001:0:4136:e378:8000:63bf:3fff:fdd2]', reserved],
  ['[2001:db8::1]', reserved],
  ['[3fff::1]', reserved],
  ['[100::1]', reserved],
  ['[5f00::1]', reserved],
  ['[fe80::1]', local],
  ['[febf::1]', local],
  ['[fec0::1]', reserved],
  ['[fc00::1]', private_],
  ['[fd00:ec2::254]', private_],
  ['[ff02::1]', reserved],
  ['[4000::1]', reserved],
])('in production %s is refused, for it leads to %s', (host, where) => {
  expect(check(`https://${host}/`, production)).toThrow(where)
})

test.each(['[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1', '1.2.3.4.5', '999.1.1.1'])(
  'a host that is no host (%s) is refused',
  (host) => expect(check(`https://${host}/`, anywhere)).toThrow('is not a URL'),
)

describe('an address that a name resolved to', () => {
  test.each(['fe80::1%eth0', '::ffff:127.0.0.1', '::1', '127.0.0.1', '', 'nonsense', '0:0:0:0:0:ffff:a00:1'])(
    'is refused as %j',
    (address) => expect(faultOfAddress(address)).not.toBeNull(),
  )

  test('of a private network is refused however it is written, wherever in the network it is', () => {
    const networks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16']
    const inNetwork = fc
      .tuple(fc.constantFrom(...networks), fc.nat(0xffffffff))
      .map(([cidr, random]) => within(cidr, random))
    fc.assert(
      fc.property(inNetwork, (ip) => {
        const dotted = [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.')
        for (const address of [dotted, `::ffff:${dotted}`]) expect(faultOfAddress(address)).not.toBeNull()
        for (const spelling of [dotted, String(ip), `0x${ip.toString(16)}`, `0${ip.toString(8)}`])
          expect(check(`https://${spelling}/`, production)).toThrow('must not lead to')
      }),
    )
  })

  test('of IPv6 is refused unless it is global unicast', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const [first = ''] = address.split(':')
        const isGlobal = /^[23][0-9a-f]{3}$/i.test(first)
        // What looks like IPv4 within IPv6 is judged as IPv4.
        if (isGlobal || /ffff:[^:]*\.|ffff:[0-9a-f]+:[0-9a-f]+$/i.test(address)) return
        expect(faultOfAddress(address)).not.toBeNull()
      }),
    )
  })
})

test('the operator can allow private ranges, and nothing beside them', () => {
  const rules = {
    strict: true,
    allowedRanges: ['10.20.0.0/16', '127.0.0.1/32', 'fd00:1::/32'].map(parseRange),
  }
  for (const host of ['10.20.3.4', '127.0.0.1', '[fd00:1::5]', '[::ffff:10.20.0.1]', '0x7f.1'])
    expect(check(`https://${host}/`, rules)).not.toThrow()
  for (const host of ['10.21.0.1', '127.0.0.2', '[fd00:2::5]', '[::1]', 'localhost'])
    expect(check(`https://${host}/`, rules)).toThrow('must not lead to')
  // Also by plain HTTP, which goes nowhere else.
  for (const host of ['10.20.3.4', '[fd00:1::5]', '0x7f.1'])
    expect(check(`http://${host}/`, rules)).not.toThrow()
  for (const host of ['10.21.0.1', '127.0.0.2', '[::1]', '93.184.216.34'])
    expect(check(`http://${host}/`, rules)).toThrow('must be an https URL')
})

function within(cidr: string, random: number): number {
  const [network = '', bits = ''] = cidr.split('/')
  const base = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const hosts = 2 ** (32 - Number(bits))
  return base + (random % hosts)
}
