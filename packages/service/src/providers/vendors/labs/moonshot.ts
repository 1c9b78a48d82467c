import { compatible } from '../compatible.js'
import { isMessages } from '../messages-paths.js'
import type { Vendor } from '../vendor.js'

/** Moonshot, the vendor of Kimi. */
export const moonshot: Vendor = {
  ...compatible,
  type: 'moonshot',
  environmentPrefix: 'MOONSHOT',
  baseUrl: 'https://api.moonshot.ai/v1',
  dialects: ['chat', 'responses', 'messages'],
  pathOf: ({ dialect }, { root }) =>
    isMessages(dialect) ? `${root.replace(/\/v1$/, '')}/anthropic/v1${dialect.path}` : root + dialect.path,
}
