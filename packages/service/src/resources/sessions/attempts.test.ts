import { expect, test } from 'vitest'
import { ApiError } from '../../shared/errors.js'
import { SignInAttempts } from './attempts.js'

const limits = { windowMs: 60_000, perAddress: 3, inAll: 6, perAddressThen: 1 }

function start() {
  const clock = { ms: 1_000_000 }
  const attempts = new SignInAttempts(limits, () => clock.ms)
  const fail = async (ip: string, times = 1) => {
    for (let i = 0; i < times; i++) await expect(attempts.attempt(ip, refuse)).rejects.toThrow('wrong')
  }
  const succeed = (ip: string) => attempts.attempt(ip, async () => 'in')
  return { clock, attempts, fail, succeed }
}

const refuse = () => Promise.reject(new ApiError('unauthorized', 'wrong'))

const heldBack = (seconds: number) =>
  expect.objectContaining({ status: 429, extras: { retry_after: seconds } })

test('an address that failed too often waits until its oldest failure is out of the window, to the second', async () => {
  const { clock, fail, succeed } = start()
  await fail('192.0.2.1')
  clock.ms += 10_000
  await fail('192.0.2.1', 2)
  await expect(succeed('192.0.2.1')).rejects.toThrow(heldBack(50))
  clock.ms += 49_000
  await expect(succeed('192.0.2.1')).rejects.toThrow(heldBack(1))
  clock.ms += 1_000
  await fail('192.0.2.1')
  await expect(succeed('192.0.2.1')).rejects.toThrow(heldBack(10))
})

test('many valid sign-ins at once all succeed, also after failures that leave room for one', async () => {
  const { fail, succeed } = start()
  await fail('192.0.2.1', 2)
  const all = await Promise.all(Array.from({ length: 100 }, () => succeed('192.0.2.1')))
  expect(all).toEqual(Array(100).fill('in'))
})

test('many guesses at once are no way around the limit: only as many are tried as may fail', async () => {
  const { attempts } = start()
  let tried = 0
  const guess = () => {
    tried += 1
    return refuse()
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => attempts.attempt('192.0.2.1', guess)),
  )
  expect(tried).toBe(3)
  const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.type)
  expect(reasons.filter((reason) => reason === 'rate_limit_exceeded')).toHaveLength(97)
})

test('a fault of ours is no failure of who signs in', async () => {
  const { attempts, succeed } = start()
  const break_ = () => Promise.reject(new ApiError('unavailable', 'away'))
  for (let i = 0; i < 10; i++) await expect(attempts.attempt('192.0.2.1', break_)).rejects.toThrow('away')
  for (let i = 0; i < 10; i++)
    await expect(attempts.attempt('192.0.2.1', () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    )
  expect(await succeed('192.0.2.1')).toBe('in')
})

test('those that wait go on when the failures before them leave the window', async () => {
  const { clock, attempts, fail, succeed } = start()
  await fail('192.0.2.1', 2)
  let end: (() => void) | undefined
  const slow = attempts.attempt('192.0.2.1', async () => {
    await new Promise<void>((resolve) => {
      end = resolve
    })
    return await refuse()
  })
  const waiting = [succeed('192.0.2.1'), succeed('192.0.2.1')]
  await Promise.resolve()
  clock.ms += 61_000
  end?.()
  await expect(slow).rejects.toThrow('wrong')
  expect(await Promise.all(waiting)).toEqual(['in', 'in'])
})

test('failures elsewhere never hold back an address that has not failed, and leave less to one that has', async () => {
  const { fail, succeed } = start()
  for (let i = 1; i <= 3; i++) await fail(`192.0.2.${i}`, 2)
  expect(await succeed('198.51.100.1')).toBe('in')
  await fail('198.51.100.2')
  await expect(succeed('198.51.100.2')).rejects.toThrow(heldBack(60))
})

test('a network of IPv6 is one address, and so is an IPv4 address however it is written', async () => {
  const { fail, succeed } = start()
  await fail('2001:db8:1:2::1')
  await fail('2001:db8:1:2:ffff::2', 2)
  await expect(succeed('2001:db8:1:2::3')).rejects.toThrow(heldBack(60))
  expect(await succeed('2001:db8:1:3::1')).toBe('in')
  const second = start()
  await second.fail('::ffff:192.0.2.7', 2)
  await second.fail('192.0.2.7')
  await expect(second.succeed('192.0.2.7')).rejects.toThrow(heldBack(60))
})
