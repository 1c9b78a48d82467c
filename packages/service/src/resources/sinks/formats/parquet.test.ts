import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { decimalText } from '../data/focus/decimal.js'
import { encodeParquet } from './parquet.js'
import type { Column } from './parquet-columns.js'

const columns: Column[] = [
  { name: 'text', type: 'text' },
  { name: 'json', type: 'json' },
  { name: 'integer', type: 'integer' },
  { name: 'boolean', type: 'boolean' },
  { name: 'time', type: 'time' },
  { name: 'usd', type: { decimals: 9 } },
  { name: 'exact', type: { decimals: 18 } },
]
const decimals: Record<string, number> = { usd: 9, exact: 18 }

const at = new Date('2026-11-19T10:00:00Z')
const encode = (rows: readonly object[]) =>
  encodeParquet(
    columns,
    rows.map((row, index) => ({ at, id: String(index), json: JSON.stringify(row) })),
    ({ json }) => JSON.parse(json),
  )

/** Reads the rows with another library. It would turn decimals into floats, so they are read as bytes. */
async function read(body: Buffer): Promise<Record<string, unknown>[]> {
  const file = new Uint8Array(body).buffer
  const metadata = parquetMetadata(file)
  for (const element of metadata.schema)
    if (element.converted_type === 'DECIMAL') {
      expect(element).toMatchObject({ precision: 38, scale: decimals[element.name] })
      delete element.converted_type
    }
  const rows = await parquetReadObjects({ file, metadata, utf8: false })
  return rows.map((row) => ({
    ...row,
    integer: row.integer === null ? null : Number(row.integer),
    time: row.time === null ? null : row.time.toISOString(),
    ...Object.fromEntries(
      Object.entries(decimals).map(([name, places]) => {
        const bytes: Uint8Array | null = row[name]
        const digits = bytes && BigInt.asIntN(128, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
        return [name, digits === null ? null : decimalText(digits, places)]
      }),
    ),
  }))
}

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values)
const amount = (places: number) =>
  fc.bigInt(-(10n ** 36n), 10n ** 36n).map((digits) => decimalText(digits, places))
const anyRow = fc.record({
  text: maybe(fc.string({ unit: 'grapheme' })),
  json: maybe(fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true })),
  integer: maybe(fc.maxSafeInteger()),
  boolean: maybe(fc.boolean()),
  time: maybe(
    fc.date({ min: at, max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  usd: maybe(amount(9)),
  exact: maybe(amount(18)),
})

test('another reader finds every value as it was, with all digits of an amount', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 20 }), async (rows) => {
      const expected = rows.map((row) => ({ ...row, json: row.json && JSON.stringify(row.json) }))
      expect(await read(await encode(rows))).toEqual(expected)
    }),
  )
})

test('a file has any number of rows, and the same rows are the same bytes', async () => {
  const rows = Array.from({ length: 1_001 }, (_, index) => ({
    ...{ text: `row ${index}`, json: { a: 'b' }, integer: index, boolean: true },
    ...{ time: at.toISOString(), usd: 0.1, exact: '-0.000000000000000001' },
  }))
  const body = await encode(rows)
  const found = await read(body)
  expect(found).toHaveLength(rows.length)
  expect(found[1_000]).toMatchObject({ integer: 1_000, usd: '0.1', exact: '-0.000000000000000001' })
  expect((await encode(rows)).equals(body)).toBe(true)
})
