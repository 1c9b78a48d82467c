export interface ChangedField {
  path: string
  /** Undefined if the record has no such field. */
  before: unknown
  after: unknown
}

type JsonRecord = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that change automatically or repeat the entry. */
const ignored = new Set([
  'updatedAt',
  'lastDelivery',
  'lastWeek',
  'lastUsedAt',
  'spentUsd',
  'reservedUsd',
  'remainingUsd',
  'forecastUsd',
])

/** The fields whose values differ, down to the leaves; for a created or deleted record, all of its fields. */
export function changedFields(before: JsonRecord | null, after: JsonRecord | null): ChangedField[] {
  return compare(before ?? {}, after ?? {}, '').filter(({ path }) => !ignored.has(path))
}

function compare(before: JsonRecord, after: JsonRecord, prefix: string): ChangedField[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name): ChangedField[] => {
    const [old, next] = [before[name], after[name]]
    const path = prefix + name
    if (isRecord(old) && isRecord(next)) return compare(old, next, `${path}.`)
    return JSON.stringify(old) === JSON.stringify(next) ? [] : [{ path, before: old, after: next }]
  })
}
