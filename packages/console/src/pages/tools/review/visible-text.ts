/** A part of a text and how it is displayed. All parts together are the text. */
export interface TextPart {
  /** `hidden` is invisible, `lookalike` is a letter of another script that looks Latin, `gap` is space that pushes text out of sight. */
  kind: 'plain' | 'hidden' | 'lookalike' | 'gap'
  text: string
  /** The name of the characters; empty for plain text. */
  label: string
  /** The text that hidden characters encode. Models can read it. */
  reads: string | null
}

/**
 * Splits untrusted text into parts that reveal what a reader cannot see: invisible characters, letters that look like others, and
 * gaps. `whole` is the text that this one is a part of.
 */
export function visibleParts(text: string, whole = text): TextPart[] {
  const parts: TextPart[] = []
  const isLookalike = createLookalikes(whole)
  let at = 0
  const plain = (to: number) => {
    if (to > at) parts.push(...markLetters(text.slice(at, to), isLookalike))
  }
  for (const { 0: found, index } of text.matchAll(special)) {
    const part = describe(text, found, index)
    if (part === null) continue
    plain(index)
    parts.push(part)
    at = index + found.length
  }
  plain(text.length)
  return parts
}

// \p{DI} has the characters that Unicode defines as invisible (zero width, tags, selectors, fillers). The others are direction and
// format characters, controls, private use, lone surrogates, unassigned ones, separators, the Braille blank and unusual spaces.
const hidden = String.raw`(?:(?![\n\t ])[\p{DI}\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\u2800])`
const gap = String.raw` {24,}|\t{8,}|(?:\n[ \t]*){5,}`
const special = new RegExp(`${hidden}+|${gap}`, 'gu')

const isGap = (found: string) => /^[ \t\n]/.test(found)

function describe(text: string, found: string, index: number): TextPart | null {
  if (isGap(found)) return { kind: 'gap', text: found, label: nameOfGap(found), reads: null }
  // Line endings of other systems are not suspicious.
  if (found === '\r' && text[index + 1] === '\n') return null
  if (isEmojiPart(text, found, index)) return null
  return { kind: 'hidden', text: found, label: nameOfRun(found), reads: decode(found) }
}

function nameOfGap(found: string): string {
  const breaks = found.split('\n').length - 1
  if (breaks > 0) return `${breaks} line breaks`
  return found.startsWith('\t') ? `${found.length} tabs` : `${found.length} spaces`
}

/** Joiners between emoji and the selector of their coloured form are legitimate. */
function isEmojiPart(text: string, found: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index)
  const after = text.slice(index + found.length, index + found.length + 2)
  if (found === '\u{fe0f}') return /[\p{Extended_Pictographic}\d#*]$/u.test(before)
  if (!/^\u{fe0f}?\u{200d}$/u.test(found)) return false
  return /[\p{Extended_Pictographic}\p{EMod}]$/u.test(before) && /^\p{Extended_Pictographic}/u.test(after)
}

const names: Readonly<Record<number, string>> = {
  0: 'null',
  8: 'backspace',
  13: 'carriage return',
  27: 'escape',
  127: 'delete',
  160: 'no-break space',
  173: 'soft hyphen',
  847: 'grapheme joiner',
  8203: 'zero width space',
  8204: 'zero width non-joiner',
  8205: 'zero width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'end of direction',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'isolate',
  8297: 'end of isolate',
  10240: 'blank',
  12644: 'filler',
  65279: 'byte order mark',
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const name = names[code]
  if (name !== undefined) return name
  if (isTag(code)) return 'tag character'
  if (selectorByte(code) !== null) return 'variation selector'
  if (/\p{Cc}/u.test(character)) return `control U+${hex(code)}`
  if (/\p{Co}/u.test(character)) return 'private character'
  if (/\p{Zs}/u.test(character)) return `space U+${hex(code)}`
  return `U+${hex(code)}`
}

const hex = (code: number) => code.toString(16).toUpperCase().padStart(4, '0')

/** Names the characters of a run: `zero width space`, `3 × zero width space, word joiner`. */
function nameOfRun(run: string): string {
  const counts = new Map<string, number>()
  for (const character of run) counts.set(nameOf(character), (counts.get(nameOf(character)) ?? 0) + 1)
  const said = [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`))
  return said.length <= 3 ? said.join(', ') : `${said.slice(0, 3).join(', ')} and others`
}

const isTag = (code: number) => code >= 0xe0000 && code <= 0xe007f

/** The byte that a variation selector can encode. The first sixteen selectors are a block of their own. */
function selectorByte(code: number): number | null {
  if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00
  return code >= 0xe0100 && code <= 0xe01ef ? code - 0xe0100 + 16 : null
}

/** Decodes the two known ways of hiding text in invisible characters. */
function decode(run: string): string | null {
  const codes = [...run].map((character) => character.codePointAt(0) ?? 0)
  const tags = codes.filter((code) => code >= 0xe0020 && code <= 0xe007e)
  if (tags.length > 0) return String.fromCharCode(...tags.slice(0, maxDecoded).map((code) => code - 0xe0000))
  const bytes = codes.map(selectorByte).filter((byte) => byte !== null)
  const text = new TextDecoder().decode(new Uint8Array(bytes.slice(0, maxDecoded)))
  return /^[\p{L}\p{N}\p{P}\p{S}\s]{2,}$/u.test(text) && !text.includes('\ufffd') ? text : null
}
const maxDecoded = 4_096

const lookalike = '[аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧον]'
const lookalikes = new RegExp(lookalike, 'u')
const distinctLetters = new RegExp(String.raw`(?!${lookalike})[\p{Script=Cyrillic}\p{Script=Greek}]`, 'u')

/** If a text has letters that exist only in their own script, its other letters of that script are legitimate, except in a Latin word. */
function createLookalikes(whole: string): (letter: string, word: string) => boolean {
  let isForeignText: boolean | undefined
  return (letter, word) => {
    if (!lookalikes.test(letter)) return false
    isForeignText ??= distinctLetters.test(whole)
    return !isForeignText || /\p{Script=Latin}/u.test(word)
  }
}

function markLetters(text: string, isLookalike: (letter: string, word: string) => boolean): TextPart[] {
  const parts: TextPart[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') parts.push({ kind: 'plain', text: plain, label: '', reads: null })
    plain = ''
  }
  if (!lookalikes.test(text)) {
    plain = text
    flush()
    return parts
  }
  for (const [word] of text.matchAll(/\p{L}+|\P{L}+/gu))
    for (const letter of word) {
      if (!isLookalike(letter, word)) {
        plain += letter
        continue
      }
      flush()
      const script = /\p{Script=Greek}/u.test(letter) ? 'Greek' : 'Cyrillic'
      const label = `${script} letter U+${hex(letter.codePointAt(0) ?? 0)}`
      parts.push({ kind: 'lookalike', text: letter, label, reads: null })
    }
  flush()
  return parts
}
