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
  keywords: { name: 'Keywords', does: 'finds words or phrases of yours', ...text },
  pattern: { name: 'Patterns', does: 'finds what matches regular expressions', ...text },
  model_allowlist: { name: 'Allowed models', does: 'lets only some models be used', ...call },
  model_denylist: { name: 'Denied models', does: 'keeps some models from being used', ...call },
  limits: { name: 'Size limits', does: 'refuses requests that are too large', ...call },
  tools: {
    name: 'Tools',
    does: 'decides which tools a model is given and may call',
    ...call,
    phases: anyPhase,
  },
  expression: { name: 'Expression', does: 'decides by a CEL expression over the call', ...call },
  http: { name: 'Your own service', does: 'asks a guardrail of yours over HTTP', ...call, phases: anyPhase },
}

export const kindNames = Object.keys(kinds).filter((name): name is Kind => name in kinds)
export const isKind = (name: string | undefined): name is Kind =>
  name !== undefined && Object.hasOwn(kinds, name)

export const phaseNames: Record<Phase, string> = {
  input: 'Requests',
  output: 'Answers',
  both: 'Requests and answers',
}
export const actionNames: Record<Action, string> = { block: 'Block', redact: 'Redact', flag: 'Flag' }
export const actionWords: Record<Action, string> = {
  block: 'The call is refused, and the caller told why.',
  redact: 'What is found is replaced by a placeholder, such as [EMAIL_1].',
  flag: 'The call goes on; its receipt says what was found.',
}

export const scopeNames: Record<Scope['type'], string> = {
  tenant: 'Everyone',
  team: 'A team',
  user: 'A person',
  key: 'A key',
}
