import { kinds } from '../kinds'
import type { ConfigDraft } from '../kinds/kind'
import type { Action, Kind, Phase, Policy, Scope } from '../policy'

export interface PolicyDraft {
  name: string
  description: string
  scope: Scope
  phase: Phase
  action: Action
  config: ConfigDraft
  /** Whether the response restores values that were redacted from the request. */
  restore: boolean
  /** Used by new policies only; existing ones have a separate switch. */
  isEnabled: boolean
}

export const toDraft = (kind: Kind, policy: Policy | null): PolicyDraft => {
  const config = policy?.config ?? {}
  return {
    name: policy?.name ?? '',
    description: policy?.description ?? '',
    scope: policy?.scope ?? { type: 'tenant', id: '' },
    phase: policy?.phase ?? 'input',
    action: policy?.action ?? (kinds[kind].findsText ? 'redact' : 'block'),
    config: kinds[kind].open(config),
    restore: 'restore' in config && config.restore === true,
    isEnabled: true,
  }
}

/** Whether a value that is redacted from a request can be restored in the response. */
export const canRestore = (kind: Kind, { action, phase }: PolicyDraft): boolean =>
  kinds[kind].findsText && action === 'redact' && phase !== 'output'

export const toBody = (kind: Kind, draft: PolicyDraft) => ({
  kind,
  name: draft.name.trim(),
  description: draft.description.trim(),
  config: { ...draft.config.config, ...(draft.restore && canRestore(kind, draft) && { restore: true }) },
  phase: draft.phase,
  action: draft.action,
  scope: draft.scope.type === 'tenant' ? { type: draft.scope.type } : draft.scope,
  enabled: draft.isEnabled,
})
