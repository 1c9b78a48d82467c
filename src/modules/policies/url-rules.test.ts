import { describe, expect, test } from 'vitest'
import { requireAllowedUrl } from './url-rules.js'

const check = (url: string, production: boolean) => () => requireAllowedUrl(url, 'config.url', { production })

describe('a URL', () => {
  test.each([
    'ftp://guard.example.com',
    'guard.example.com',
    '//guard.example.com',
    'javascript:alert(1)',
    'https://a b.com',
    'https://exa\nmple.com',
    '',
  ])('that is not of the web (%j) is refused everywhere', (url) => {
    expect(check(url, false)).toThrow(/config\.url: /)
    expect(check(url, true)).toThrow(/config\.url: /)
  })

  test('must not carry credentials, which every reader of the policy would see', () => {
    expect(check('https://user:secret@guard.example.com', false)).toThrow('user name or a password')
  })

  test('may lead anywhere outside of production', () => {
    expect(check('http://127.0.0.1:9000/check', false)).not.toThrow()
    expect(check('http://localhost', false)).not.toThrow()
  })

  test('must be https in production', () => {
    expect(check('http://guard.example.com', true)).toThrow('https')
    expect(check('https://guard.example.com:8443/check?x=1', true)).not.toThrow()
    expect(check('https://93.184.216.34/', true)).not.toThrow()
    expect(check('https://[2606:2800:220:1:248:1893:25c8:1946]/', true)).not.toThrow()
  })

  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.1.',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '255.255.255.255',
    '224.0.0.1',
    '１２７.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fd00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2002:7f00:1::]',
    '[2001::1]',
  ])('must not lead to %s in production', (host) => {
    expect(check(`https://${host}/`, true)).toThrow('this machine or a private network')
  })
})
