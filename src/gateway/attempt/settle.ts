import type { FastifyBaseLogger } from 'fastify'
import type { AdmissionStore, Pass } from '../../admission/index.js'
import type { TokenCounter, TokenUsage } from '../../providers/index.js'
import type { Answer } from '../answer.js'
import type { Attempt } from '../plan/reservation.js'

const nothingUsed: TokenUsage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

/** The provider's own count where there is one; else ours, of what went in and what came out. */
export async function countUsage(
  { usage, produced }: Answer,
  { call, reservation }: Attempt,
  tokens: TokenCounter,
): Promise<TokenUsage> {
  if (produced === null) return nothingUsed
  try {
    const outputTokens = usage?.outputTokens ?? (await tokens.count(produced()))
    const { inputTokens } = reservation.worstCase
    return { ...(usage ?? { ...nothingUsed, inputTokens }), outputTokens }
  } catch {
    // A token is at least a byte: this may record too much, never too little.
    return { ...nothingUsed, inputTokens: call.raw.length }
  }
}

/** A store that cannot be reached must not cost the call its receipt: what was reserved lapses with its window. */
export async function settle(
  pass: Pass,
  { inputTokens, outputTokens }: TokenUsage,
  admission: AdmissionStore,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    await admission.settle(pass, { tokens: inputTokens + outputTokens })
  } catch (error) {
    log.error({ err: error }, 'a call could not be settled')
  }
}
