import { CompiledQuery } from 'kysely'
import type { Db } from '../../../db/index.js'
import type { RecordedEntry } from '../../../record/index.js'
import { findViolation, violationRows, violationValues } from './violations.js'

/** A violation, as subscribers receive it. */
export interface ViolationAlert {
  id: string
  event: string
  created: string
  data: object
}

/** Reads the violations among entries of the record, by their numbers. The result depends only on the entries. */
export async function readViolations(
  db: Db,
  entries: readonly RecordedEntry[],
): Promise<Map<number, ViolationAlert>> {
  const violations = entries.flatMap((entry) => findViolation(entry) ?? [])
  if (violations.length === 0) return new Map()
  const created = new Map(entries.map(({ seq, draft }) => [seq, draft.ts]))
  const query = CompiledQuery.raw(violationRows, violationValues(violations))
  const { rows } = await db.executeQuery<{ seq: number; key: string; event: string; data: string }>(query)
  return new Map(
    rows.map(({ seq, key, event, data }) => [
      seq,
      { id: key, event, created: created.get(seq) ?? '', data: JSON.parse(data) },
    ]),
  )
}
