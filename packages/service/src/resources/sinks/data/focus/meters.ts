/** What a kind of cost line counts, in the words of FOCUS. */
export interface Meter {
  name: string
  unit: 'Tokens' | 'Images' | 'Requests' | 'Units'
}

const meters: Readonly<Record<string, Meter>> = {
  input: { name: 'Input tokens', unit: 'Tokens' },
  cached: { name: 'Cached input tokens', unit: 'Tokens' },
  written: { name: 'Cache write tokens', unit: 'Tokens' },
  writtenHour: { name: 'One-hour cache write tokens', unit: 'Tokens' },
  audioIn: { name: 'Audio input tokens', unit: 'Tokens' },
  output: { name: 'Output tokens', unit: 'Tokens' },
  audioOut: { name: 'Audio output tokens', unit: 'Tokens' },
  images: { name: 'Images', unit: 'Images' },
  'tools.tool_call': { name: 'Tool calls', unit: 'Requests' },
}

/** Any other kind is the fee of a hosted tool or of a unit, such as `tools.web_search`. */
export const meterOf = (kind: string): Meter =>
  meters[kind] ?? { name: `Uses of ${kind.slice('tools.'.length)}`, unit: 'Units' }
