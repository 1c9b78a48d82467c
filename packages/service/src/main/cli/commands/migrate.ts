import type { Config } from '../../../config/index.js'
import { describeLocks, migrate, programSchema, readSchema, refuseNewerSchema } from '../../../db/index.js'
import { openServer } from '../../infrastructure/storage.js'
import type { MigrateMode } from '../arguments.js'

type State = Awaited<ReturnType<typeof readSchema>>['state']

// A database that cannot be reached fails with 1, like any command.
const hasPendingMigrations = 3

/** Brings the schema up to date, or describes what that would do. Returns the exit code. */
export async function runMigrate(
  config: Config,
  mode: MigrateMode,
): Promise<0 | typeof hasPendingMigrations> {
  const server = await openServer(config, (message) => console.error(message))
  try {
    if (mode === 'apply') return await apply(server.sessionUrl)
    const { state, serving } = await readSchema(server.sessionUrl)
    refuseNewerSchema(state)
    if (mode === 'plan') console.log(describePlan(state, serving).join('\n'))
    else console.log(describeState(state))
    return mode === 'check' && isDue(state, serving) ? hasPendingMigrations : 0
  } finally {
    await server.close()
  }
}

/**
 * Whether `migrate` has something to do now. A removal waits for processes of an earlier version: a rollout that waited for it in turn
 * would never end.
 */
const isDue = ({ pending }: State, serving: readonly number[]): boolean =>
  pending.some(({ kind, number }) => kind !== 'contract' || !serving.some((schema) => schema < number))

async function apply(url: string): Promise<0> {
  const { applied, waiting } = await migrate(url, { log: (message) => console.error(message) })
  for (const name of applied) console.log(`Applied ${name}`)
  for (const { name } of waiting)
    console.log(`Skipped ${name}: it removes what running processes of an earlier version use`)
  console.log(
    waiting.length > 0
      ? 'Replace the running processes one by one, then run `tallystick migrate` again'
      : `The database has schema ${programSchema()}: it is up to date`,
  )
  return 0
}

function describeState({ schema, pending, unknown }: State): string {
  if (pending.length > 0)
    return `The database has schema ${schema}, and ${pending.length} migrations of this version are not applied (${pending.map(({ name }) => name).join(', ')}): run \`tallystick migrate\``
  if (unknown.length > 0)
    return `The database has schema ${schema} of a newer version; this version (schema ${programSchema()}) works with it`
  return `The database has schema ${schema}: it is up to date`
}

function describePlan(state: State, serving: readonly number[]): string[] {
  const lines = [describeState(state)]
  const older = serving.filter((schema) => schema < programSchema()).length
  if (serving.length > 0)
    lines.push(`Processes that serve it: ${serving.length}, of an earlier version: ${older}`)
  for (const { name, kind, isConcurrent, summary, sql } of state.pending) {
    const how = isConcurrent ? 'in the background' : 'in one transaction'
    lines.push('', `${name}  (${kind}, ${how})`)
    lines.push(`  ${summary}`)
    for (const line of describeLocks(sql)) lines.push(`  ${line}`)
    if (kind === 'contract' && older > 0)
      lines.push('  waits until no process of an earlier version is running')
  }
  return lines
}
