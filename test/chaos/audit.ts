import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import type { Callers } from './callers.js'
import type { PostgresServer } from './postgres.js'

/** What became of the calls of a fault. */
export interface Audit {
  /** Calls that were answered, or that the provider saw, without a receipt. */
  lost: number
  /** Calls with more receipts than the provider saw of them. */
  doubled: number
  /** Why the record is wrong for another reason: a sentence for the operator. */
  faults: string[]
}

/** Callers must have stopped. What replicas still hold in their spools is waited for. */
export async function audit(
  { postgres, seen, callers }: { postgres: PostgresServer; seen: Map<string, number>; callers: Callers },
  losesCommits: boolean,
): Promise<Audit> {
  const readRecorded = async () => {
    const rows = await postgres.query<{ session: string; count: number; ids: string[] }>(
      `select canonical::json ->> 'session' as session, count(*)::int as count, array_agg(request_id) as ids
       from receipts where canonical::json ->> 'session' = any($1) group by 1`,
      [[...seen.keys(), ...callers.answered.keys()]],
    )
    return new Map(rows.map((row) => [row.session, row]))
  }
  let recorded = await readRecorded()
  const lost = () =>
    new Set([
      ...[...seen].filter(([mark, times]) => isCall(mark) && countOf(mark) < times).map(([mark]) => mark),
      ...[...callers.answered]
        .filter(([mark, id]) => !recorded.get(mark)?.ids.includes(id))
        .map(([mark]) => mark),
    ])
  const countOf = (mark: string) => recorded.get(mark)?.count ?? 0
  await waitFor(
    'every call to be recorded',
    async () => {
      recorded = await readRecorded()
      return lost().size === 0
    },
    losesCommits ? 5_000 : 60_000,
  ).catch(() => undefined)
  const doubled = [...recorded].filter(([mark, { count }]) => count > Math.max(1, seen.get(mark) ?? 0))
  return { lost: lost().size, doubled: doubled.length, faults: await checkRecord(postgres) }
}

const isCall = (mark: string) => mark.startsWith('call-')

async function checkRecord(postgres: PostgresServer): Promise<string[]> {
  const faults: string[] = []
  const { fault, sealed, entries } = await verifyRecord({
    ...{ url: postgres.url, query: postgres.query, drop: async () => undefined },
  })
  if (fault !== null) faults.push(`the record does not verify: ${JSON.stringify(fault)}`)
  if (sealed !== entries.length) faults.push(`${entries.length - sealed} entries are not sealed`)
  const [sums] = await postgres.query<{ recorded: number; spent: number; counted: number }>(
    `select (select sum((canonical::json ->> 'costNanos')::bigint)::float8 from receipts) as recorded,
       (select sum(cost_nanos)::float8 from spend_days where scope_type = 'tenant') as spent,
       (select sum(cost_nanos)::float8 from usage_hours) as counted`,
  )
  if (sums?.spent !== sums?.recorded || sums?.counted !== sums?.recorded)
    faults.push(`the sums are not those of the record, in nano-dollars: ${JSON.stringify(sums)}`)
  return faults
}
