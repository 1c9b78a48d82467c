import type { Outbound } from '../../outbound/index.js'
import { ApiError, invalidField, invalidRequest } from '../../shared/errors.js'
import type { ProviderShape, ProviderTypes } from './live.js'

export interface ProviderChecks {
  types: ProviderTypes
  outbound: Outbound
}

/** Throws every fault of the settings, then applies the address rules. */
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

/** Applies the address rules of webhooks: a tenant must not reach addresses that only this machine can reach. */
async function requireAddress(address: string, outbound: Outbound): Promise<void> {
  try {
    await outbound.requireUrl(address, 'baseUrl')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalidField('baseUrl', error.message.replace(/^baseUrl: /, ''))
  }
}
