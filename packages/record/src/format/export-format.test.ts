import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readExportLine, writeEntryLine, writeLine } from './export-format.js'

const withoutBreak = (line: string) => line.slice(0, -1)

test('a line is read as it was written, whatever is in it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.string({ unit: 'binary' }), (seq, text) => {
      const entry = writeEntryLine(seq, text)
      expect(entry.endsWith('\n') && entry.indexOf('\n') === entry.length - 1).toBe(true)
      expect(readExportLine(withoutBreak(entry))).toEqual({ type: 'entry', seq, canonical: text })
      const seal = writeLine({ type: 'seal', size: seq, note: text })
      expect(readExportLine(withoutBreak(seal))).toEqual({ type: 'seal', size: seq, note: text })
    }),
  )
})

test('an entry is read alike, whether it is spelt as we do or otherwise', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (canonical) => {
      const reordered = JSON.stringify({ canonical, seq: 7, type: 'entry' })
      expect(readExportLine(reordered)).toEqual({ type: 'entry', seq: 7, canonical })
    }),
  )
})

test.each([
  ['nothing', ''],
  ['noise', 'noise'],
  ['a list', '[]'],
  ['a number', '1'],
  ['no type', '{"seq":1,"canonical":""}'],
  ['another type', '{"type":"exit"}'],
  ['a member twice', '{"type":"end","entries":1,"seals":1,"seals":2}'],
  ['an entry without its text', '{"type":"entry","seq":1}'],
  ['a text that is none', '{"type":"entry","seq":1,"canonical":{}}'],
  ['a text that goes on', '{"type":"entry","seq":1,"canonical":"a"b"}'],
  ['half a line', '{"type":"entry","seq":1,"canonical":"a'],
  ['two objects', '{"type":"entry","seq":1,"canonical":"a"}{"type":"entry","seq":2,"canonical":"a"}'],
  ['a number with a leading zero', '{"type":"entry","seq":01,"canonical":"a"}'],
  ['a negative number', '{"type":"entry","seq":-1,"canonical":"a"}'],
  ['a fraction', '{"type":"entry","seq":1.5,"canonical":"a"}'],
  ['a number past the safe integers', '{"type":"entry","seq":9007199254740992,"canonical":"a"}'],
  ['more than belongs there', '{"type":"end","entries":1,"seals":1,"by":"me"}'],
  ['a nesting without end', `{"type":"end","entries":${'['.repeat(50_000)}${']'.repeat(50_000)},"seals":1}`],
])('is no line of an export: %s', (_, text) => {
  expect(readExportLine(text)).toBeNull()
})

test('a line of many megabytes is read, in either spelling', () => {
  const canonical = '"'.repeat(20_000_000)
  expect(readExportLine(withoutBreak(writeEntryLine(1, canonical)))).toMatchObject({ seq: 1 })
  expect(readExportLine(JSON.stringify({ seq: 1, type: 'entry', canonical }))).toMatchObject({ seq: 1 })
})
