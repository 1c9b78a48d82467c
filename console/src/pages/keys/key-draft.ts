import type { components } from '../../api'
import { readNames } from '../../parts'
import type { Key } from './use-keys'

/** A key as it stands in a form: what is typed is text until it is sent. */
export interface KeyDraft {
  name: string
  role: Key['role']
  userId: string
  teamId: string
  rpmLimit: string
  tpmLimit: string
  /** Null allows all models. */
  models: string | null
  /** Null allows those of open servers. */
  tools: string | null
  /** `YYYY-MM-DDTHH:mm` on the clock of whoever types; empty is never. */
  expiresAt: string
  tags: { name: string; value: string }[]
}

export const emptyDraft: KeyDraft = {
  name: '',
  role: 'member',
  userId: '',
  teamId: '',
  rpmLimit: '',
  tpmLimit: '',
  models: null,
  tools: null,
  expiresAt: '',
  tags: [],
}

export const draftOf = (key: Key): KeyDraft => ({
  name: key.name,
  role: key.role,
  userId: key.userId ?? '',
  teamId: key.teamId ?? '',
  rpmLimit: key.rpmLimit === null ? '' : String(key.rpmLimit),
  tpmLimit: key.tpmLimit === null ? '' : String(key.tpmLimit),
  models: key.allowedModels === null ? null : key.allowedModels.join('\n'),
  tools: key.allowedTools === null ? null : key.allowedTools.join('\n'),
  expiresAt: key.expiresAt === null ? '' : toLocalInput(new Date(key.expiresAt)),
  tags: Object.entries(key.metadata).map(([name, value]) => ({ name, value })),
})

export type DraftFaults = Partial<Record<keyof KeyDraft, string>>

/** What the form itself can tell is wrong: text that is no number would otherwise be sent as none. */
export function findFaults({ rpmLimit, tpmLimit, expiresAt, name }: KeyDraft): DraftFaults {
  const faults: DraftFaults = {}
  if (name.trim() === '') faults.name = 'Say what the key is for'
  for (const [field, text] of Object.entries({ rpmLimit, tpmLimit }))
    if (text.trim() !== '' && readWhole(text) === null)
      faults[field as 'rpmLimit' | 'tpmLimit'] = 'A whole number, or nothing for no limit'
  if (expiresAt !== '' && Number.isNaN(Date.parse(expiresAt))) faults.expiresAt = 'A date and a time'
  return faults
}

/** 200000, 200,000 and 200 000 are the same number. */
const readWhole = (text: string): number | null => {
  const digits = text.replace(/[\s,_]/g, '')
  return /^\d+$/.test(digits) ? Number(digits) : null
}

export function bodyOf(draft: KeyDraft): components['schemas']['CreateKey'] {
  return {
    name: draft.name.trim(),
    role: draft.role,
    userId: draft.userId.trim() || null,
    teamId: draft.teamId || null,
    rpmLimit: readWhole(draft.rpmLimit),
    tpmLimit: readWhole(draft.tpmLimit),
    allowedModels: draft.models === null ? null : readNames(draft.models),
    allowedTools: draft.tools === null ? null : readNames(draft.tools),
    expiresAt: draft.expiresAt === '' ? null : new Date(draft.expiresAt).toISOString(),
    metadata: Object.fromEntries(
      draft.tags
        .filter(({ name }) => name.trim() !== '')
        .map(({ name, value }) => [name.trim(), value.trim()]),
    ),
  }
}

/** What differs from the key as it is: a PATCH of all would fail on an expiry that has passed. */
export function changesOf(draft: KeyDraft, key: Key): components['schemas']['UpdateKey'] {
  const before = bodyOf(draftOf(key))
  const after = bodyOf(draft)
  return Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof typeof before]),
    ),
  )
}

/** What `<input type="datetime-local">` takes. */
export function toLocalInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
