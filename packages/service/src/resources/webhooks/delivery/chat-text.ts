/**
 * Names, user ids and models in a message are chosen by users, and a chat tool would interpret `<!channel>`, `@everyone`,
 * `[text](link)` or `*bold*` in them. No escape works in all tools (Slack uses entities, Discord backslashes, Teams HTML),
 * so every character that can begin markup is replaced by a lookalike that cannot. No invisible characters are inserted: a
 * tool that strips them would restore the mention.
 */
const lookalikes: Record<string, string> = {
  '<': '‹',
  '>': '›',
  '@': '＠',
  '#': '＃',
  '*': '∗',
  '~': '∼',
  '`': 'ˋ',
  '|': '¦',
  '[': '［',
  ']': '］',
  '\\': '＼',
  $: '＄',
}

const maxLength = 1_500

export function neutralise(text: string): string {
  return (
    text
      // Line breaks could begin quotes, lists and headings; direction marks and invisible characters could hide
      // text.
      .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
      .slice(0, maxLength)
      .toWellFormed()
      .replaceAll(/[<>@#*~`|[\]\\$]/g, (character) => lookalikes[character] ?? '')
      // A single underscore within a word is not markup, and names often have one.
      .replaceAll(/__+|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (run) => '＿'.repeat(run.length))
      .replaceAll(/:(?=[\p{L}\p{N}_+'-]+:)/gu, '：')
      .replaceAll(/:\/\//g, ':⁄⁄')
      .replaceAll(/&(?=#?\w+;)/g, '＆')
      .trim()
  )
}

export const chatText = (event: string, message: string): string =>
  `*Tallystick · ${event}*\n${neutralise(message)}`
