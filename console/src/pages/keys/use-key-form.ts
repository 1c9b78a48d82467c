import { useState } from 'react'
import { faultsOf, isBesideFields } from '../../parts'
import { type DraftFaults, findFaults, type KeyDraft } from './key-draft'

/** Fields of the form by the names that the service has for them. */
const fieldNames: Record<keyof KeyDraft, string> = {
  name: 'name',
  role: 'role',
  userId: 'userId',
  teamId: 'teamId',
  rpmLimit: 'rpmLimit',
  tpmLimit: 'tpmLimit',
  models: 'allowedModels',
  tools: 'allowedTools',
  expiresAt: 'expiresAt',
  tags: 'metadata',
}

/** A draft and what is wrong with it: by the form itself once it was sent, and by the service. */
export function useKeyForm(initial: KeyDraft, refusal: unknown) {
  const [draft, setDraft] = useState(initial)
  const [wasSent, setSent] = useState(false)
  const ownFaults = findFaults(draft)
  const said = faultsOf(refusal)
  const faults: DraftFaults = {}
  for (const [field, name] of Object.entries(fieldNames) as [keyof KeyDraft, string][]) {
    const fault = (wasSent ? ownFaults[field] : undefined) ?? said(name)
    if (fault) faults[field] = fault
  }
  return {
    draft,
    setDraft,
    faults,
    /** The refusal, where it is about no field. */
    wholeFault: refusal && !isBesideFields(refusal, Object.values(fieldNames)) ? refusal : null,
    /** True when the draft can be sent. */
    check(): boolean {
      setSent(true)
      return Object.keys(ownFaults).length === 0
    },
  }
}
