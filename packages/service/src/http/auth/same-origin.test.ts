import { expect, test } from 'vitest'
import { isSameOrigin } from './same-origin.js'

const at = (host: string, headers: Record<string, string>) => ({ host, headers })
const publicAddress = { origin: 'https://ai.example.com', prefix: '/tallystick' }

test.each([
  ['the same address', 'ai.example.com', 'https://ai.example.com', true],
  ['a default port that is said', 'ai.example.com:443', 'https://ai.example.com', true],
  ['another port', 'ai.example.com:8443', 'https://ai.example.com', false],
  ['another letter case of the host', 'AI.example.com', 'https://ai.example.com', true],
  ['a host below ours', 'example.com', 'https://ai.example.com', false],
  ['no web page', 'ai.example.com', 'chrome-extension://ai.example.com', false],
  ['a file', 'ai.example.com', 'file://', false],
  ['a name and a password', 'ai.example.com', 'https://x:y@ai.example.com', false],
])('without a public URL, what the request was sent to counts: %s', (_, host, origin, expected) => {
  expect(isSameOrigin(at(host, { origin }), null)).toBe(expected)
})

test('a configured public URL is the only accepted origin', () => {
  expect(isSameOrigin(at('10.0.0.7:7070', { origin: 'https://ai.example.com' }), publicAddress)).toBe(true)
  expect(isSameOrigin(at('10.0.0.7:7070', { origin: 'http://10.0.0.7:7070' }), publicAddress)).toBe(false)
  expect(isSameOrigin(at('ai.example.com', { origin: 'http://ai.example.com' }), publicAddress)).toBe(false)
  expect(isSameOrigin(at('ai.example.com', { origin: 'https://ai.example.com:8443' }), publicAddress)).toBe(
    false,
  )
})
