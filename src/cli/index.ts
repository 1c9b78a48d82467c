#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { type Config, ConfigError, loadConfig } from '../config/index.js'
import { ApiError } from '../errors.js'
import { openStorage, type Storage } from '../main.js'
import { createKey } from '../modules/keys/index.js'
import { createTenant, findTenant, listTenants } from '../modules/tenants/index.js'
import { serve } from './serve.js'

const usage = `Usage:
  tallystick serve                                     run the service
  tallystick tenant create NAME                        make a tenant; prints its first manager key
  tallystick tenant list                               list the tenants
  tallystick key create --tenant NAME --role manager   make a key, for example after a lock-out

Settings come from the environment and tallystick.yaml; the README lists them.`

class UsageError extends Error {}

async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { tenant: { type: 'string' }, role: { type: 'string' }, name: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return console.log(usage)
  const [subject, action, name, ...rest] = positionals
  const config = loadConfig({ env: process.env, cwd: process.cwd() })
  switch ([subject, action].filter(Boolean).join(' ')) {
    case 'serve':
      return await serve(config)
    case 'tenant create':
      if (name === undefined || rest.length > 0) throw new UsageError('tenant create takes one NAME')
      return await withStorage(config, (storage) => makeTenant(storage, name))
    case 'tenant list':
      return await withStorage(config, showTenants)
    case 'key create':
      return await withStorage(config, (storage) => makeKey(storage, values))
    default:
      throw new UsageError(positionals.length === 0 ? 'Say what to do' : `There is no command "${positionals.join(' ')}"`)
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

async function makeTenant({ db }: Storage, name: string): Promise<void> {
  const tenant = await createTenant(db, name)
  const { value } = await createKey(db, tenant.id, { name: 'First manager key', role: 'manager' }, 'operator')
  console.log(`Tenant ${tenant.name} (${tenant.id})\nManager key, shown this once: ${value}`)
}

async function showTenants({ db }: Storage): Promise<void> {
  for (const { id, name, createdAt } of await listTenants(db)) console.log(`${name}\t${id}\t${createdAt.toISOString()}`)
}

async function makeKey({ db }: Storage, options: { tenant?: string; role?: string; name?: string }): Promise<void> {
  const role = options.role ?? 'member'
  if (role !== 'member' && role !== 'manager') throw new UsageError('--role must be member or manager')
  if (options.tenant === undefined) throw new UsageError('--tenant NAME is missing')
  const tenant = await findTenant(db, options.tenant)
  if (!tenant) throw new UsageError(`There is no tenant called ${options.tenant}; tallystick tenant list shows all`)
  const { row, value } = await createKey(db, tenant.id, { name: options.name ?? 'Made by the operator', role }, 'operator')
  console.log(`Key ${row.id} (${role}) of tenant ${tenant.name}\nValue, shown this once: ${value}`)
}

run(process.argv.slice(2)).catch((error: unknown) => {
  const expected = error instanceof UsageError || error instanceof ConfigError || error instanceof ApiError || isParseFault(error)
  console.error(expected && error instanceof Error ? error.message : error)
  if (error instanceof UsageError || isParseFault(error)) console.error(`\n${usage}`)
  process.exitCode = error instanceof UsageError || error instanceof ConfigError || isParseFault(error) ? 2 : 1
})

function isParseFault(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
