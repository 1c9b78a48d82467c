/** Characters that are invisible to a person who approves a text but not to a model, or that change how a line is displayed. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800]/gu

// Parts of visible characters: 👩‍💻, ❤️, 1️⃣. The flags of England, Scotland and Wales consist of tags.
const emoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/u
const flag =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u
const flagOrHidden = new RegExp(`(?<flag>${flag.source})|${hidden.source}`, 'gu')
// Scripts in which joiners change how text looks.
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u

const zeroWidthNonJoiner = '\u200c'
const zeroWidthJoiner = '\u200d'
const emojiPresentation = '\ufe0f'
const textPresentation = '\ufe0e'

const partsOfVisible = new Set([zeroWidthNonJoiner, zeroWidthJoiner, emojiPresentation, textPresentation])

/** A run of whitespace that moves the following text out of view. */
const longBlank = /[^\S\r\n]{60}|(?:\r?\n[^\S\r\n]*){15}/

/**
 * The characters of names and email addresses, as a pattern for JSON Schema: no control characters, no marks that change the direction of
 * writing, and no other characters without width. Joiners and variation selectors are allowed, because scripts and emoji need them.
 */
const shownCharacter =
  '[\\u200c\\u200d]|[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0]'

/** Visible characters, at least one of which is not whitespace. */
export const namePattern = `^(?=.*\\S)(?:${shownCharacter})*$`

/** User ids are compared and typed, so they have no joiners either. */
export const userIdPattern =
  '^[^\\p{C}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0]+$'

const without = (excluded: string) => `(?:(?![${excluded}])(?:${shownCharacter}))`

export const emailPattern = `^${without('\\s@')}+@${without('\\s@')}+$`

/** A name that callers use in requests, such as that of a route: without whitespace, and without `*`, which means any name. */
export const handlePattern = `^${without('\\s*')}{1,200}$`

const onlyShown = new RegExp(`^(?:${shownCharacter})*$`, 'u')

export const isAllShown = (text: string): boolean => onlyShown.test(text)

/** Describes the hidden characters of a text. Null when there are none. */
export function describeHidden(text: string): string | null {
  const counts = new Map<string, number>()
  for (const { character } of findHidden(text)) counts.set(character, (counts.get(character) ?? 0) + 1)
  const byName = new Map<string, number>()
  for (const [character, count] of counts) {
    const name = nameOf(character)
    byName.set(name, (byName.get(name) ?? 0) + count)
  }
  const parts = [...byName].slice(0, 5).map(([name, count]) => (count > 1 ? `${name}, ${count} times` : name))
  if (byName.size > parts.length) parts.push(`${byName.size - parts.length} more kinds`)
  if (longBlank.test(text)) parts.push('a long run of blanks, after which text goes on')
  return parts.length === 0 ? null : parts.join('; ')
}

/** Replaces hidden characters by escapes. For JSON text, whose meaning does not change. */
export function showHidden(json: string): string {
  let shown = ''
  let end = 0
  for (const { at, character } of findHidden(json)) {
    shown += json.slice(end, at)
    for (let unit = 0; unit < character.length; unit++)
      shown += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`
    end = at + character.length
  }
  return shown + json.slice(end)
}

/** Removes hidden characters, so that a search for words finds them. */
export const withoutHidden = (text: string): string =>
  text.replace(hidden, (each) => (isBlank(each) ? each : ''))

const isBlank = (character: string): boolean => character === '\n' || character === '\t' || character === '\r'

function findHidden(text: string): { at: number; character: string }[] {
  // Nearly all texts are plain ASCII, which this test finds in one pass without allocations.
  if (/^[\x20-\x7e\n\t\r]*$/.test(text)) return []
  return [...text.matchAll(flagOrHidden)].flatMap(({ index: at, 0: character, groups }) => {
    if (groups?.flag !== undefined || isBlank(character)) return []
    return isPartOfVisible(text, at, character) ? [] : [{ at, character }]
  })
}

function isPartOfVisible(text: string, at: number, character: string): boolean {
  if (!partsOfVisible.has(character)) return false
  const before = characterBefore(text, at)
  const after = String.fromCodePoint(text.codePointAt(at + character.length) ?? 0)
  if (character === emojiPresentation) return emoji.test(before) || /[0-9#*]/.test(before)
  if (character === textPresentation) return emoji.test(before)
  if (character === zeroWidthJoiner || character === zeroWidthNonJoiner) {
    if (joining.test(before) && joining.test(after)) return true
    const isAfterEmoji = emoji.test(before) || before === emojiPresentation
    return character === zeroWidthJoiner && isAfterEmoji && emoji.test(after)
  }
  return false
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  return low >= 0xdc00 && low <= 0xdfff
    ? text.slice(Math.max(0, at - 2), at)
    : text.slice(Math.max(0, at - 1), at)
}

function nameOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  if (point === 0x1b) return `${code} (terminal escape)`
  if (point < 0x20 || (point >= 0x7f && point <= 0x9f)) return `${code} (control character)`
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069))
    return `${code} (changes the direction of writing)`
  if (point >= 0xe0000 && point <= 0xe007f) return 'U+E0000 to U+E007F (invisible tags, which spell letters)'
  if ((point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef))
    return 'variation selectors, which can spell bytes'
  if (point >= 0xd800 && point <= 0xdfff) return `${code} (half of a character)`
  if (/\p{Co}/u.test(character)) return `${code} (private use)`
  return `${code} (takes no room)`
}
