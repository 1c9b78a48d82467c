import type { Scope } from '../../shared/spend-account.js'
import type { ActualUse, Hold } from '../contract.js'
import type { AdmittedCall, AdmittedWindowClaim } from '../usage-loader.js'
import type { GenerationKeys } from './keys.js'
import type { ScriptCall } from './script-call.js'

type HeldCall = Pick<AdmittedCall, 'claims' | 'scopes'>

/** What a call claimed and in which scopes it reserved money, as known to the process that admitted it. */
export class RedisHold implements Hold {
  constructor(
    readonly tenantId: string,
    readonly attemptId: string,
    readonly atMs: number,
    readonly claims: readonly AdmittedWindowClaim[],
    readonly scopes: readonly Scope[],
  ) {}

  get isEmpty(): boolean {
    return this.claims.length + this.scopes.length === 0
  }
}

/** Writes the windows of a call with the difference between actual and claimed amount, and the scopes in which it reserved money. */
export function writeCorrections(
  script: ScriptCall,
  { claims, scopes }: HeldCall,
  actual: ActualUse,
  keys: GenerationKeys,
): void {
  script.addList(claims, ({ id, windowMs, unit, amount }) => {
    script.addKeys(keys.window(id)).addArguments(windowMs, (actual[unit] ?? amount) - amount)
  })
  script.addList(scopes, ([type, id]) => script.addKeys(keys.reserved(type, id)))
}

/** Serializes the part of a call that is needed to correct its windows and to release its reservation. */
export function serializeCall({ claims, scopes }: HeldCall): string {
  const admittedClaims = claims.map(({ id, unit, amount, windowMs }) => ({ id, unit, amount, windowMs }))
  return JSON.stringify({ claims: admittedClaims, scopes })
}

/** Reads what `serializeCall` wrote. The text is empty for a call without a hold. */
export function parseCall(text: string): HeldCall {
  return text === '' ? { claims: [], scopes: [] } : JSON.parse(text)
}
