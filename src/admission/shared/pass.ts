import type { SpendAccount } from '../../spend-account.js'
import type { ActualUse, Pass } from '../contract.js'
import type { AdmittedClaim } from '../truth.js'
import type { GenerationKeys } from './keys.js'
import { periodOf, type ScriptCall } from './script-call.js'

/** What a call claimed and where it holds money, known to the process that admitted it. */
export class SharedPass implements Pass {
  constructor(
    readonly tenantId: string,
    readonly callId: string,
    readonly atMs: number,
    readonly claims: readonly AdmittedClaim[],
    readonly accounts: readonly SpendAccount[],
  ) {}

  get holdsNothing(): boolean {
    return this.claims.length + this.accounts.length === 0
  }
}

/** Windows with what each is to be corrected by, and the accounts in which the call holds money. */
export function writeCorrections(
  script: ScriptCall,
  { claims, accounts }: Pick<SharedPass, 'claims' | 'accounts'>,
  actual: ActualUse,
  keys: GenerationKeys,
): void {
  script.list(claims, ({ id, windowMs, unit, amount }) => {
    script.key(keys.window(id)).arg(windowMs, (actual[unit] ?? amount) - amount)
  })
  script.list(accounts, (account) => {
    script.key(keys.scope(account.scopeType, account.scopeId)).arg(periodOf(account))
  })
}

/** The other way round from `describeCall`: of a call that another process admitted, or none. */
export function readCall(what: string): Pick<SharedPass, 'claims' | 'accounts'> {
  return what === '' ? { claims: [], accounts: [] } : JSON.parse(what)
}
