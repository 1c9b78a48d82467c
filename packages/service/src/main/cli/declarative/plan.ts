import type { Client } from './client.js'
import type { Desired } from './desired.js'
import { fingerprintSecret, hashValue, isFingerprintOf } from './hashes.js'
import { isEqual, type Json, pick, stringOf } from './json.js'
import { isReadOnly, type Kind, kinds } from './kinds/index.js'
import type { ManagedEntry } from './managed.js'
import type { Names } from './names.js'

export interface FieldChange {
  field: string
  from?: unknown
  to?: unknown
  /** Only that it changes is shown. */
  isHidden?: true
}

interface Step {
  kind: Kind
  name: string
  changes: FieldChange[]
  entry: ManagedEntry | undefined
}

export type Action =
  | (Step & { action: 'create'; desired: Desired; isResumed: boolean })
  | (Step & { action: 'update' | 'adopt'; desired: Desired; record: Json })
  /** The object is as described; only the entry about it is behind. */
  | (Step & { action: 'refresh'; desired: Desired; record: Json; entry: ManagedEntry })
  | (Step & { action: 'unchanged' })
  | (Step & { action: 'delete'; entry: ManagedEntry; record: Json | undefined })
  | (Step & { action: 'refuse'; reason: string })

export interface PlanOptions {
  set: string
  prune: boolean
  adopt: boolean
  overwriteDrift: boolean
  /** The key that the command uses. */
  keyId: string
  now: Date
}

export interface Service {
  client: Client
  names: Names
}

// The service keeps the answer to a repeated creation for 24 hours.
const resumableMs = 23 * 3_600_000
const secretPrefix = 'secret:'

export async function planChanges(
  desired: readonly Desired[],
  entries: readonly ManagedEntry[],
  service: Service,
  options: PlanOptions,
): Promise<Action[]> {
  const keyOf = (kind: string, name: string) => `${kind} ${name}`
  const byName = new Map(entries.map((entry) => [keyOf(entry.kind, entry.name), entry]))
  const actions: Action[] = []
  for (const each of desired)
    actions.push(await planOne(each, byName.get(keyOf(each.kind.kind, each.name)), service, options))
  const listed = new Set(desired.map(({ kind, name }) => keyOf(kind.kind, name)))
  const order = [...kinds.keys()]
  const unlisted = entries
    .filter(({ set, kind, name }) => set === options.set && !listed.has(keyOf(kind, name)))
    .toSorted((a, b) => order.indexOf(b.kind) - order.indexOf(a.kind))
  for (const entry of unlisted) {
    const kind = kinds.get(entry.kind)
    if (kind) actions.push(await planDeletion(kind, entry, service, options))
  }
  return actions
}

async function planOne(
  desired: Desired,
  entry: ManagedEntry | undefined,
  service: Service,
  options: PlanOptions,
): Promise<Action> {
  const { kind, name } = desired
  const step = { kind, name, entry, desired }
  const refuse = (reason: string, changes: FieldChange[] = []): Action => ({
    ...{ ...step, changes, reason },
    action: 'refuse',
  })
  if (entry && entry.set !== options.set && !options.adopt)
    return refuse(`belongs to the set "${entry.set}"; --adopt moves it to "${options.set}"`)
  const create = (isResumed = false): Action => ({
    ...{ ...step, isResumed, changes: newFields(desired) },
    action: 'create',
  })

  if (entry?.resourceId != null) {
    const record = await service.names.withId(kind.kind, entry.resourceId)
    if (!record)
      return options.overwriteDrift
        ? create()
        : refuse('was deleted by hand; --overwrite-drift creates it again')
    return await planChange(desired, entry, record, service, options)
  }
  const found = await service.names.named(kind.kind, name)
  if (entry && isResumable(entry, desired, options)) return create(true)
  const [record, ...others] = found
  if (!record) return create()
  if (others.length > 0)
    return refuse(`there are ${found.length} objects with this name; rename or delete all but one`)
  if (isReadOnly(record))
    return refuse('is in the configuration file of the service, which the API cannot change')
  const observed = await observe(desired.kind, record, service, desired.schema.fields)
  const changes = [...differences(desired, observed), ...allSecrets(desired)]
  if (!options.adopt) return refuse('exists and was not created from files; --adopt takes it over', changes)
  return refuseImmutable(desired, changes, entry) ?? { ...step, record, changes, action: 'adopt' }
}

/** An apply of the same key was interrupted while it created exactly this: the service answers the repeated request as the first one. */
function isResumable(
  entry: ManagedEntry,
  { fields, secrets }: Desired,
  { keyId, now }: PlanOptions,
): boolean {
  const { specHashes, updatedBy, updatedAt } = entry
  if (updatedBy !== keyId || now.getTime() - updatedAt.getTime() > resumableMs) return false
  const names = Object.keys(fields)
  return (
    Object.keys(specHashes).length === names.length + secrets.size &&
    names.every((field) => specHashes[field] === hashValue(fields[field])) &&
    [...secrets].every(([path, secret]) => isFingerprintOf(specHashes[secretPrefix + path], secret))
  )
}

async function planChange(
  desired: Desired,
  entry: ManagedEntry,
  record: Json,
  service: Service,
  options: PlanOptions,
): Promise<Action> {
  const { kind, name, fields } = desired
  const step = { kind, name, entry, desired, record }
  const observed = await observe(kind, record, service, desired.schema.fields)
  const different = differences(desired, observed)
  // What the API shows may differ from what was sent without a change of either, such as a default that it fills in.
  const isKnown = ({ field }: FieldChange) =>
    entry.state === 'applied' &&
    entry.specHashes[field] === hashValue(fields[field]) &&
    entry.stateHashes[field] === hashValue(observed[field])
  const drifted = driftOf(entry, record, observed, different)
  const changes = [...different.filter((change) => !isKnown(change)), ...changedSecrets(desired, entry)]
  if (drifted.length > 0 && !options.overwriteDrift)
    return {
      ...{ ...step, changes: changes.length > 0 ? changes : drifted, action: 'refuse' },
      reason: `was changed by hand (${drifted.map(({ field }) => field).join(', ')}); --overwrite-drift sets it back to the files`,
    }
  const refused = refuseImmutable(desired, changes, entry)
  if (refused) return refused
  if (changes.length > 0) return { ...step, changes, action: 'update' }
  const isBehind =
    entry.state === 'applying' ||
    entry.set !== options.set ||
    Object.keys(fields).some((field) => entry.specHashes[field] !== hashValue(fields[field])) ||
    Object.keys(observed).some((field) => entry.stateHashes[field] !== hashValue(observed[field]))
  return { ...step, changes, action: isBehind ? 'refresh' : 'unchanged' }
}

/** Fields that were changed by hand, unless to what the files say. An interrupted apply may have left them anyhow. */
function driftOf(entry: ManagedEntry, record: Json, observed: Json, different: readonly FieldChange[]) {
  if (entry.state === 'applying') return []
  const drifted = different.filter(({ field }) => {
    const known = entry.stateHashes[field]
    return known !== undefined && known !== hashValue(observed[field])
  })
  if (record.name === entry.name) return drifted
  return [{ field: 'name', from: record.name, to: entry.name }, ...drifted]
}

async function planDeletion(
  kind: Kind,
  entry: ManagedEntry,
  service: Service,
  { prune, overwriteDrift, keyId }: PlanOptions,
): Promise<Action> {
  const step = { kind, name: entry.name, entry, changes: [] }
  if (!prune) return { ...step, action: 'unchanged' }
  const record =
    entry.resourceId === null ? undefined : await service.names.withId(kind.kind, entry.resourceId)
  if (entry.resourceId === keyId)
    return {
      ...step,
      action: 'refuse',
      reason: 'is the key that this command uses; use another one to revoke it',
    }
  if (record && entry.state === 'applied' && !overwriteDrift) {
    const observed = await observe(kind, record, service, Object.keys(entry.stateHashes))
    const drifted = Object.keys(entry.stateHashes).filter(
      (field) => entry.stateHashes[field] !== hashValue(observed[field]),
    )
    if (drifted.length > 0)
      return {
        ...{ ...step, action: 'refuse' },
        reason: `is no longer in the files, but was changed by hand (${drifted.join(', ')}); --overwrite-drift deletes it anyway`,
      }
  }
  return { ...step, action: 'delete', record }
}

function refuseImmutable(
  { kind, name, schema }: Desired,
  changes: readonly FieldChange[],
  entry: ManagedEntry | undefined,
): Action | null {
  const fixed = changes.filter(({ field }) => isFixed(field, schema.canChange, kind))
  if (fixed.length === 0) return null
  const names = fixed.map(({ field }) => field).join(', ')
  const reason = `cannot change its ${names}; describe it under another name, and remove this one with --prune`
  return { kind, name, entry, changes: fixed, action: 'refuse', reason }
}

const isFixed = (field: string, canChange: (field: string) => boolean, { update }: Kind): boolean => {
  const top = field.split('.')[0] ?? ''
  return !canChange(top) && !(update !== undefined && ['credentials', 'content'].includes(top))
}

export async function observe(
  kind: Kind,
  record: Json,
  { client, names }: Service,
  fields: readonly string[],
): Promise<Json> {
  return kind.observe ? await kind.observe(record, client, names) : pick(record, fields)
}

const differences = ({ fields, hiddenFields }: Desired, observed: Json): FieldChange[] =>
  Object.entries(fields)
    .filter(([field, to]) => !isEqual(to, observed[field]))
    .map(([field, to]) =>
      hiddenFields.has(field) ? { field, isHidden: true } : { field, from: observed[field] ?? null, to },
    )

const newFields = ({ fields, hiddenFields, secrets, schema }: Desired): FieldChange[] => [
  ...Object.entries(fields)
    .filter(([field, to]) => !isEqual(to, schema.defaultOf(field)))
    .map(([field, to]): FieldChange => (hiddenFields.has(field) ? { field, isHidden: true } : { field, to })),
  ...[...secrets.keys()].map((field): FieldChange => ({ field, isHidden: true })),
]

const allSecrets = ({ secrets }: Desired): FieldChange[] =>
  [...secrets.keys()].map((field) => ({ field, isHidden: true }))

/** A secret whose value is missing here is taken to be unchanged. Only a plan gets this far without it. */
const changedSecrets = ({ secrets, missing }: Desired, { specHashes }: ManagedEntry): FieldChange[] =>
  [...secrets]
    .filter(([path, secret]) => {
      const known = specHashes[secretPrefix + path]
      if (known !== undefined && missing.length > 0) return false
      return !isFingerprintOf(known, secret)
    })
    .map(([field]) => ({ field, isHidden: true }))

/** Hashes of what is applied. Fingerprints of unchanged secrets are kept, because making one is slow on purpose. */
export function specHashesOf({ fields, secrets }: Desired, entry?: ManagedEntry): Record<string, string> {
  return {
    ...hashesOf(fields),
    ...Object.fromEntries(
      [...secrets].map(([path, secret]) => {
        const known = entry?.specHashes[secretPrefix + path]
        return [
          secretPrefix + path,
          known !== undefined && isFingerprintOf(known, secret) ? known : fingerprintSecret(secret),
        ]
      }),
    ),
  }
}

export const hashesOf = (fields: Json): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, hashValue(value)]))

export const describeStep = ({ kind, name }: { kind: Kind; name: string }): string =>
  `${kind.kind} ${stringOf(name)}`
