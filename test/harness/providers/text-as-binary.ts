import { random } from '../run/seed.js'

// Text where bytes are expected, and bytes that say something: what policies must see through.

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64')
const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
const big = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
/** So often that it is too long to be a key. */
const list = (value: string, between: string) => Array.from({ length: 40 }, () => value).join(between)
const letter = (value: string) => `Dear all,\nthe record says ${value} today, and nothing else.\nYours, Ann\n`
const encode = (text: string) => encodeURIComponent(text).replaceAll('e', '%65')

/** Each holds the value once or more. */
export const textAsBinary: Record<string, (value: string) => string> = {
  'as it is': (value) => value,
  'in a sentence': letter,
  'in lines': (value) => list(value, '\n'),
  'in lines of Windows': (value) => list(value, '\r\n'),
  'in lines of an old Macintosh': (value) => list(value, '\r'),
  'in lines, and one more': (value) => `${list(value, '\n')}\n`,
  'in lines that end like base64': (value) => `${list(value, '\n')}==`,
  'in lines of 64 characters': (value) =>
    Array.from({ length: 8 }, () => `${value}/`.repeat(20).slice(0, 64)).join('\n'),
  'in lines of 76 characters': (value) =>
    Array.from({ length: 8 }, () => `${value}/`.repeat(20).slice(0, 76)).join('\r\n'),
  'in one line, between slashes': (value) => list(value, '/'),
  'in one line, between plus signs and letters': (value) => list(value, '+id+'),
  'in one line, after the first bytes of a picture': (value) => `iVBORw0KGgo/${list(value, '/')}`,
  'in a line after base64 of a picture': (value) => `${bytes(3_000).toString('base64')}\n${list(value, '/')}`,
  'in the middle of base64 of a picture': (value) =>
    `${bytes(30_000).toString('base64')}/${list(value, '/')}/${bytes(30_000).toString('base64')}`,
  'in a data URL that says base64': (value) => `data:text/plain;base64,${list(value, '\n')}`,
  'in a data URL that says it is a picture': (value) => `data:image/png;base64,${list(value, '/')}`,
  'in a data URL without base64': (value) => `data:text/plain,${value}`,
  base64: (value) => base64(letter(value)),
  'base64 without padding': (value) => base64(letter(value)).replace(/=+$/, ''),
  base64url: (value) => Buffer.from(`${letter(value)}>>>???`).toString('base64url'),
  'base64 in lines of 76': (value) => base64(letter(value).repeat(6)).replace(/.{76}/g, '$&\r\n'),
  'base64 in lines of 64': (value) => base64(letter(value).repeat(6)).replace(/.{64}/g, '$&\n'),
  'base64 in lines of 20': (value) => base64(letter(value).repeat(6)).replace(/.{20}/g, '$&\n'),
  'base64 with spaces': (value) => base64(letter(value)).replace(/.{8}/g, '$& '),
  'base64 with zero-width spaces': (value) => [...base64(letter(value))].join('\u200b'),
  'base64 with control characters': (value) => [...base64(letter(value))].join('\0'),
  'base64 of lines': (value) => base64(list(value, '\n')),
  'base64 of UTF-8 with a mark': (value) => base64(`\ufeff${letter(value)}`),
  'base64 of UTF-16': (value) => base64(`\ufeff${letter(value)}`, 'utf16le'),
  'base64 of UTF-16 without a mark': (value) => base64(letter(value).repeat(9), 'utf16le'),
  'base64 of UTF-16, big end first': (value) => big(letter(value)).toString('base64'),
  'base64 of Latin-1': (value) => base64(letter(value).replace('Ann', 'André Müller'), 'latin1'),
  'base64 of JSON': (value) => base64(JSON.stringify({ rows: [{ record: value }] })),
  'base64 of JSON with escapes': (value) =>
    base64(`{"a":"${value.slice(0, 2)}\\u00${value.charCodeAt(2).toString(16)}${value.slice(3)} and more"}`),
  'base64 of XML': (value) => base64(`<?xml version="1.0"?><svg><text>${value}</text></svg>`),
  'base64 of a long text': (value) => base64(letter('nothing').repeat(3_000) + letter(value)),
  'base64 of text after a picture': (value) =>
    Buffer.concat([bytes(120_000), Buffer.from(letter(value).repeat(2_000))]).toString('base64'),
  'base64 twice': (value) => base64(base64(letter(value))),
  'base64 four times': (value) => base64(base64(base64(base64(letter(value))))),
  'a data URL': (value) => `data:text/plain;base64,${base64(letter(value))}`,
  'a data URL with a character set': (value) => `data:text/csv;charset=utf-8;base64,${base64(letter(value))}`,
  'a data URL in capitals': (value) => `DATA:TEXT/PLAIN;BASE64,${base64(letter(value))}`,
  'a data URL that says it is a PDF': (value) =>
    `data:application/pdf;base64,${base64(letter(value).repeat(9))}`,
  'a data URL with base64url': (value) =>
    `data:text/plain;base64,${Buffer.from(letter(value)).toString('base64url')}`,
  'a data URL with percent signs': (value) => `data:text/plain,${encode(letter(value))}`,
  'a data URL with base64 in percent signs': (value) =>
    `data:text/plain;base64,${encodeURIComponent(base64(`${letter(value)}??`))}`,
  'base64 of a data URL': (value) => base64(`data:text/plain;base64,${base64(letter(value))}`),
}
