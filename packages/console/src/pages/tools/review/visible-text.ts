/** A stretch of text as it is shown. All stretches together are the text. */
export interface TextPart {
  /** `hidden`: nothing would be seen of it. `lookalike`: a letter of another alphabet that looks Latin. `gap`: space that pushes what follows out of sight. */
  kind: 'plain' | 'hidden' | 'lookalike' | 'gap'
  text: string
  /** What stands there, in words; empty for plain text. */
  label: string
  /** What hidden characters spell. Models read it as text. */
  reads: string | null
}

/**
 * Text by somebody who may want to deceive, in stretches that say what cannot be seen: characters without a shape, letters that
 * pass for others, and gaps. `whole` is the text that this one is a part of.
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

// \p{DI}: what has no shape by the standard's own word (zero width, tags, selectors, fillers). The others: directions and other
// formats, controls, private use, halves of pairs, unassigned, separators, the blank of Braille, spaces of other widths.
const hidden = String.raw`(?:(?![\n\t ])[\p{DI}\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\u2800])`
const gap = String.raw` {24,}|\t{8,}|(?:\n[ \t]*){5,}`
const special = new RegExp(`${hidden}+|${gap}`, 'gu')

const isGap = (found: string) => /^[ \t\n]/.test(found)

function describe(text: string, found: string, index: number): TextPart | null {
  if (isGap(found)) return { kind: 'gap', text: found, label: nameOfGap(found), reads: null }
  // The end of a line, as some systems write it.
  if (found === '\r' && text[index + 1] === '\n') return null
  if (isOfEmoji(text, found, index)) return null
  return { kind: 'hidden', text: found, label: nameOfRun(found), reads: decode(found) }
}

function nameOfGap(found: string): string {
  const breaks = found.split('\n').length - 1
  if (breaks > 0) return `${breaks} line breaks`
  return found.startsWith('\t') ? `${found.length} tabs` : `${found.length} spaces`
}

/** What holds an emoji together is no secret: a joiner between two of them, and the selector of its coloured form. */
function isOfEmoji(text: string, found: string, index: number): boolean {
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

/** `zero width space`, `3 × zero width space, word joiner`. */
function nameOfRun(run: string): string {
  const counts = new Map<string, number>()
  for (const character of run) counts.set(nameOf(character), (counts.get(nameOf(character)) ?? 0) + 1)
  const said = [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`))
  return said.length <= 3 ? said.join(', ') : `${said.slice(0, 3).join(', ')} and others`
}

const isTag = (code: number) => code >= 0xe0000 && code <= 0xe007f

/** Variation selectors can stand for bytes: the first sixteen, then the rest. */
function selectorByte(code: number): number | null {
  if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00
  return code >= 0xe0100 && code <= 0xe01ef ? code - 0xe0100 + 16 : null
}

/** The two known ways of writing text in characters that nobody sees. */
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
const onlyOfItself = new RegExp(String.raw`(?!${lookalike})[\p{Script=Cyrillic}\p{Script=Greek}]`, 'u')

/** Where a text has letters that are only of their own alphabet, others of it are no disguise, unless they stand in a Latin word. */
function createLookalikes(whole: string): (letter: string, word: string) => boolean {
  let isForeignText: boolean | undefined
  return (letter, word) => {
    if (!lookalikes.test(letter)) return false
    isForeignText ??= onlyOfItself.test(whole)
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
