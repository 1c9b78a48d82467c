import { parseArgs } from 'node:util'
import type { DropLimit } from '../../record/index.js'
import { type DemoOptions, defaultDemo } from './commands/demo-options.js'
import { escapeThumbprints } from './escape-thumbprints.js'

export class UsageError extends Error {}

const roles = ['member', 'auditor', 'manager'] as const
export type Role = (typeof roles)[number]

const logFormats = ['pretty', 'json'] as const
type LogFormat = (typeof logFormats)[number]

/** `apply` migrates, `plan` lists pending migrations, `check` reports whether there are any. */
export type MigrateMode = 'apply' | 'plan' | 'check'

export type Command =
  | { name: 'help' }
  | { name: 'version' }
  | { name: 'serve'; workers: string | null; demo: DemoOptions | null; logFormat: LogFormat | null }
  | { name: 'migrate'; mode: MigrateMode }
  | ({ name: 'demo' } & DemoOptions)
  | { name: 'tenant create'; tenant: string }
  | { name: 'tenant list' }
  | { name: 'key create'; tenant: string; role: Role; keyName: string }
  | { name: 'signing-key list' }
  | { name: 'signing-key rotate' }
  | { name: 'signing-key retire'; keyId: string; isCompromised: boolean; by: string | null }
  | { name: 'master-key status' }
  | { name: 'master-key rotate' }
  | { name: 'master-key replace' }
  | { name: 'rebuild calls'; tenant: string | null }
  | { name: 'rebuild usage'; tenant: string | null }
  | { name: 'record accept-restore'; checkpoints: string[]; by: string | null }
  | { name: 'record drop'; tenant: string; file: string; limit: DropLimit }

interface Options {
  workers?: string
  'log-format'?: string
  demo?: boolean
  plan?: boolean
  check?: boolean
  calls?: string
  days?: string
  seed?: string
  tenant?: string
  role?: string
  name?: string
  export?: string
  'before-seq'?: string
  'before-date'?: string
  checkpoint?: string[]
  compromised?: boolean
  by?: string
  help?: boolean
  version?: boolean
}

/** Reads the whole command line before anything starts. Throws for arguments that the command does not accept. */
export function readCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  const [subject = 'serve', action = '', ...names] = positionals
  if (values.help || subject === 'help') return { name: 'help' }
  if (values.version) return { name: 'version' }
  if (subject === 'serve') {
    const { workers = null, demo = false, 'log-format': logFormat, ...others } = values
    const { calls, days, seed, ...withDemo } = others
    refuseExtraArguments('serve', [action, ...names].filter(Boolean), demo ? withDemo : others)
    if (workers !== null && !/^([1-9]\d{0,2}|auto)$/.test(workers))
      throw new UsageError('--workers must be a number from 1 to 999, or auto')
    if (demo && workers !== null) throw new UsageError('serve takes either --workers or --demo')
    const demoOptions = demo ? { tenant: defaultDemo.tenant, ...readDemoSize({ calls, days, seed }) } : null
    return { name: 'serve', workers, demo: demoOptions, logFormat: readLogFormat(logFormat) }
  }
  if (subject === 'migrate') {
    const { plan = false, check = false, ...rest } = values
    refuseExtraArguments('migrate', [action, ...names].filter(Boolean), rest)
    if (plan && check) throw new UsageError('migrate takes either --plan or --check')
    return { name: 'migrate', mode: plan ? 'plan' : check ? 'check' : 'apply' }
  }
  if (subject === 'demo') {
    const { tenant = defaultDemo.tenant, calls, days, seed, ...rest } = values
    refuseExtraArguments('demo', [action, ...names].filter(Boolean), rest)
    return { name: 'demo', tenant, ...readDemoSize({ calls, days, seed }) }
  }
  const name = `${subject} ${action}`.trim()
  switch (name) {
    case 'tenant create': {
      const [tenant, ...rest] = names
      if (tenant === undefined) throw new UsageError('tenant create needs the NAME of the tenant')
      refuseExtraArguments(name, rest, values)
      return { name, tenant }
    }
    case 'tenant list':
    case 'signing-key list':
    case 'signing-key rotate':
    case 'master-key status':
    case 'master-key rotate':
    case 'master-key replace':
      refuseExtraArguments(name, names, values)
      return { name }
    case 'record accept-restore': {
      const { checkpoint: checkpoints = [], by = null, ...rest } = values
      refuseExtraArguments(name, names, rest)
      return { name, checkpoints, by: readOperator(by) }
    }
    case 'signing-key retire': {
      const [keyId, ...rest] = names
      if (keyId === undefined)
        throw new UsageError('signing-key retire needs the ID; tallystick signing-key list shows them')
      const { compromised: isCompromised = false, by = null, ...others } = values
      refuseExtraArguments(name, rest, others)
      return { name, keyId, isCompromised, by: readOperator(by) }
    }
    case 'key create': {
      const { tenant, role = 'member', name: keyName = 'Made by the operator', ...rest } = values
      refuseExtraArguments(name, names, rest)
      if (tenant === undefined)
        throw new UsageError('key create needs --tenant NAME; tallystick tenant list shows the names')
      return { name, tenant, role: readRole(role), keyName }
    }
    case 'rebuild calls':
    case 'rebuild usage': {
      const { tenant = null, ...rest } = values
      refuseExtraArguments(name, names, rest)
      return { name, tenant }
    }
    case 'record drop': {
      const { tenant, export: file, 'before-seq': seq, 'before-date': date, ...rest } = values
      refuseExtraArguments(name, names, rest)
      if (tenant === undefined) throw new UsageError('record drop needs --tenant NAME')
      if (file === undefined) throw new UsageError('record drop needs --export FILE: where the entries go')
      return { name, tenant, file, limit: readDropLimit(seq, date) }
    }
    default:
      throw new UsageError(`There is no command "${positionals.join(' ')}"`)
  }
}

function readLogFormat(text: string | undefined): LogFormat | null {
  if (text === undefined) return null
  const format = logFormats.find((each) => each === text)
  if (format === undefined) throw new UsageError('--log-format must be pretty or json')
  return format
}

function readDemoSize(texts: Record<keyof Omit<DemoOptions, 'tenant'>, string | undefined>) {
  const read = (name: keyof typeof texts, min: number, max: number): number => {
    const text = texts[name] ?? String(defaultDemo[name])
    const value = Number(text)
    if (/^\d{1,10}$/.test(text) && value >= min && value <= max) return value
    throw new UsageError(`--${name} must be a number from ${min} to ${max}`)
  }
  return {
    // All calls are generated in memory: 250,000 take up to a gigabyte.
    calls: read('calls', 100, 250_000),
    days: read('days', 1, 366),
    seed: read('seed', 0, 2_147_483_647),
  }
}

function readRole(text: string): Role {
  const role = roles.find((each) => each === text)
  if (role === undefined) throw new UsageError('--role must be member, auditor or manager')
  return role
}

/** Reads the name of the operator. It becomes part of records, which cannot be changed later. */
function readOperator(text: string | null): string | null {
  if (text === null || /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(text)) return text
  throw new UsageError('--by must be a name of up to 200 characters')
}

function readDropLimit(seq: string | undefined, date: string | undefined): DropLimit {
  if ((seq === undefined) === (date === undefined))
    throw new UsageError('record drop needs either --before-seq N or --before-date YYYY-MM-DD')
  if (seq !== undefined) {
    const beforeSeq = Number(seq)
    if (/^[1-9][0-9]*$/.test(seq) && Number.isSafeInteger(beforeSeq)) return { beforeSeq }
    throw new UsageError('--before-seq must be the number of an entry')
  }
  const beforeDate = new Date(`${date}T00:00:00.000Z`)
  // `Date` reads a day that does not exist, such as the 31st of June, as the day after.
  if (Number.isNaN(beforeDate.getTime()) || !beforeDate.toISOString().startsWith(`${date}T`))
    throw new UsageError('--before-date must be a day, as YYYY-MM-DD')
  return { beforeDate }
}

function parse(args: string[]): { values: Options; positionals: string[] } {
  try {
    return parseArgs({
      args: escapeThumbprints(args),
      allowPositionals: true,
      options: {
        workers: { type: 'string' },
        'log-format': { type: 'string' },
        demo: { type: 'boolean' },
        plan: { type: 'boolean' },
        check: { type: 'boolean' },
        calls: { type: 'string' },
        days: { type: 'string' },
        seed: { type: 'string' },
        tenant: { type: 'string' },
        role: { type: 'string' },
        name: { type: 'string' },
        export: { type: 'string' },
        'before-seq': { type: 'string' },
        'before-date': { type: 'string' },
        checkpoint: { type: 'string', multiple: true },
        compromised: { type: 'boolean' },
        by: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (error) {
    // The first sentence names the option; the rest is advice for programmers.
    throw new UsageError(
      error instanceof Error ? error.message.split('. ')[0] : 'The arguments cannot be read',
    )
  }
}

function refuseExtraArguments(command: string, names: string[], options: Options): void {
  const rest = [...names, ...Object.keys(options).map((option) => `--${option}`)]
  if (rest.length > 0) throw new UsageError(`${command} does not accept ${rest.join(' ')}`)
}
