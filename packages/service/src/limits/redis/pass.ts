import type { Scope } from '../../shared/spend-account.js'
import type { ActualUse, Pass } from '../contract.js'
import type { AdmittedClaim } from '../truth.js'
import type { GenerationKeys } from './keys.js'
import type { ScriptCall } from './script-call.js'

/** What a call claimed and where it holds money, known to the process that admitted it. */
export class SharedPass implements Pass {
  constructor(
    readonly tenantId: string,
    readonly callId: string,
    readonly atMs: number,
    readonly claims: readonly AdmittedClaim[],
    readonly scopes: readonly Scope[],
  ) {}

  get holdsNothing(): boolean {
    return this.claims.length + this.scopes.length === 0
  }
}

/** Windows with what each is to be corrected by, and the scopes in which the call holds money. */
export function writeCorrections(
  script: ScriptCall,
  { claims, scopes }: Pick<SharedPass, 'claims' | 'scopes'>,
  actual: ActualUse,
  keys: GenerationKeys,
): void {
  script.list(claims, ({ id, windowMs, unit, amount }) => {
    script.key(keys.window(id)).arg(windowMs, (actual[unit] ?? amount) - amount)
  })
  script.list(scopes, ([type, id]) => script.key(keys.held(type, id)))
}

/** The other way round from `describeCall`: of a call that another process admitted, or none. */
export function readCall(what: string): Pick<SharedPass, 'claims' | 'scopes'> {
  return what === '' ? { claims: [], scopes: [] } : JSON.parse(what)
}
