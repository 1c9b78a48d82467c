import type { components } from '../../api'

export type Policy = components['schemas']['Policy']
export type Kind = Policy['kind']
export type Phase = Policy['phase']
export type Action = Policy['action']
export type Scope = Policy['scope']

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
