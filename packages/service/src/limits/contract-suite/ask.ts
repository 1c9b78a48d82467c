import type { AdmissionStore, Admitted, RefusedByWindow, WindowClaim } from '../contract.js'

let calls = 0

/** Makes a call that claims only windows. */
export async function ask(
  store: AdmissionStore,
  tenantId: string,
  claims: readonly WindowClaim[],
): Promise<Admitted | RefusedByWindow> {
  const decision = await store.admit({ tenantId, attemptId: `req_${++calls}`, claims, spend: null })
  if (!decision.admitted && decision.reason !== 'window') throw new Error(`refused for ${decision.reason}`)
  return decision
}
