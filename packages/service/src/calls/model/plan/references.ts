import {
  findReferences,
  type NamedReference,
  type Provider,
  type Reference,
} from '../../../providers/index.js'
import { type Entitlements, scopeIdsOf } from '../../../resources/keys/index.js'
import {
  hashReference,
  type IssuedReference,
  type IssuedReferenceReader,
} from '../../../resources/references/index.js'
import { ApiError, invalidRequest } from '../../../shared/errors.js'
import type { Call } from '../call.js'

/** The stored objects of providers that a call names, and to whom they were issued. */
export interface CallReferences {
  named: readonly NamedReference[]
  /** Returns why the call must not go to this provider. Null when it may. */
  refusalAt(provider: Provider): ApiError | null
  /** Returns how many input tokens a reference adds. Null when that is not known. `models` are the names of the model. */
  tokensOf(reference: Reference, models: readonly string[]): number | null
  has(reference: Reference): boolean
}

export interface ReferenceParts {
  issuedReferences: IssuedReferenceReader
}

const noReferences: CallReferences = {
  named: [],
  refusalAt: () => null,
  tokensOf: () => null,
  has: () => false,
}

// Hashing this many takes some milliseconds. A conversation of a thousand turns names about as many items.
const maxReferences = 4_096

/** Reads the references of a call. Calls without references, which are most, cost no round trip. */
export async function readReferences(
  { body, endpoint }: Pick<Call, 'body' | 'endpoint'>,
  entitlements: Entitlements,
  { issuedReferences }: ReferenceParts,
): Promise<CallReferences> {
  const named = findReferences(body, endpoint.shape)
  if (named.length === 0) return noReferences
  if (named.length > maxReferences)
    throw invalidRequest(
      `The request names ${named.length} objects that the provider stores; at most ${maxReferences} are allowed. Send their content instead`,
    )
  const issued = await issuedReferences.find(named, scopeIdsOf(entitlements))
  const issuedFor = (reference: Reference): readonly IssuedReference[] =>
    issued.get(hashReference(reference)) ?? []
  const keys = new Set(named.map(keyOf))
  return {
    named,
    refusalAt(provider) {
      // With its own account, the caller may name everything that the account stores.
      if (provider.auth === 'caller') return null
      const refused = named.find((reference) => !isReferenceAllowed(issuedFor(reference), provider))
      return refused === undefined ? null : refuse(refused, provider)
    },
    tokensOf(reference, models) {
      const known = issuedFor(reference).find(
        ({ isOwn, model }) => isOwn && model !== null && models.includes(model),
      )
      return known?.tokens ?? null
    },
    has: (reference) => keys.has(keyOf(reference)),
  }
}

const keyOf = ({ kind, id }: Reference): string => `${kind}\n${id}`

/**
 * True when the provider issued the object to the caller, or when nobody received it through this gateway and the provider accepts any
 * reference.
 */
function isReferenceAllowed(times: readonly IssuedReference[], { id, references }: Provider): boolean {
  if (times.some(({ isOwn, providerId }) => isOwn && providerId === id)) return true
  return references === 'any' && times.length === 0
}

/** Returns the same error for an id that was issued to someone else and for an unknown one. */
function refuse({ kind, path }: NamedReference, { name }: Provider): ApiError {
  const message = `names a ${kind} that provider ${name} did not issue to this key's owner or team through this gateway. Send its content instead, or have "references" of the provider set to "any" if the ${kind} was made elsewhere`
  return new ApiError('not_found', `${path}: ${message}`, { details: [{ path, message }] })
}
