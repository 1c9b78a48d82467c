import type { components } from '../../api'

export type Policy = components['schemas']['Policy']
export type Kind = Policy['kind']
export type Phase = Policy['phase']
export type Action = Policy['action']
export type Scope = Policy['scope']

export interface KindFacts {
  name: string
  /** What it does, as the end of the sentence "A policy that …". */
  does: string
  phases: readonly Phase[]
  actions: readonly Action[]
  /** Whether it finds something in texts, rather than judging the call as a whole. */
  findsText: boolean
}

const anyPhase = ['input', 'output', 'both'] as const
const anyAction = ['block', 'redact', 'flag'] as const
const text = { phases: anyPhase, actions: anyAction, findsText: true }
const call = { phases: ['input'], actions: ['block', 'flag'], findsText: false } as const

/** Every kind that the service has, in the order in which people look for them. */
export const kinds: Record<Kind, KindFacts> = {
  pii: {
    name: 'Personal data',
    does: 'finds email addresses, phone and card numbers, IBANs and the like',
    ...text,
  },
  secrets: { name: 'Secrets', does: 'finds provider and cloud keys, private keys and tokens', ...text },
  keywords: { name: 'Keywords', does: 'finds your words or phrases', ...text },
  pattern: { name: 'Patterns', does: 'finds matches of regular expressions', ...text },
  model_allowlist: { name: 'Allowed models', does: 'permits only the listed models', ...call },
  model_denylist: { name: 'Denied models', does: 'blocks the listed models', ...call },
  limits: { name: 'Size limits', does: 'blocks requests that are too large', ...call },
  tools: {
    name: 'Tools',
    does: 'decides which tools a model may be given and may call',
    ...call,
    phases: anyPhase,
  },
  expression: { name: 'Expression', does: 'evaluates a CEL expression over the call', ...call },
  http: { name: 'External service', does: 'calls your guardrail over HTTP', ...call, phases: anyPhase },
}

export const kindNames = Object.keys(kinds).filter((name): name is Kind => name in kinds)
export const isKind = (name: string | undefined): name is Kind =>
  name !== undefined && Object.hasOwn(kinds, name)

export const phaseNames: Record<Phase, string> = {
  input: 'Requests',
  output: 'Responses',
  both: 'Requests and responses',
}
export const actionNames: Record<Action, string> = { block: 'Block', redact: 'Redact', flag: 'Flag' }
export const actionDescriptions: Record<Action, string> = {
  block: 'The call is blocked, and the caller receives the reason.',
  redact: 'Matches are replaced by placeholders, such as [EMAIL_1].',
  flag: 'The call proceeds; its receipt records the match.',
}

export const scopeNames: Record<Scope['type'], string> = {
  tenant: 'Everyone',
  team: 'A team',
  user: 'A person',
  key: 'A key',
}
