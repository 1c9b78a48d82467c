import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvHead, csvLine } from './csv.js'

const hostile = fc.constantFrom(
  '',
  '"',
  ',',
  '\n',
  '\r\n',
  '=1+1',
  '+1',
  '-1',
  '@x',
  '\t',
  ' a ',
  '"",\n',
  '\u2028',
  '\ufeff',
)
const value = fc.option(fc.oneof(hostile, fc.string({ unit: 'grapheme' })))

test('another reader finds every text as it was, and null where there was nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ a: value, 'b,"': value, c: value }), { minLength: 1 }), (rows) => {
      const text = csvHead(rows[0] ?? {}) + rows.map(csvLine).join('')
      const read: unknown = parse(text, {
        columns: true,
        skip_empty_lines: false,
        record_delimiter: '\n',
        cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
      })
      expect(read).toEqual(rows)
    }),
  )
})
