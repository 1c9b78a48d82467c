/** Units of what hurts those who read text, once there is enough of it. */
export const hostileUnits: Record<string, string> = {
  'one letter': 'a',
  'what a backtracking engine dies of':
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
  'the beginnings of phrases': 'aaaa ',
  'almost addresses': 'a@b.',
  'at signs': '@',
  digits: '1',
  'digits and dashes': '4-1 1.1 ',
  'plus signs': '+1 ',
  'almost card numbers': '4111 1111 1111 1112 ',
  colons: '::1:',
  'almost tokens': 'eyJhbGciOiJ',
  'almost keys': '-----BEGIN PRIVATE KEY-----\n',
  'zero-width characters': 'n\u200bi\u200bg\u200bh\u200bt',
  'directional marks': '\u202e\u2066night\u2069',
  'letters that look like others': 'nіghtfаll аnԁ ',
  base64: Buffer.from('nightfall jane@example.com').toString('base64'),
  'combining marks': 'e\u0301\u0302\u0303',
  emoji: '👩‍👩‍👧‍👦',
  'half surrogates': '\ud83d',
  'open brackets': '[EMAIL_',
  placeholders: '[EMAIL_1] ',
  escapes: '\\u0041\\',
  'line ends': '\r\n',
  'no characters': '\0',
  'full-width text': 'ｎｉｇｈｔ　ｆａｌｌ ',
  'addresses that are some': 'jane@example.com ',
}

export const fill = (unit: string, chars: number): string =>
  unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)
