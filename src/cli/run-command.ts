import cluster from 'node:cluster'
import { type Config, loadConfig } from '../config/index.js'
import { openStorage, type Storage } from '../main.js'
import { readCommand, usage } from './arguments.js'
import { describeFailure } from './failure.js'
import { makeKey, makeTenant, showTenants } from './operator.js'
import { dropRecordSpan } from './record.js'
import { serve } from './serve.js'
import { retireSigningKeyById, rotateSigningKeyOf, showSigningKeys } from './signing-key.js'
import { superviseWorkers } from './supervise.js'
import { work } from './work.js'

/** Everything that needs the settings, and all but `help` the database. */
export async function operate(args: string[]): Promise<void> {
  try {
    await run(args)
  } catch (error) {
    const { text, exitCode } = describeFailure(error)
    console.error(text)
    // A start that failed half-way holds connections that would keep the process alive for nothing.
    process.exit(exitCode)
  }
}

async function run(args: string[]): Promise<void> {
  const command = readCommand(args)
  if (command.name === 'help') return console.log(usage)
  const config = loadConfig({ env: process.env, cwd: process.cwd() })
  switch (command.name) {
    case 'serve':
      if (cluster.isWorker) return await work(config)
      return await (command.workers === 1 ? serve(config) : superviseWorkers(config, command.workers))
    case 'tenant create':
      return await withStorage(config, (storage) => makeTenant(storage, command.tenant))
    case 'tenant list':
      return await withStorage(config, showTenants)
    case 'key create':
      return await withStorage(config, (storage) => makeKey(storage, command))
    case 'record drop':
      return await withStorage(config, (storage) => dropRecordSpan(config, storage, command))
    case 'signing-key list':
      return await withStorage(config, showSigningKeys)
    case 'signing-key rotate':
      return await withStorage(config, (storage) => rotateSigningKeyOf(config, storage))
    case 'signing-key retire':
      return await withStorage(config, (storage) => retireSigningKeyById(config, storage, command.keyId))
  }
}

async function withStorage(config: Config, act: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage(config, (message) => console.error(message))
  try {
    await act(storage)
  } finally {
    await storage.close()
  }
}
