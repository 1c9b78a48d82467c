import { asText, type JsonObject } from '@tallystick/record/json'
import { CloudIdentityError } from '../../cloud/index.js'
import { ApiError } from '../../shared/errors.js'
import { TransportError } from '../transport/transport-failure.js'
import type { AuthorizeTools, MachineAccess } from '../vendors/vendor.js'

/** A credential that stands for the identity of this machine: `{"type":"machine"}`, with options of the vendor. */
export const isMachineIdentity = (credential: JsonObject | null): credential is JsonObject =>
  credential?.type === 'machine'

/** Returns the fault in such a credential; null when it is valid. */
export function findMachineIdentityFault(
  { type: _, from, ...options }: JsonObject,
  mayUseMachine: boolean,
  { sources, optional = [] }: { sources: readonly string[]; optional?: readonly string[] },
): string | null {
  // A tenant would otherwise act with the rights of the operator's machine.
  if (!mayUseMachine)
    return 'must not use the identity of this machine; only credentials in the configuration file may'
  if (from !== undefined && !sources.includes(asText(from)))
    return `must have one of ${sources.join(', ')} as \`from\`, or none for the first that there is`
  for (const [name, value] of Object.entries(options)) {
    if (!optional.includes(name))
      return `has \`${name}\`, which this type does not know; besides \`from\` there is ${optional.join(', ') || 'nothing'}`
    if (typeof value !== 'string' || value === '') return `must have a text as \`${name}\``
  }
  return null
}

/** Returns the token of this machine from the cache, or by `fetch`. */
export async function machineToken(
  tools: AuthorizeTools,
  key: string,
  fetch: (machine: MachineAccess) => Promise<{ value: string; expiresAtMs: number }>,
): Promise<string> {
  const { machine } = tools
  if (machine === null) throw new Error('This credential may not use the identity of this machine')
  return await tools.token(key, () => fetch(machine).catch(explain))
}

function explain(error: unknown): never {
  if (!(error instanceof CloudIdentityError)) throw error
  const apiError = new ApiError('upstream_error', error.message, {}, { cause: error })
  throw new TransportError(apiError, error.isRefused ? 'credential' : 'connect')
}
