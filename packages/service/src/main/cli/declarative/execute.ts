import { Refusal } from './client.js'
import { CommandFailure } from './failure.js'
import { isObject, type Json, pick, stringOf } from './json.js'
import { changeEntry, createEntry, deleteEntry, type ManagedEntry } from './managed.js'
import { type Action, describeStep, hashesOf, observe, type Service, specHashesOf } from './plan.js'

/** A value that the service shows only once: that of a key, or a signing secret. */
export interface GeneratedValue {
  kind: string
  name: string
  id: string
  value: string
}

export interface Execution extends Service {
  set: string
  /** Called at once, so that an interruption loses no value. */
  onGenerated(generated: GeneratedValue): void
  onDone(action: Action): void
}

type ActionOf<Name extends Action['action']> = Extract<Action, { action: Name }>

/**
 * Makes the changes one by one. Before each, its entry says `applying`, and afterwards `applied` with the hashes of what was applied: an
 * interrupted run is continued by the next one. The revision of the entry decides between two runs.
 */
export async function executeActions(actions: readonly Action[], execution: Execution): Promise<void> {
  const changes = actions.filter(({ action }) => action !== 'unchanged' && action !== 'refuse')
  for (const [index, action] of changes.entries()) {
    try {
      await executeAction(action, execution)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const isConflict = error instanceof Refusal && error.message.includes('changed in the meantime')
      throw new CommandFailure([
        `${describeStep(action)}: ${error.message}`,
        `${index} of ${changes.length} changes were made. ${
          isConflict
            ? 'Another apply is running; when it has ended, run this one again.'
            : 'Correct the cause and run the same command again; it continues where this one stopped.'
        }`,
      ])
    }
    execution.names.forget(action.kind.kind)
    execution.onDone(action)
  }
}

async function executeAction(action: Action, execution: Execution): Promise<void> {
  switch (action.action) {
    case 'create':
      return await create(action, execution)
    case 'update':
    case 'adopt':
      return await update(action, execution)
    case 'refresh':
      return await finish(action, action.entry, action.record, execution)
    case 'delete':
      return await remove(action, execution)
  }
}

async function create(action: ActionOf<'create'>, execution: Execution): Promise<void> {
  const { kind, name, desired, isResumed } = action
  const { client, names, set, onGenerated } = execution
  const body = (await kind.withIds?.(desired.body, names)) ?? desired.body
  const entry = isResumed && action.entry ? action.entry : await claim(action, set, specHashesOf(desired))
  const sent = Object.fromEntries(
    Object.entries(body).filter(([field]) => !(field in (kind.extraFields ?? {}))),
  )
  const created = await client.post(kind.path, sent, `apply-${entry.id}-${entry.revision}`)
  const id = stringOf(created.id)
  const value = kind.generated === undefined ? undefined : created[kind.generated]
  if (typeof value === 'string') onGenerated({ kind: kind.kind, name, id, value })
  await kind.afterCreate?.(client, id, body)
  names.forget(kind.kind)
  await finish(action, entry, { ...created, id }, execution)

  async function claim(
    { entry }: typeof action,
    set: string,
    specHashes: Record<string, string>,
  ): Promise<ManagedEntry> {
    const columns = { set, resourceId: null, state: 'applying' as const, specHashes, stateHashes: {} }
    if (entry) return await changeEntry(client, entry, columns)
    return await createEntry(client, { kind: kind.kind, name, ...columns })
  }
}

async function update(action: ActionOf<'update' | 'adopt'>, execution: Execution): Promise<void> {
  const { kind, name, desired, record, changes } = action
  const { client, names, set } = execution
  const id = stringOf(record.id)
  const claimed = { set, resourceId: id, state: 'applying' as const }
  const entry = action.entry
    ? await changeEntry(client, action.entry, claimed)
    : await createEntry(client, { kind: kind.kind, name, ...claimed })
  const body = (await kind.withIds?.(desired.body, names)) ?? desired.body
  const secrets = new Set(changes.map(({ field }) => field).filter((field) => desired.secrets.has(field)))
  const fields = new Set(changes.map(({ field }) => field).filter((field) => field in desired.fields))
  if (changes.length > 0) {
    if (kind.update) await kind.update(client, { id, record, body, fields, secrets })
    else if (fields.size > 0) await client.patch(`${kind.path}/${id}`, pick(body, [...fields]))
  }
  if (record.name !== name) await client.patch(`${kind.path}/${id}`, { name })
  names.forget(kind.kind)
  await finish(action, entry, record, execution)
}

/** Reads the object again: what the API shows may differ from what was sent, such as a default that it fills in. */
async function finish(
  { kind, desired }: ActionOf<'create' | 'update' | 'adopt' | 'refresh'>,
  entry: ManagedEntry,
  { id }: Json,
  execution: Execution,
): Promise<void> {
  const record = await execution.names.withId(kind.kind, stringOf(id))
  if (!isObject(record)) throw new Error('was deleted in the meantime')
  const observed = await observe(kind, record, execution, desired.schema.fields)
  await changeEntry(execution.client, entry, {
    set: execution.set,
    resourceId: stringOf(id),
    state: 'applied',
    specHashes: specHashesOf(desired, entry),
    stateHashes: hashesOf(observed),
  })
}

async function remove({ kind, entry, record }: ActionOf<'delete'>, { client }: Execution): Promise<void> {
  const claimed = await changeEntry(client, entry, { state: 'applying' })
  if (record) await client.delete(`${kind.path}/${stringOf(record.id)}${kind.deleteQuery ?? ''}`)
  await deleteEntry(client, claimed)
}
