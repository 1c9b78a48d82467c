import { ApiError, invalidField, invalidRequest } from '../../errors.js'
import type { Outbound } from '../../outbound/index.js'
import type { ProviderShape, ProviderTypes } from './live.js'

export interface ProviderChecks {
  types: ProviderTypes
  outbound: Outbound
}

/** Every fault of what was set, then the rules for addresses. */
export async function requireProvider(shape: ProviderShape, checks: ProviderChecks): Promise<void> {
  requireShape(shape, checks.types)
  const address = shape.baseUrl ?? checks.types.baseUrlOf(shape.type, shape.options)
  if (address !== null) await requireAddress(address, checks.outbound)
}

export function requireShape(shape: ProviderShape, types: ProviderTypes): void {
  const faults = types.faultsIn(shape)
  const [first] = faults
  if (first) throw invalidRequest(`${first.path}: ${first.message}`, [...faults])
}

/** The rules of webhooks hold: a tenant must not reach what only this machine can. */
async function requireAddress(address: string, outbound: Outbound): Promise<void> {
  try {
    await outbound.requireUrl(address, 'baseUrl')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalidField('baseUrl', error.message.replace(/^baseUrl: /, ''))
  }
}
