/**
 * Names, user ids and models in a message are chosen by users, and a chat tool reads `<!channel>`, `@everyone`,
 * `[text](link)` or `*bold*` in them as if we had said it. No escape works in all tools (Slack knows entities, Discord
 * backslashes, Teams HTML), so every character that begins something is replaced by one that looks like it and begins
 * nothing. Nothing is made invisible: what is stripped on the way would bring the mention back.
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

const longestText = 1_500

export function neutralise(text: string): string {
  return (
    text
      // Line ends would begin quotes, lists and headings; directions and invisible characters would hide what is there.
      .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
      .slice(0, longestText)
      .toWellFormed()
      .replaceAll(/[<>@#*~`|[\]\\$]/g, (character) => lookalikes[character] ?? '')
      // Within a word a single one is no markup, and names are full of them.
      .replaceAll(/__+|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (run) => '＿'.repeat(run.length))
      .replaceAll(/:(?=[\p{L}\p{N}_+'-]+:)/gu, '：')
      .replaceAll(/:\/\//g, ':⁄⁄')
      .replaceAll(/&(?=#?\w+;)/g, '＆')
      .trim()
  )
}

export const chatText = (event: string, message: string): string =>
  `*Tallystick · ${event}*\n${neutralise(message)}`
