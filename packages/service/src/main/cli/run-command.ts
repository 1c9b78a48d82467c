import cluster from 'node:cluster'
import { type Config, ConfigError, readLogFormat, readVersion } from '../../config/index.js'
import { hasEmbeddedDatabase } from '../../db/index.js'
import { isPretty } from '../../observability/index.js'
import { openSecretReader } from '../../secret-stores/index.js'
import { readConfigWithSecrets } from '../index.js'
import { openStorage, type Storage } from '../infrastructure/storage.js'
import { announceWarnings } from './announcements/announce.js'
import { type Command, readCommand } from './arguments.js'
import { findCommand } from './command-table/commands.js'
import { completionScript } from './command-table/completion.js'
import { describeCommand } from './command-table/help.js'
import { backUp } from './commands/backup.js'
import { faultsOfDemo, runDemo } from './commands/demo.js'
import { writeConfiguration } from './commands/init.js'
import { createKeyOfTenant } from './commands/key.js'
import { printMasterKeys, replaceMasterKeyOf, rotateMasterKeyOf } from './commands/master-key.js'
import { runMigrate } from './commands/migrate.js'
import { moveTo } from './commands/move-to.js'
import { rebuildCallsOf, rebuildUsageOf } from './commands/rebuild.js'
import { acceptRestoredRecords, dropRecordSpan } from './commands/record.js'
import { restore } from './commands/restore.js'
import { type ReadConfig, serve } from './commands/serve.js'
import { printSigningKeys, retireSigningKeyById, rotateSigningKeyOf } from './commands/signing-key.js'
import { createTenantWithKey, printTenants } from './commands/tenant.js'
import { runDoctor } from './doctor/doctor.js'
import { describeFailure, printFailure } from './failure.js'
import { readToStart, type StartSource } from './read-to-start.js'
import { countWorkers } from './workers/count-workers.js'
import { superviseWorkers } from './workers/supervise.js'
import { runWorker } from './workers/worker.js'

/** Runs every command except `verify`. */
export async function runCommand(args: string[]): Promise<void> {
  let command: Command | null = null
  try {
    command = readCommand(args)
    await run(command)
  } catch (error) {
    const failure = describeFailure(error)
    printFailure(failure, command?.name === 'serve' && writesJson(command))
    // Open connections of a command that failed would keep the process alive.
    process.exit(failure.exitCode)
  }
}

const writesJson = (command: Command): boolean =>
  !isPretty(readLogFormat(environmentOf(command), process.cwd()))

/** Ignores write errors of the standard streams: the service must not end because the reader of a pipe has gone. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

async function run(command: Command): Promise<void> {
  if (command.name === 'help') return console.log(describeCommand(command.of))
  if (command.name === 'completion') return console.log(completionScript(command.shell))
  if (command.name === 'init') return writeConfiguration(process.cwd(), command.isForced)
  if (command.name === 'version') return console.log(readVersion())
  if (command.name === 'doctor') {
    const isJson = command.isJson
    process.exitCode = await runDoctor({ env: process.env, cwd: process.cwd(), isJson })
    return
  }
  if (command.name === 'serve') {
    ignoreClosedPipes()
    if (writesJson(command)) announceWarnings()
    if (cluster.isWorker) return await runWorker()
  }
  const source = {
    ...{ env: environmentOf(command), cwd: process.cwd() },
    needs: findCommand(command.name)?.needs ?? null,
  }
  const secrets = openSecretReader(source.env, source.cwd)
  const read = () => readConfigWithSecrets(source, secrets)
  const config = command.name === 'serve' ? await readToServe(command, read, source) : await read()
  switch (command.name) {
    case 'serve': {
      const workers = command.demo ? 1 : countWorkers(config)
      return await (workers === 1
        ? serve(config, command.demo, { read, secrets })
        : superviseWorkers(config, workers, { read, secrets }))
    }
    case 'migrate': {
      await requireDatabase(config)
      process.exitCode = await runMigrate(config, command.mode)
      return
    }
    case 'backup': {
      await requireDatabase(config)
      return await backUp(config, command)
    }
    case 'move-to': {
      await requireDatabase(config)
      return await moveTo(config, command.url)
    }
    case 'restore':
      return await restore(config, command)
    case 'demo':
      return await withStorage(config, (storage) => runDemo(config, storage, command))
    case 'tenant create':
      return await withStorage(config, (storage) => createTenantWithKey(storage, command.tenant))
    case 'tenant list':
      return await withStorage(config, printTenants)
    case 'key create':
      return await withStorage(config, (storage) => createKeyOfTenant(storage, command))
    case 'rebuild calls':
      return await withStorage(config, (storage) => rebuildCallsOf(config, storage, command.tenant))
    case 'rebuild usage':
      return await withStorage(config, (storage) => rebuildUsageOf(storage, command.tenant))
    case 'record accept-restore':
      return await withStorage(config, (storage) => acceptRestoredRecords(config, storage, command))
    case 'record drop':
      return await withStorage(config, (storage) => dropRecordSpan(config, storage, command))
    case 'master-key status':
      return await withStorage(config, (storage) => printMasterKeys(config, storage))
    case 'master-key rotate':
      return await withStorage(config, (storage) => rotateMasterKeyOf(config, storage))
    case 'master-key replace':
      return await withStorage(config, (storage) => replaceMasterKeyOf(config, storage))
    case 'signing-key list':
      return await withStorage(config, printSigningKeys)
    case 'signing-key rotate':
      return await withStorage(config, (storage) => rotateSigningKeyOf(config, storage))
    case 'signing-key retire':
      return await withStorage(config, (storage) => retireSigningKeyById(config, storage, command))
  }
}

const readToServe = async ({ demo }: Command & { name: 'serve' }, read: ReadConfig, source: StartSource) =>
  await readToStart(read, source, (config) => (demo === null ? [] : faultsOfDemo(config)))

/** Returns the environment, with options of the command line overriding variables. */
const environmentOf = (command: Command): NodeJS.ProcessEnv =>
  command.name === 'serve'
    ? {
        ...process.env,
        ...(command.logFormat !== null && { TALLYSTICK_LOG_FORMAT: command.logFormat }),
        ...(command.workers !== null && { TALLYSTICK_WORKERS: command.workers }),
      }
    : process.env

// On a large database or a busy machine, one statement may take minutes. An operator prefers to wait instead of starting again.
const answerTimeoutMs = 600_000

async function withStorage(config: Config, act: (storage: Storage) => Promise<void>): Promise<void> {
  await requireDatabase(config)
  const storage = await openStorage(config, (message) => console.error(message), {
    schema: 'require',
    answerTimeoutMs,
  })
  try {
    await act(storage)
  } finally {
    await storage.close()
  }
}

/** Only `serve` creates a database: in a wrong folder, a command would create an empty one and show nothing. */
async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === null && !(await hasEmbeddedDatabase(dataDir)))
    throw new ConfigError([
      `TALLYSTICK_DATA_DIR: there is no database in ${dataDir}. Set it to the folder that the service uses; the first \`tallystick serve\` creates a database`,
    ])
}
