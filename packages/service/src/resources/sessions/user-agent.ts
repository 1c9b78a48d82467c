/** Browsers list several names, the real one last. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+).* Safari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const maxLength = 80

/** Enough for a person to recognise a browser of their own: `Firefox 144 on Linux`. */
export function shortenUserAgent(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return 'Unknown program'
  const browser = firstOf(browsers, text)
  const system = firstOf(systems, text)
  // A program that is not a browser is named by the first word; every browser has Mozilla there.
  const [word = 'Unknown program'] = /^[\x21-\x7e]+/.exec(text) ?? []
  const name = browser ?? (word.startsWith('Mozilla/') ? 'Unknown browser' : word.slice(0, maxLength))
  return system === null ? name : `${name} on ${system}`
}

function firstOf(table: readonly [RegExp, string][], text: string): string | null {
  for (const [pattern, name] of table) {
    const found = pattern.exec(text)
    if (found !== null) return found[1] === undefined ? name : `${name} ${found[1]}`
  }
  return null
}
