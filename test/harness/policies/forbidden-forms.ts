import { pick, random } from '../run/seed.js'

// What a policy forbids, in every form that it is seen through.

export const word = 'nightfall7'
export const composed = 'caf\u00e9-nachtfl\u00fcge'.normalize('NFC')
export const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64')
const letters = (text: string, between: string) => [...text].join(between)
const tags = (text: string) =>
  Array.from(text, (each) => String.fromCodePoint(0xe0000 + (each.codePointAt(0) ?? 0))).join('')
export const said = `The word is ${word}, and nobody says it.`
const prose = 'A tally stick was split in two, and each side kept one half. '

export const strings: Record<string, () => string> = {
  'a word': () => word,
  'a word in a sentence': () => said,
  'a word in a long text': () => prose.repeat(8) + said + prose.repeat(8),
  'a key': () => 'AKIAQ3EGUZ5TXPJ7NK4D and wJalrXUtnFEMI/K7MDENG+bPxRfiCYzQ8vTn3Lkx',
  'a card': () => '4111 1111 1111 1111',
  base64: () => base64(said),
  'base64 of the word': () => base64(word),
  'base64 of a card': () => base64('4111 1111 1111 1111'),
  'base64url without padding': () => Buffer.from(`${said}??>>`).toString('base64url'),
  'long base64': () => base64((prose + said).repeat(20)),
  'base64 in lines': () => base64((prose + said).repeat(4)).replace(/.{76}/g, '$&\r\n'),
  'base64 in blanks': () => base64(said).replace(/.{8}/g, '$& '),
  'base64 twice': () => base64(base64(said)),
  'base64 four times': () => base64(base64(base64(base64(said)))),
  'base64 more often than anybody does': () =>
    Array.from({ length: 7 }).reduce<string>((text) => base64(text), said),
  'base64 of UTF-16': () => base64(`\ufeff${said}`, 'utf16le'),
  'base64 of UTF-16 without a mark': () => base64(said, 'utf16le'),
  'base64 of escapes': () => base64(`{"a":"night\\u0066all7 and more"}`),
  'base64 in JSON': () => JSON.stringify({ file: { data: base64(said) } }),
  'base64 with invisible characters': () => letters(base64(said), '\u200b'),
  'text after a picture': () =>
    Buffer.concat([
      Buffer.from(Array.from({ length: 120_000 }, () => Math.floor(random() * 256))),
      Buffer.from(said.repeat(2_000)),
    ]).toString('base64'),
  'a data URL': () => `data:text/plain;base64,${base64(said)}`,
  'a data URL that says it is a picture': () => `data:image/png;base64,${base64(said)}`,
  'a data URL with percent signs': () => `data:text/plain,${encodeURIComponent(said).replace('f', '%66')}`,
  'a word in a media type': () => `data:image/${word};base64,${base64(said)}`,
  'another composition': () => composed.normalize('NFD'),
  'another composition, joined': () => composed.normalize('NFD').replaceAll('\u0301', '\u034f\u0301'),
  'full width': () => Array.from(word, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)).join(''),
  'mathematical letters': () =>
    '\u{1d427}\u{1d422}\u{1d420}\u{1d421}\u{1d42d}\u{1d41f}\u{1d41a}\u{1d425}\u{1d425}\u{1d7d5}',
  'escapes of JSON': () => 'night\\u0066all7',
  'escapes within escapes': () => 'night\\\\u0066all7',
  'tag characters': () => tags(said),
  'a half in tag characters': () => `night${tags('fall7')}`,
  'variation selectors': () => letters(word, '\u{e0100}'),
  'many variation selectors': () => letters(word, '\u{e0100}\u{e0101}\u{e01ef}'),
  'Korean fillers': () => letters(word, pick(['\u3164', '\u115f', '\u1160', '\uffa0'])),
  'braille blanks': () => letters(word, '\u2800'),
  'zero-width characters': () => letters(word, '\u200b\u200d\u2060\ufeff'),
  'soft hyphens and directions': () => letters(word, '\u00ad\u202e\u2066'),
}
const numbers: Record<string, string> = {
  'a card as a number': '4111111111111111',
  'a card with an exponent': '4.111111111111111e15',
  'a card below zero': '-4111111111111111',
  'a card with a fraction': '4111111111111111.0',
}

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** The name of a form, and it as JSON. */
export function anyForm(): [string, string] {
  const name = pick([...Object.keys(strings), ...Object.keys(numbers)])
  return [name, numbers[name] ?? JSON.stringify(strings[name]?.() ?? '')]
}

/** A form that is a text. */
export function anyText(): [string, string] {
  const name = pick(Object.keys(strings))
  return [name, strings[name]?.() ?? '']
}
