import { deflateSync } from 'node:zlib'
import { makePdf } from '../billing/make-files.js'

/** A PDF that looks shorter than what a reader finds in it. */
export interface Pdf {
  name: string
  bytes: Buffer
  pages: number
  /** Bytes of text that the reader finds. */
  textBytes: number
}

const text = 'Tally sticks were split in two. '.repeat(20)
const shown = `BT (${text}) Tj ET`

const stream = (number: number, content: string, members = ''): string => {
  const bytes = deflateSync(Buffer.from(content, 'latin1')).toString('latin1')
  return object(
    number,
    `<< /Filter /FlateDecode ${members}/Length ${bytes.length} >>\nstream\n${bytes}\nendstream`,
  )
}
const object = (number: number, content: string): string => `${number} 0 obj\n${content}\nendobj\n`
const pdfOf = (...objects: readonly string[]): Buffer =>
  Buffer.from(
    `%PDF-1.5\n${object(1, '<< /Type /Catalog /Pages 2 0 R >>')}${objects.join('')}trailer\n<< /Root 1 0 R >>\n`,
    'latin1',
  )

const page = (number: number, contents: string): string =>
  object(number, `<< /Type /Page /Parent 2 0 R /Contents ${contents} >>`)
const tree = (number: number, kids: string, count = 1): string =>
  object(number, `<< /Type /Pages /Count ${count} /Kids ${kids} >>`)

const onePage = [page(10, '20 0 R'), stream(20, shown)]
/** The same content so many times, in a spelling of its own. */
const repeated = (reference: string, times = 50): Buffer =>
  pdfOf(tree(2, '[10 0 R]'), page(10, `[20 0 R ${`${reference} `.repeat(times)}]`), stream(20, shown))
/** Branches that have the next one twice each, in two spellings. */
const doubling = (other: (number: number) => string, depth = 12): Buffer =>
  pdfOf(
    ...Array.from({ length: depth }, (_, level) => {
      const next = level === depth - 1 ? 10 : 101 + level
      return tree(level === 0 ? 2 : 100 + level, `[${next} 0 R ${other(next)}]`)
    }),
    ...onePage,
  )

const objects = (members: string): string => {
  const inner = `<< /Type /Pages /Count 1 /Kids [${Array.from({ length: 40 }, (_, index) => `${200 + index} 0 R`).join(' ')}] >>`
  return stream(30, `50 0 ${inner}`, members)
}

export const hostilePdfs: readonly Pdf[] = [
  ...[
    ['with a zero before it', (number: number) => `0${number} 0 R`],
    ['of another generation', (number: number) => `${number} 1 R`],
    ['with much white space', (number: number) => `${number} 0      R`],
    ['with a comment inside', (number: number) => `${number} 0 % \nR`],
    ['with zeros for white space', (number: number) => `${number}\x000\x00R`],
  ].map(([name, other]) => ({
    name: `branches listed twice, ${String(name)}`,
    bytes: doubling(typeof other === 'function' ? other : String),
    pages: 2 ** 12,
    textBytes: text.length,
  })),
  {
    name: 'pages written into the list',
    bytes: pdfOf(tree(2, `[10 0 R ${'<< /Contents 20 0 R >> '.repeat(30)}]`), ...onePage),
    pages: 31,
    textBytes: 31 * text.length,
  },
  {
    name: 'a list with a comment before it',
    bytes: pdfOf(
      tree(2, `% []\n[${Array.from({ length: 40 }, (_, index) => `${200 + index} 0 R`).join(' ')}]`),
      ...onePage,
    ),
    pages: 40,
    textBytes: text.length,
  },
  ...['/N 1 /First 5 ', '/Type % \n/ObjStm /N 1 /First 5 ', '/N 1 '].map((members) => ({
    name: `pages in an object stream with ${JSON.stringify(members)}`,
    bytes: pdfOf(tree(2, '[10 0 R 50 0 R]', 2), ...onePage, objects(members)),
    pages: 41,
    textBytes: text.length,
  })),
  ...[
    '20 0 R',
    '020 0 R',
    '20 0 % \nR',
    '20 % 1\n0 R',
    '20 % \n% \n0 R',
    '20\x000\x00R',
    `20 0 %${'x'.repeat(5_000)}\nR`,
  ].map((reference) => ({
    name: `content shown again by ${JSON.stringify(reference.slice(0, 20))}`,
    bytes: repeated(reference),
    pages: 1,
    textBytes: 51 * text.length,
  })),
  {
    name: 'a list of contents on several pages',
    bytes: pdfOf(
      tree(2, '[10 0 R 11 0 R 12 0 R]', 3),
      ...[10, 11, 12].map((number) => page(number, '40 0 R')),
      object(40, '[20 0 R]'),
      stream(20, shown),
    ),
    pages: 3,
    textBytes: 3 * text.length,
  },
  {
    name: 'a list of contents by way of a comment',
    bytes: pdfOf(
      tree(2, '[10 0 R 11 0 R 12 0 R]', 3),
      ...[10, 11, 12].map((number) => page(number, '% \n40 0 R')),
      object(40, '[20 0 R]'),
      stream(20, shown),
    ),
    pages: 3,
    textBytes: 3 * text.length,
  },
  {
    name: 'a count of many pages',
    bytes: pdfOf(tree(2, '[10 0 R]', 90), ...onePage),
    pages: 90,
    textBytes: text.length,
  },
]

/** PDFs as programs write them: all of them are counted. */
export const ordinaryPdfs: readonly Pdf[] = [false, true].map((hiddenPages) => ({
  name: hiddenPages ? 'pages in an object stream' : 'plain pages',
  bytes: makePdf(
    Array.from({ length: 12 }, () => text),
    { hiddenPages },
  ),
  pages: 12,
  textBytes: 12 * text.length,
}))
