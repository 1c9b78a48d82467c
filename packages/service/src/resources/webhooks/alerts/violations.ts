import type { Statement } from '../../../db/index.js'
import type { EntryCheck, NumberedReceipt } from '../../../record/index.js'
import { claimValues, type InsertClaim, insertOccurrences, startClaimed } from './insert-occurrences.js'

type Receipt = Pick<NumberedReceipt, 'tenantId' | 'seq' | 'draft'>

/** A call that a policy, or a list of models or tools, blocked. */
export interface Violation {
  receipt: Receipt
  check: EntryCheck
}

/** Checks that run before any policy: a call blocked by one of them is not a violation. */
const notViolations = new Set(['rate_limit', 'budget', 'user_status'])

const lists = new Set(['model_allowlist', 'tool_allowlist'])

const blocks = ({ result, action }: EntryCheck) => result !== 'pass' && action === 'block'

export function findViolation(receipt: Receipt): Violation | null {
  const { outcome, checks = [] } = receipt.draft
  if (outcome !== 'blocked') return null
  const failed = checks.filter(blocks)
  if (failed.some(({ name }) => notViolations.has(name))) return null
  const check = failed.find(({ name, policy }) => policy !== undefined || lists.has(name))
  return check ? { receipt, check } : null
}

/** Returns `pol_…` of `pol_…` or of `pol_…@3`, where a version follows. */
const policyIdOf = ({ policy }: EntryCheck): string | null => policy?.split('@')[0] ?? null

/**
 * Rows (tenant_id, seq, key, event, keep_until, data) from the parameters starting at $1. A receipt contains the id
 * of a policy; its name is joined.
 */
export const violationRows = `
  select v.tenant_id, v.seq, 'violation:' || v.request_id as key, 'policy.violation' as event, now() as keep_until,
    json_build_object(
      'message', case when v.policy_id is null
        then format('A call to the %s %s was blocked: it is not in the allowlist', v.kind, v.model)
        else format('Policy "%s" (%s) blocked a call to the %s %s',
          coalesce(p.name, v.policy_id), v.check_name, v.kind, v.model)
        end,
      'virtual_key_id', v.key_id, 'user_id', v.user_id, 'policy_id', v.policy_id, 'policy_name', p.name,
      'check', v.check_name, 'model', v.model, 'receipt_seq', v.seq)::text as data
  from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
    as v (tenant_id, request_id, seq, key_id, user_id, model, kind, check_name, policy_id)
  left join policies p on p.tenant_id = v.tenant_id and p.id = v.policy_id`

/** The values that `violationRows` reads. */
export function violationValues(violations: readonly Violation[]): unknown[] {
  const column = <T>(read: (violation: Violation) => T) => violations.map(read)
  return [
    column(({ receipt }) => receipt.tenantId),
    column(({ receipt }) => receipt.draft.id),
    column(({ receipt }) => receipt.seq),
    column(({ receipt }) => receipt.draft.key ?? null),
    column(({ receipt }) => receipt.draft.user ?? null),
    column(({ receipt }) => receipt.draft.model ?? null),
    column(({ receipt }) => receipt.draft.kind),
    column(({ check }) => check.name),
    column(({ check }) => policyIdOf(check)),
  ]
}

export function insertViolationAlerts(violations: readonly Violation[], claim: InsertClaim): Statement[] {
  if (violations.length === 0) return []
  return [
    {
      name: 'insert_violation_alerts',
      text: `with found as (${violationRows}), ${insertOccurrences(10)}`,
      values: [...violationValues(violations), ...claimValues(claim)],
      onCommitted: startClaimed(claim),
    },
  ]
}
