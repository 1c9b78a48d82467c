import type { components } from '../../../api'
import { isNotANumber, parseAllowList, parseOptionalNumber } from '../../../components'
import { toLocalInput } from '../../../time/zone'
import type { Key } from '../use-keys'

/** The values of the key form: numbers are text. */
export interface KeyDraft {
  name: string
  role: Key['role']
  userId: string
  teamId: string
  rpmLimit: string
  tpmLimit: string
  /** Null allows all models. */
  models: string | null
  /** Null allows the tools of open servers. */
  tools: string | null
  /** `YYYY-MM-DDTHH:mm` in the browser's time zone; empty for never. */
  expiresAt: string
  tags: { name: string; value: string }[]
}

export const toDraft = (key: Key | null): KeyDraft => ({
  name: key?.name ?? '',
  role: key?.role ?? 'member',
  userId: key?.userId ?? '',
  teamId: key?.teamId ?? '',
  rpmLimit: key?.rpmLimit?.toString() ?? '',
  tpmLimit: key?.tpmLimit?.toString() ?? '',
  models: key?.allowedModels?.join('\n') ?? null,
  tools: key?.allowedTools?.join('\n') ?? null,
  expiresAt: key?.expiresAt == null ? '' : toLocalInput(new Date(key.expiresAt)),
  tags: Object.entries(key?.metadata ?? {}).map(([name, value]) => ({ name, value })),
})

export const apiPaths = { models: 'allowedModels', tools: 'allowedTools', tags: 'metadata' } as const

const notANumber = (text: string) =>
  isNotANumber(text) ? 'Enter a whole number, or leave empty for no limit' : null

export const validate = ({ name, rpmLimit, tpmLimit, expiresAt }: KeyDraft) => ({
  name: name.trim() === '' ? 'Enter a name' : null,
  rpmLimit: notANumber(rpmLimit),
  tpmLimit: notANumber(tpmLimit),
  expiresAt: expiresAt !== '' && Number.isNaN(Date.parse(expiresAt)) ? 'Enter a date and a time' : null,
})

export const toBody = (draft: KeyDraft): components['schemas']['CreateKey'] => ({
  name: draft.name.trim(),
  role: draft.role,
  userId: draft.userId.trim() || null,
  teamId: draft.teamId || null,
  rpmLimit: parseOptionalNumber(draft.rpmLimit),
  tpmLimit: parseOptionalNumber(draft.tpmLimit),
  allowedModels: parseAllowList(draft.models),
  allowedTools: parseAllowList(draft.tools),
  expiresAt: draft.expiresAt === '' ? null : new Date(draft.expiresAt).toISOString(),
  metadata: Object.fromEntries(
    draft.tags.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value.trim()]),
  ),
})
