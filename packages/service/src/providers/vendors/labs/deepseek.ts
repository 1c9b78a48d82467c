import { compatible } from '../compatible.js'
import { isMessages } from '../messages-paths.js'
import type { Vendor } from '../vendor.js'

export const deepseek: Vendor = {
  ...compatible,
  type: 'deepseek',
  environmentPrefix: 'DEEPSEEK',
  baseUrl: 'https://api.deepseek.com',
  pricesOf: 'deepseek',
  dialects: ['chat', 'messages'],
  pathOf: ({ dialect }, { root }) =>
    isMessages(dialect) ? `${root.replace(/\/v1$/, '')}/anthropic/v1${dialect.path}` : root + dialect.path,
  authorize: ({ request }, credential) =>
    isMessages(request.dialect) ? { 'x-api-key': credential } : { authorization: `Bearer ${credential}` },
  // 402 means that the account has no balance.
  rejectionStatuses: [401, 402, 403],
}
