import { ApiError, invalidRequest } from '../../errors.js'
import { type Entitlements, scopeIdsOf } from '../../modules/keys/index.js'
import {
  hashReference,
  type IssuedReference,
  type IssuedReferenceReader,
} from '../../modules/references/index.js'
import { findReferences, type NamedReference, type Provider, type Reference } from '../../providers/index.js'
import type { Call } from '../call.js'

/** What a call names of what providers keep, and to whom it was issued. */
export interface CallReferences {
  named: readonly NamedReference[]
  /** Why the call must not go to this provider; null when it may. */
  refusalAt(provider: Provider): ApiError | null
  /** How many tokens the model reads with a reference; null when it is not known. `models` are the names of that model. */
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

// Hashing as many takes some milliseconds. A conversation of a thousand turns names about as many items.
const maxReferences = 4_096

/** Most calls name nothing: they cost no round trip. */
export async function readReferences(
  { body, dialect }: Pick<Call, 'body' | 'dialect'>,
  entitlements: Entitlements,
  { issuedReferences }: ReferenceParts,
): Promise<CallReferences> {
  const named = findReferences(body, dialect.inputOf ?? dialect.name)
  if (named.length === 0) return noReferences
  if (named.length > maxReferences)
    throw invalidRequest(
      `The request names ${named.length} things that the provider keeps; at most ${maxReferences} are allowed. Send their content instead`,
    )
  const issued = await issuedReferences.find(named, scopeIdsOf(entitlements))
  const timesOf = (reference: Reference): readonly IssuedReference[] =>
    issued.get(hashReference(reference)) ?? []
  const keys = new Set(named.map(keyOf))
  return {
    named,
    refusalAt(provider) {
      // With an account of its own, the caller may name whatever that account keeps.
      if (provider.auth === 'caller') return null
      const refused = named.find((reference) => !mayName(timesOf(reference), provider))
      return refused === undefined ? null : refuse(refused, provider)
    },
    tokensOf(reference, models) {
      const known = timesOf(reference).find(
        ({ isOwn, model }) => isOwn && model !== null && models.includes(model),
      )
      return known?.tokens ?? null
    },
    has: (reference) => keys.has(keyOf(reference)),
  }
}

const keyOf = ({ kind, id }: Reference): string => `${kind}\n${id}`

/** An id that was issued here is for those alone whom that provider issued it to, whatever the provider accepts otherwise. */
function mayName(times: readonly IssuedReference[], { id, references }: Provider): boolean {
  if (times.some(({ isOwn, providerId }) => isOwn && providerId === id)) return true
  return references === 'any' && times.length === 0
}

/** The same words for an id that was issued to someone else and for one that nobody knows. */
function refuse({ kind, path }: NamedReference, { name }: Provider): ApiError {
  const message = `names a ${kind} that provider ${name} did not issue to this key's owner or team through this gateway. Send its content instead, or have "references" of the provider set to "any" if the ${kind} was made elsewhere`
  return new ApiError('not_found', `${path}: ${message}`, { details: [{ path, message }] })
}
