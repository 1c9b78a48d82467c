import { expect, test } from 'vitest'
import { SignInAttempts } from './attempts.js'

const limits = { windowMs: 60_000, perAddress: 3, inAll: 6, perAddressThen: 1 }

function start() {
  const clock = { ms: 1_000_000 }
  const attempts = new SignInAttempts(limits, () => clock.ms)
  const fail = (ip: string, times = 1) => {
    for (let i = 0; i < times; i++) attempts.begin(ip)
  }
  return { clock, attempts, fail }
}

const heldBack = (seconds: number) =>
  expect.objectContaining({ status: 429, extras: { retry_after: seconds } })

test('an address that failed too often waits until its oldest failure is out of the window, to the second', () => {
  const { clock, attempts, fail } = start()
  fail('192.0.2.1')
  clock.ms += 10_000
  fail('192.0.2.1', 2)
  expect(() => attempts.begin('192.0.2.1')).toThrow(heldBack(50))
  clock.ms += 49_000
  expect(() => attempts.begin('192.0.2.1')).toThrow(heldBack(1))
  clock.ms += 1_000
  attempts.begin('192.0.2.1')
  expect(() => attempts.begin('192.0.2.1')).toThrow(heldBack(10))
})

test('an attempt counts from its beginning, so that many at once are held back too; one that succeeds does not count', () => {
  const { attempts } = start()
  const underWay = [attempts.begin('192.0.2.1'), attempts.begin('192.0.2.1'), attempts.begin('192.0.2.1')]
  expect(() => attempts.begin('192.0.2.1')).toThrow(heldBack(60))
  underWay[0]?.succeeded()
  attempts.begin('192.0.2.1').succeeded()
  for (let i = 0; i < 50; i++) attempts.begin('192.0.2.2').succeeded()
})

test('failures elsewhere never hold back an address that has not failed, and leave less to one that has', () => {
  const { attempts, fail } = start()
  for (let i = 1; i <= 3; i++) fail(`192.0.2.${i}`, 2)
  attempts.begin('198.51.100.1').succeeded()
  fail('198.51.100.2')
  expect(() => attempts.begin('198.51.100.2')).toThrow(heldBack(60))
})

test('a network of IPv6 is one address, and so is an IPv4 address however it is written', () => {
  const { attempts, fail } = start()
  fail('2001:db8:1:2::1')
  fail('2001:db8:1:2:ffff::2', 2)
  expect(() => attempts.begin('2001:db8:1:2::3')).toThrow(heldBack(60))
  attempts.begin('2001:db8:1:3::1')
  const second = start()
  second.fail('::ffff:192.0.2.7', 2)
  second.fail('192.0.2.7')
  expect(() => second.attempts.begin('192.0.2.7')).toThrow(heldBack(60))
})
