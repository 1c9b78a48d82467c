import { type Action, type Kind, kinds, type Phase, type Policy, type Scope } from '../policy'
import { type Fields, readFields, writeConfig } from './config'

export interface PolicyDraft {
  name: string
  description: string
  scope: Scope
  phase: Phase
  action: Action
  fields: Fields
  /** Only of a new policy; an existing one has its own switch. */
  isEnabled: boolean
}

export const toDraft = (kind: Kind, policy: Policy | null): PolicyDraft => ({
  name: policy?.name ?? '',
  description: policy?.description ?? '',
  scope: policy?.scope ?? { type: 'tenant', id: '' },
  phase: policy?.phase ?? 'input',
  action: policy?.action ?? (kinds[kind].findsText ? 'redact' : 'block'),
  fields: readFields(policy?.config ?? {}),
  isEnabled: true,
})

/** Whether requests are redacted: only then can a value be restored in the response. */
export const isRedacting = ({ action, phase }: PolicyDraft) => action === 'redact' && phase !== 'output'

export const toBody = (kind: Kind, draft: PolicyDraft) => ({
  kind,
  name: draft.name.trim(),
  description: draft.description.trim(),
  config: writeConfig(kind, draft.fields, isRedacting(draft)),
  phase: draft.phase,
  action: draft.action,
  scope: draft.scope.type === 'tenant' ? { type: draft.scope.type } : draft.scope,
  enabled: draft.isEnabled,
})
