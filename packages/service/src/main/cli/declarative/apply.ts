import { chmodSync, closeSync, openSync, writeSync } from 'node:fs'
import { errorCode } from '../../../shared/error-code.js'
import { checkDocuments } from './desired.js'
import { readDocuments } from './documents.js'
import { executeActions, type GeneratedValue } from './execute.js'
import { CommandFailure } from './failure.js'
import { listEntries } from './managed.js'
import { planChanges } from './plan.js'
import { describePlan, isChange, renderAction, renderPlan } from './render.js'
import type { Session } from './session.js'

export interface ApplyOptions {
  files: string[]
  plan: boolean
  prune: boolean
  adopt: boolean
  overwriteDrift: boolean
  set: string
  json: boolean
  keysOut: string | null
}

/** Runs `tallystick apply`. Returns the exit code: with `--plan` 0 for nothing to do and 2 for changes, and 1 for whatever is refused. */
export async function apply(options: ApplyOptions, session: Session): Promise<0 | 1 | 2> {
  const { client, names, findSchema, readVariable, output } = session
  const faults: string[] = []
  const documents = readDocuments(options.files, faults)
  const { desired, secretTexts } = await checkDocuments(
    documents,
    { findSchema, names, readVariable },
    faults,
  )
  output.hide(secretTexts)
  const missing = desired.flatMap((each) => each.missing)
  if (!options.plan) faults.push(...missing)
  if (faults.length > 0) throw new CommandFailure([...faults, 'Nothing was changed.'])
  if (options.plan) for (const message of missing) output.warn(`${message}; taken to be unchanged`)

  const entries = await listEntries(client)
  const actions = await planChanges(
    desired,
    entries,
    { client, names },
    { ...options, keyId: session.keyId, now: new Date() },
  )
  const refused = actions.filter(({ action }) => action === 'refuse')
  const changes = actions.filter(isChange)
  if (options.plan || refused.length > 0) {
    if (options.json) output.print(JSON.stringify(describePlan(actions), null, 2))
    else output.print(renderPlan(actions))
    warnOfUnlisted()
    if (refused.length > 0 && !options.plan) output.warn('Nothing was changed.')
    return refused.length > 0 ? 1 : changes.length > 0 ? 2 : 0
  }

  const generated: GeneratedValue[] = []
  const keys = options.keysOut === null ? null : openKeysFile(options.keysOut)
  try {
    await executeActions(actions, {
      ...{ client, names, set: options.set },
      onGenerated(value) {
        generated.push(value)
        if (keys !== null) writeSync(keys, `${JSON.stringify(value)}\n`)
        else if (!options.json)
          output.printSecret(`  ${value.kind} ${value.name}, shown only once: ${value.value}`)
      },
      onDone(action) {
        if (!options.json && isChange(action)) output.print(renderAction(action))
      },
    })
  } finally {
    if (keys !== null) closeSync(keys)
  }
  if (options.json) {
    const described = JSON.stringify(describePlan(actions), null, 2)
    output.print(described)
    if (keys === null) for (const value of generated) output.printSecret(JSON.stringify(value))
  } else output.print(changes.length === 0 ? 'No changes.' : `Done: ${changes.length} changes.`)
  warnOfUnlisted()
  return 0

  function warnOfUnlisted(): void {
    const listed = new Set(desired.map(({ kind, name }) => `${kind.kind} ${name}`))
    const unlisted = entries.filter(
      ({ set, kind, name }) => set === options.set && !listed.has(`${kind} ${name}`),
    )
    if (unlisted.length > 0 && !options.prune)
      output.warn(
        `${unlisted.length} of the set "${options.set}" are not in the files and stay as they are; --prune deletes them: ${unlisted.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`,
      )
  }
}

/** Opened before the first change, so that no value is made that cannot be written. */
function openKeysFile(path: string): number {
  try {
    const file = openSync(path, 'a', 0o600)
    // The mode above is only for a new file.
    chmodSync(path, 0o600)
    return file
  } catch (error) {
    throw new CommandFailure([
      `--keys-out: ${path} cannot be written (${errorCode(error)})`,
      'Nothing was changed.',
    ])
  }
}
