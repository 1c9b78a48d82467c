import { parseArgs } from 'node:util'
import type { DropLimit } from '../../record/index.js'
import { type CommandName, type CommandRow, findCommand } from './command-table/commands.js'
import { type Shell, shells } from './command-table/completion.js'
import { options } from './command-table/options.js'
import { suggestCommand } from './command-table/suggestion.js'
import type { BackupOptions } from './commands/backup.js'
import { type DemoOptions, defaultDemo } from './commands/demo-options.js'
import type { RestoreOptions } from './commands/restore.js'
import { escapeThumbprints } from './escape-thumbprints.js'

export class UsageError extends Error {}

const roles = ['member', 'auditor', 'manager'] as const
export type Role = (typeof roles)[number]

const logFormats = ['pretty', 'json'] as const
type LogFormat = (typeof logFormats)[number]

/** `apply` migrates, `plan` lists pending migrations, `check` reports whether there are any. */
export type MigrateMode = 'apply' | 'plan' | 'check'

export type Command =
  | { name: 'help'; of: string | null }
  | { name: 'init'; isForced: boolean }
  | { name: 'completion'; shell: Shell }
  | { name: 'doctor'; isJson: boolean }
  | { name: 'version' }
  | { name: 'serve'; workers: string | null; demo: DemoOptions | null; logFormat: LogFormat | null }
  | { name: 'migrate'; mode: MigrateMode }
  | ({ name: 'backup' } & BackupOptions)
  | ({ name: 'restore' } & RestoreOptions)
  | { name: 'move-to'; url: string }
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

/** Reads the whole command line before anything starts. Throws for arguments that the command does not accept. */
export function readCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  if (values.help || positionals[0] === 'help') {
    const words = positionals[0] === 'help' ? positionals.slice(1) : positionals
    return { name: 'help', of: words.length === 0 ? null : (findRow(words)?.name ?? null) }
  }
  if (values.version) return { name: 'version' }
  const row = findRow(positionals)
  if (row === undefined)
    throw new UsageError(`There is no command "${positionals.join(' ')}"${suggestCommand(positionals)}`)
  const [operand, ...rest] = positionals.slice(row.name.split(' ').length)
  if (row.operand !== undefined && operand === undefined)
    throw new UsageError(`${row.name} needs the ${row.operand}${hints[row.name] ?? ''}`)
  const names = row.operand === undefined && operand !== undefined ? [operand, ...rest] : rest
  const accepted: readonly string[] = row.options ?? []
  refuseExtraArguments(
    row.name,
    names,
    Object.keys(values).filter((option) => !accepted.includes(option)),
  )
  return readers[row.name as CommandName](values, operand ?? '')
}

const hints: Record<string, string> = {
  'tenant create': ' of the tenant',
  'signing-key retire': '; tallystick signing-key list shows them',
  completion: `: ${shells.join(', ')}`,
}

/** The longest name that the words begin with. Without words, the service is started. */
function findRow(positionals: readonly string[]): CommandRow | undefined {
  const [subject = 'serve', action] = positionals
  const row = findCommand(`${subject} ${action}`) ?? findCommand(subject)
  return row?.isSeparate ? undefined : row
}

/** What each command makes of its options and its argument. */
const readers: { [Name in CommandName]: (options: Options, operand: string) => Command } = {
  serve(options) {
    const { workers = null, demo = false, 'log-format': logFormat, calls, days, seed } = options
    if (!demo) {
      const size = Object.entries({ calls, days, seed }).filter(([, value]) => value !== undefined)
      refuseExtraArguments(
        'serve',
        [],
        size.map(([name]) => name),
      )
    }
    if (workers !== null && !/^([1-9]\d{0,2}|auto)$/.test(workers))
      throw new UsageError('--workers must be a number from 1 to 999, or auto')
    if (demo && workers !== null) throw new UsageError('serve takes either --workers or --demo')
    const demoOptions = demo ? { tenant: defaultDemo.tenant, ...readDemoSize({ calls, days, seed }) } : null
    return { name: 'serve', workers, demo: demoOptions, logFormat: readLogFormat(logFormat) }
  },
  init: ({ force: isForced = false }) => ({ name: 'init', isForced }),
  doctor: ({ json: isJson = false }) => ({ name: 'doctor', isJson }),
  migrate({ plan = false, check = false }) {
    if (plan && check) throw new UsageError('migrate takes either --plan or --check')
    return { name: 'migrate', mode: plan ? 'plan' : check ? 'check' : 'apply' }
  },
  backup: ({ 'without-keys': withoutKeys = false, force: isForced = false }, file) => ({
    ...{ name: 'backup', file, withKeys: !withoutKeys, isForced },
  }),
  restore: ({ 'without-keys': withoutKeys = false, replace: isReplaced = false }, file) => ({
    ...{ name: 'restore', file, withKeys: !withoutKeys, isReplaced },
  }),
  'move-to'(_, url) {
    // The value is not shown, because it contains a password.
    if (!URL.canParse(url) || !['postgres:', 'postgresql:'].includes(new URL(url).protocol))
      throw new UsageError('move-to needs a URL that starts with postgres://')
    return { name: 'move-to', url }
  },
  demo: ({ tenant = defaultDemo.tenant, calls, days, seed }) => ({
    ...{ name: 'demo', tenant },
    ...readDemoSize({ calls, days, seed }),
  }),
  completion(_, operand) {
    const shell = shells.find((each) => each === operand)
    if (shell === undefined) throw new UsageError(`completion needs the SHELL: ${shells.join(', ')}`)
    return { name: 'completion', shell }
  },
  'tenant create': (_, tenant) => ({ name: 'tenant create', tenant }),
  'tenant list': () => ({ name: 'tenant list' }),
  'key create'({ tenant, role = 'member', name: keyName = 'Made by the operator' }) {
    if (tenant === undefined)
      throw new UsageError('key create needs --tenant NAME; tallystick tenant list shows the names')
    return { name: 'key create', tenant, role: readRole(role), keyName }
  },
  'record drop'({ tenant, export: file, 'before-seq': seq, 'before-date': date }) {
    if (tenant === undefined) throw new UsageError('record drop needs --tenant NAME')
    if (file === undefined) throw new UsageError('record drop needs --export FILE: where the entries go')
    return { name: 'record drop', tenant, file, limit: readDropLimit(seq, date) }
  },
  'record accept-restore': ({ checkpoint: checkpoints = [], by = null }) => ({
    ...{ name: 'record accept-restore', checkpoints, by: readOperator(by) },
  }),
  'rebuild calls': ({ tenant = null }) => ({ name: 'rebuild calls', tenant }),
  'rebuild usage': ({ tenant = null }) => ({ name: 'rebuild usage', tenant }),
  'signing-key list': () => ({ name: 'signing-key list' }),
  'signing-key rotate': () => ({ name: 'signing-key rotate' }),
  'signing-key retire': ({ compromised: isCompromised = false, by = null }, keyId) => ({
    ...{ name: 'signing-key retire', keyId, isCompromised, by: readOperator(by) },
  }),
  'master-key status': () => ({ name: 'master-key status' }),
  'master-key rotate': () => ({ name: 'master-key rotate' }),
  'master-key replace': () => ({ name: 'master-key replace' }),
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

type Options = ReturnType<typeof parse>['values']

function parse(args: string[]) {
  try {
    return parseArgs({ args: escapeThumbprints(args), allowPositionals: true, options })
  } catch (error) {
    // The first sentence names the option; the rest is advice for programmers.
    throw new UsageError(
      error instanceof Error ? error.message.split('. ')[0] : 'The arguments cannot be read',
    )
  }
}

function refuseExtraArguments(
  command: string,
  names: readonly string[],
  options: readonly string[] = [],
): void {
  const rest = [...names, ...options.map((option) => `--${option}`)]
  if (rest.length > 0) throw new UsageError(`${command} does not accept ${rest.join(' ')}`)
}
