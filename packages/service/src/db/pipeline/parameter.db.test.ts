import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { bigintArray, byteaArray, smallintArray, textArray } from './binary-array.js'
import { toParameter } from './parameter.js'

const client = new pg.Client(inject('postgresUrl'))
beforeAll(() => client.connect())
afterAll(() => client.end())

const texts = fc.array(fc.option(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))))

test('texts come back from the server as they were sent, alone and in arrays, whatever is in them', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (sent) => {
      const [first = null] = sent
      const { rows } = await client.query('select $1::text[] as list, $2::text as one', [
        toParameter(sent),
        toParameter(first),
      ])
      expect(rows).toEqual([{ list: sent, one: first }])
    }),
  )
})

test('bytes, numbers and dates come back from the server as they were sent', async () => {
  const bytes = Buffer.from([0, 1, 34, 92, 255])
  const at = new Date('2026-11-15T01:02:03.004Z')
  const { rows } = await client.query(
    'select $1::bytea as one, $2::bytea[] as list, $3::bigint[]::text as counts, $4::timestamptz as at',
    [bytes, [bytes, null], [1, 9_007_199_254_740_991, null], at].map(toParameter),
  )
  expect(rows).toEqual([{ one: bytes, list: [bytes, null], counts: '{1,9007199254740991,NULL}', at }])
})

test('binary arrays come back from the server as they were sent, whatever is in them', async () => {
  const anyCount = fc.maxSafeInteger()
  const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
  const anySmall = fc.integer({ min: -32_768, max: 32_767 })
  const arrays = fc.record({
    texts,
    counts: fc.array(fc.option(anyCount)),
    bytes: fc.array(fc.option(anyBytes)),
    small: fc.array(anySmall),
  })
  await fc.assert(
    fc.asyncProperty(arrays, async (sent) => {
      const { rows } = await client.query(
        'select $1::text[] as texts, $2::bigint[] as counts, $3::bytea[] as bytes, $4::smallint[] as small',
        [textArray(sent.texts), bigintArray(sent.counts), byteaArray(sent.bytes), smallintArray(sent.small)],
      )
      const counts = sent.counts.map((count) => (count === null ? null : String(count)))
      expect(rows).toEqual([{ ...sent, counts }])
    }),
  )
})
