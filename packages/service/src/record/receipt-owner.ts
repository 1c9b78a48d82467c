import type { ReceiptDraft } from '@tallystick/record/format'

/** The owner of calls: a user, or a key that had no owner when it made them. */
export type CallOwner = { userId: string } | { keyId: string }

/** The owner as `receipts` stores it. The id has its JSON form, because a column of the database cannot hold every character that an id can. */
export function ownerText(owner: CallOwner): string {
  const [type, id] = 'userId' in owner ? ['user', owner.userId] : ['key', owner.keyId]
  return `${type}:${JSON.stringify(id).slice(1, -1)}`
}

/** Whose call a receipt is of. Null for control entries, which nobody owns. */
export function receiptOwner({
  kind,
  user,
  key,
}: Pick<ReceiptDraft, 'kind' | 'user' | 'key'>): string | null {
  if (kind === 'control') return null
  if (user !== undefined) return ownerText({ userId: user })
  return key === undefined ? null : ownerText({ keyId: key })
}
