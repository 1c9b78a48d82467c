import { expect, test } from 'vitest'
import { BodiesInFlight } from './in-flight.js'

const mebibyte = 1024 * 1024
const limits = { totalBytes: 100 * mebibyte, perTenantBytes: 90 * mebibyte, perKeyBytes: 60 * mebibyte }
const ann = { tenantId: 'acme', keyId: 'ann', userId: null }
const bob = { tenantId: 'acme', keyId: 'bob', userId: null }
const eve = { tenantId: 'other', keyId: 'eve', userId: null }

test('the memory of open bodies is bounded per key, per tenant and in total, and is released', () => {
  const bodies = new BodiesInFlight(limits)
  const first = bodies.open(ann)
  first.take(40 * mebibyte)
  const second = bodies.open(ann)
  expect(() => second.take(21 * mebibyte)).toThrow(
    expect.objectContaining({ status: 429, message: expect.stringContaining('of this key') }),
  )
  second.take(20 * mebibyte)
  const third = bodies.open(bob)
  expect(() => third.take(31 * mebibyte)).toThrow(
    expect.objectContaining({ status: 429, message: expect.stringContaining('of this tenant') }),
  )
  third.take(30 * mebibyte)
  const fourth = bodies.open(eve)
  fourth.take(10 * mebibyte)
  expect(() => fourth.take(1)).toThrow(
    expect.objectContaining({ status: 429, message: expect.stringContaining('of this service') }),
  )
  first.retain()
  first.release()
  expect(() => bodies.open(eve).take(1), 'still held').toThrow()
  first.release()
  bodies.open(eve).take(40 * mebibyte)
})

test('a body that is only announced does not block others', () => {
  const bodies = new BodiesInFlight(limits)
  for (let n = 0; n < 100; n++) bodies.open(ann).require(32 * mebibyte)
  bodies.open(ann).take(60 * mebibyte)
  expect(() => bodies.open(ann).require(1)).toThrow(expect.objectContaining({ status: 429 }))
})

test('a body that can never fit is refused without Retry-After', () => {
  const account = new BodiesInFlight(limits).open(ann)
  expect(() => account.take(61 * mebibyte)).toThrow(expect.objectContaining({ status: 413 }))
})

test('a refused body is not counted', () => {
  const bodies = new BodiesInFlight(limits)
  const account = bodies.open(ann)
  account.take(50 * mebibyte)
  expect(() => account.take(20 * mebibyte)).toThrow()
  account.release()
  bodies.open(ann).take(60 * mebibyte)
})
