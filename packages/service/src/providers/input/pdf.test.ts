import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makePdf } from '../../../../../test/harness/billing/make-files.js'
import { hostilePdfs, ordinaryPdfs } from '../../../../../test/harness/media/hostile-pdfs.js'
import { maxInflatedBytes, readPdf } from './pdf.js'

const read = (bytes: Buffer) => readPdf(bytes, { left: maxInflatedBytes })
const pages = Array.from({ length: 12 }, (_, i) => `Page ${i} says that tally sticks were split in two.`)
const edit = (pdf: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1')

const stream = (number: number, text: string, members = '') => {
  const bytes = deflateSync(Buffer.from(text, 'latin1')).toString('latin1')
  return `${number} 0 obj\n<< /Filter /FlateDecode ${members}>>\nstream\n${bytes}\nendstream\nendobj\n`
}
const withObject = (pdf: Buffer, object: string) => edit(pdf, 'trailer', `${object}trailer`)

describe('a PDF', () => {
  test('has the pages and at least the text that it shows', async () => {
    const content = await read(makePdf(pages))
    expect(content?.pages).toBe(12)
    expect(content?.textBytes).toBeGreaterThanOrEqual(pages.join('').length)
    expect(content?.textBytes).toBeLessThan(12 * 100)
  })

  test('has pages in compressed objects too', async () => {
    expect((await read(makePdf(pages, { hiddenPages: true })))?.pages).toBe(12)
  })

  test('has as many pages as it claims, where that is more', async () => {
    expect((await read(edit(makePdf(pages), '/Count 12', '/Count 900')))?.pages).toBe(900)
  })

  test('does not count pictures and fonts as text', async () => {
    const plain = await read(makePdf(pages))
    const pixels = 'x'.repeat(100_000)
    const image = stream(90, pixels, '/Subtype /Image ')
    const font = stream(91, pixels, '/Length1 100000 ')
    const uses = '92 0 obj << /XObject << /Im1 90 0 R >> /FontFile2 91 0 R >> endobj\n'
    expect(await read(withObject(makePdf(pages), image + font + uses))).toEqual(plain)
  })

  test('counts what calls itself a picture but is shown as a page', async () => {
    const hidden = stream(90, `BT (${'much text '.repeat(1000)}) Tj ET`, '/Subtype /Image ')
    const pdf = withObject(makePdf(pages), `${hidden}91 0 obj << /Type /Page /Contents 90 0 R >> endobj\n`)
    expect((await read(pdf))?.textBytes).toBeGreaterThan(10_000)
  })

  test('counts letters of a font that stand for several', async () => {
    const map = stream(90, '1 beginbfchar <01> <006600660069> endbfchar')
    const pdf = withObject(makePdf(pages), `${map}91 0 obj << /ToUnicode 90 0 R >> endobj\n`)
    expect((await read(pdf))?.charactersPerByte).toBe(3)
  })

  test.each<[string, Buffer]>([
    ['is none', Buffer.from('PK\x03\x04 a document of another kind')],
    ['is encrypted', edit(makePdf(pages), '/Root', '/Encrypt 5 0 R /Root')],
    ['has a filter that is not known', edit(makePdf(pages), '/FlateDecode', '/LZWDecode')],
    ['has a stream that does not inflate', edit(makePdf(pages), 'stream\nx', 'stream\ny')],
    ['shows one content on two pages', edit(makePdf(pages), '/Contents 11 0 R', '/Contents 10 0 R')],
    ['lists a page twice', edit(makePdf(pages), '22 0 R 23 0 R', '22 0 R 22 0 R')],
    ['writes names in another way', edit(makePdf(pages), '/Type /Page /Parent', '/Type /P#61ge /Parent')],
    ['draws forms', withObject(makePdf(pages), stream(90, 'BT (a) Tj ET', '/Subtype /Form '))],
    [
      'has a letter that stands for a page',
      withObject(
        makePdf(pages),
        `${stream(90, `<01> <${'0041'.repeat(500)}>`)}91 0 obj << /ToUnicode 90 0 R >> endobj\n`,
      ),
    ],
    ['begins its data on the same line', edit(makePdf(pages), '>>\nstream\n', '>>\nstream ')],
    ['hides the head of a stream', edit(makePdf(pages), '/Length', '/Title (endobj) /Length')],
    ['says twice how it is packed', edit(makePdf(pages), '/Length', '/Title (/Filter) /Length')],
    ['has no pages', Buffer.from('%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\n')],
  ])('that %s cannot be counted', async (_, bytes) => {
    expect(await read(bytes)).toBeNull()
  })

  test.each(hostilePdfs.map((pdf) => [pdf.name, pdf] as const))(
    'is never shorter than a reader can find it: %s',
    async (_, { bytes, pages, textBytes }) => {
      const content = await read(bytes)
      // Then it is as long as the model reads.
      if (content === null) return
      expect(content.pages).toBeGreaterThanOrEqual(pages)
      expect(content.textBytes).toBeGreaterThanOrEqual(textBytes)
    },
  )

  test.each(ordinaryPdfs.map((pdf) => [pdf.name, pdf] as const))(
    'as programs write it is counted: %s',
    async (_, { bytes, pages, textBytes }) => {
      const content = await read(bytes)
      expect(content?.pages).toBe(pages)
      expect(content?.textBytes).toBeGreaterThanOrEqual(textBytes)
      expect(content?.textBytes).toBeLessThan(2 * textBytes)
    },
  )

  test('that inflates to more than a call may cannot be counted', async () => {
    const bomb = withObject(makePdf(pages), stream(90, '\0'.repeat(maxInflatedBytes + 1)))
    expect(bomb.length).toBeLessThan(100_000)
    expect(await read(bomb)).toBeNull()
  })

  test('leaves less to inflate for the next one', async () => {
    const budget = { left: 1_500 }
    expect(await readPdf(makePdf(pages), budget)).not.toBeNull()
    expect(await readPdf(makePdf(pages), budget)).toBeNull()
  })
})
