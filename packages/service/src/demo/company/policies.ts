import type { DemoTeam } from './company.js'

/** A policy of the demo. Findings refer to it by `name`. */
export interface DemoPolicy {
  name: PolicyName
  description: string
  kind: 'pii' | 'secrets' | 'keywords' | 'pattern' | 'model_denylist' | 'limits' | 'tools' | 'expression'
  config: Record<string, unknown>
  /** Null for everyone. */
  team: DemoTeam['name'] | null
  action: 'block' | 'redact' | 'flag'
}

export type PolicyName =
  | 'No personal data'
  | 'No credentials'
  | 'Unannounced names'
  | 'No large models in support'
  | 'Very long inputs'
  | 'Customer numbers'
  | 'No shell for assistants'
  | 'Night shifts'

/** Longer inputs are flagged. */
export const longInputTokens = 120_000

export const policies: readonly DemoPolicy[] = [
  {
    name: 'No personal data',
    description: 'What customers tell us about themselves stays here.',
    kind: 'pii',
    config: { entities: ['email', 'phone', 'credit_card', 'iban'] },
    team: null,
    action: 'redact',
  },
  {
    name: 'No credentials',
    description: 'A key that was sent to a provider must be replaced: better not to send it.',
    kind: 'secrets',
    config: {},
    team: null,
    action: 'block',
  },
  {
    name: 'Unannounced names',
    description: 'Products that nobody outside knows of yet.',
    kind: 'keywords',
    config: { words: ['Project Tidewater', 'Nightingale launch'] },
    team: null,
    action: 'block',
  },
  {
    name: 'No large models in support',
    description: 'A reply to a customer does not need one.',
    kind: 'model_denylist',
    config: { models: ['claude-opus-5-5'] },
    team: 'Support',
    action: 'block',
  },
  {
    name: 'Very long inputs',
    description: 'Worth a look: a long context is paid for with every call.',
    kind: 'limits',
    config: { maxInputTokens: longInputTokens },
    team: null,
    action: 'flag',
  },
  {
    name: 'Customer numbers',
    description: 'A number of ours means nothing to a model, and much to whoever finds it.',
    kind: 'pattern',
    config: { patterns: [{ name: 'customer', regex: 'CUST-[0-9]{7}' }] },
    team: 'Support',
    action: 'redact',
  },
  {
    name: 'No shell for assistants',
    description: 'What talks to customers runs no commands.',
    kind: 'tools',
    config: { deny: ['shell', 'bash', 'mcp:*'] },
    team: 'Mobile',
    action: 'block',
  },
  {
    name: 'Night shifts',
    description: 'Agents that run on their own: worth a look in the morning.',
    kind: 'expression',
    config: { cel: "request.tags.project == 'dunlin' && request.session != ''" },
    team: 'Operations',
    action: 'flag',
  },
]

export const appliesTo = ({ team }: DemoPolicy, callerTeam: string): boolean =>
  team === null || team === callerTeam
