import { parseObject } from '@tallystick/record/json'
import { costNanos, type Price } from '@tallystick/record/pricing'
import { type Endpoint, errorUsageOf } from '../../providers/index.js'
import { type EntryOutcome, type NewReceipt, type ReceiptDraft, withoutUsage } from '../../record/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import type { AttemptResult } from '../core/index.js'
import type { CallUsage } from '../model/attempt/count-usage.js'
import { describeIssued } from '../model/attempt/issued-ids.js'
import { usageChecks } from '../model/attempt/receipt.js'
import { findBatchTier } from './batch-endpoints.js'
import type { LineAnswer } from './line-answers.js'
import type { AdmittedLine, LineTypes } from './line-attempt.js'

/** Completes the receipt that was prepared when the batch was created. */
export function writeLineReceipt(
  attempt: AdmittedLine,
  { checks, answer, usage }: AttemptResult<LineTypes>,
): NewReceipt {
  const { call, plan, content, opened } = attempt
  const prepared: ReceiptDraft = opened?.line?.draft ?? { id: call.id, ts: '', kind: 'model' }
  const issued = describeIssued(answer, attempt)
  return {
    tenantId: scopeIdsOf(attempt.entitlements).tenantId,
    commitmentKey: opened?.line?.commitmentKey ?? null,
    draft: {
      // The reservation from the creation of the batch counts, not one that would be made today.
      ...(usage.source === 'reserved' ? prepared : { ...withoutUsage(prepared), ...usageFields(usage) }),
      outcome: answer.outcome,
      status: answer.status,
      checks: [...checks, ...usageChecks(usage)],
      policies: plan.policies,
      ...answer.receiptFields,
      ...(answer.commitment !== null && { response: answer.commitment }),
      ...(content !== null && { content: content.mode }),
    },
    ...(issued && { issued }),
  }
}

/**
 * Returns the receipt, with what the provider billed, of a line whose answer nobody may see because its key or model is gone. `prepared` is
 * the receipt from the creation of the batch.
 */
export function writeUnseenReceipt(
  prepared: ReceiptDraft,
  answered: LineAnswer,
  endpoint: Endpoint,
  price: Price,
  body: Buffer,
): ReceiptDraft {
  const content = parseObject(answered.body.toString())
  const request = parseObject(body.toString()) ?? {}
  const isError = answered.status >= 300
  const usage = isError
    ? errorUsageOf(endpoint, content, request)
    : content && endpoint.usageOf(content, request)
  const ended: { outcome: EntryOutcome; status: number } = { outcome: 'aborted', status: 499 }
  if (isError && usage === null) return { ...withoutUsage(prepared), ...usageFields(nothing), ...ended }
  // Without a reported usage, the reserved cost is recorded.
  if (!usage?.hasOutput) return { ...prepared, ...ended }
  const tier = findBatchTier(price)
  const { counts } = usage
  const counted = { counts, tier, costNanos: costNanos(price, counts, tier), source: 'provider' as const }
  return { ...withoutUsage(prepared), ...usageFields(counted), ...ended }
}

type LineUsage = Pick<CallUsage, 'counts' | 'tier' | 'costNanos' | 'source'>

const nothing: LineUsage = { counts: {}, tier: null, costNanos: 0, source: 'counted' }

const usageFields = ({ counts, tier, costNanos: cost, source }: LineUsage): Partial<ReceiptDraft> => ({
  inputTokens: counts.input ?? 0,
  outputTokens: counts.output ?? 0,
  cachedTokens: counts.cached ?? 0,
  costNanos: cost,
  counts,
  usage: source,
  ...(tier !== null && { tier }),
})
