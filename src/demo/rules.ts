import type { DemoTeam } from './company.js'

/** A policy of the demo. Findings name it by `name`. */
export interface DemoPolicy {
  name: PolicyName
  description: string
  kind: 'pii' | 'secrets' | 'keywords' | 'model_denylist' | 'limits'
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
]

export const appliesTo = ({ team }: DemoPolicy, callerTeam: string): boolean =>
  team === null || team === callerTeam
