// Control characters (C0 and C1), Unicode line separators, bidirectional marks, zero-width characters and lone surrogates:
// none of them may reach a terminal or a viewer unescaped.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const everyUnsafe = new RegExp(unsafe, 'g')

const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes a text, so that it shows as one line. In JSON, the escaped characters only occur in strings, where the escape is equivalent. */
export const oneLine = (text: string): string =>
  unsafe.test(text) ? text.replace(everyUnsafe, toEscape) : text

/** Shortens a text to `max` characters and states how many are missing. */
export const clip = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more)`

const keyPrefix = 'tallystick_sk_'
const keyValue = new RegExp(`${keyPrefix}[0-9A-Za-z]+`, 'g')

/** Removes the values of virtual keys, which a caller may have sent as a model, a session or a tag. */
export const withoutKeys = (text: string): string =>
  text.includes(keyPrefix) ? text.replace(keyValue, `${keyPrefix}…`) : text
