import { expect, test } from 'vitest'
import { deriveAnswerKeys } from '../../../resources/idempotency/index.js'
import { fingerprintOf } from './fingerprint.js'

const keys = deriveAnswerKeys('a credential', 'a key', Buffer.alloc(16))
const turn = async () => undefined

const read = async (body: string | Buffer, contentType = 'application/json', url = '/v1/x') =>
  (
    await fingerprintOf(
      { url, headers: { 'content-type': contentType }, body: Buffer.from(body) },
      keys,
      turn,
    )
  ).toString('hex')

const form = (boundary: string, field = 'whisper') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\n${field}\r\n--${boundary}--\r\n`
const readForm = (boundary: string, field?: string) =>
  read(form(boundary, field), `multipart/form-data; boundary=${boundary}`)

test('the same request has the same, another path or body another', async () => {
  expect(await read('{"a":1}')).toBe(await read('{"a":1}'))
  expect(await read('{"a":1}')).not.toBe(await read('{"a": 1}'))
  expect(await read('{"a":1}')).not.toBe(await read('{"a":1}', undefined, '/v1/y'))
  expect(await read('ab', undefined, '/v1/x')).not.toBe(await read('b', undefined, '/v1/xa'))
})

test('of a form, the boundary does not count and everything else does', async () => {
  expect(await readForm('one')).toBe(await readForm('another'))
  expect(await readForm('one')).toBe(
    await read(form('one'), 'Multipart/Form-Data; charset=x; boundary="one"'),
  )
  expect(await readForm('one')).not.toBe(await readForm('one', 'gpt'))
  expect(await read('--b1--b2', 'multipart/form-data; boundary=b')).not.toBe(
    await read('--b12--b', 'multipart/form-data; boundary=b'),
  )
})

test('a body that is nothing but boundaries is read in its time', async () => {
  const body = Buffer.alloc(32 * 1024 * 1024, '--b')
  expect(await read(body, 'multipart/form-data; boundary=b')).toHaveLength(64)
})
