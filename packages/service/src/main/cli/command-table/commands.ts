import type { CommandNeed } from '../../../config/index.js'
import type { OptionName } from './options.js'

export interface CommandRow {
  group: string
  name: string
  /** What stands for the argument in the help, such as NAME. */
  operand?: string
  options?: readonly OptionName[]
  summary: string
  /** The secrets and files that it needs besides the database; all settings when left out. */
  needs?: readonly CommandNeed[]
  /** The command reads its own arguments, and has its own help. */
  isSeparate?: true
}

/** Signing needs the key, and the marks of how far records were sealed, which are in Redis and beside anchors too. */
const sealing = ['REDIS_URL', 'TALLYSTICK_CONFIG', 'TALLYSTICK_SIGNING_KEY'] as const

/** What a backup has besides the database. */
const backedUp = ['TALLYSTICK_BACKUP_PASSPHRASE', 'TALLYSTICK_MASTER_KEY', 'TALLYSTICK_SIGNING_KEY'] as const

const operate = 'Set up and run'
const access = 'Tenants and keys'
const files = 'Configuration as code'
const record = 'Record'
const keys = 'Signing and encryption'

/** The table of commands: parsing, help and completion are derived from it. */
const commands = [
  {
    group: operate,
    name: 'serve',
    options: ['workers', 'log-format', 'demo', 'calls', 'days', 'seed'],
    summary: 'run the service; the default command',
  },
  {
    group: operate,
    name: 'init',
    options: ['force'],
    summary: 'write a commented tallystick.yaml to this folder',
  },
  {
    group: operate,
    name: 'doctor',
    options: ['json'],
    summary: 'check database, Redis, clock, disk, keys, providers; say what to do',
  },
  {
    group: operate,
    name: 'migrate',
    needs: [],
    options: ['plan', 'check'],
    summary: 'update the database schema; processes may keep serving',
  },
  {
    group: operate,
    name: 'backup',
    needs: backedUp,
    operand: 'FILE',
    options: ['without-keys', 'force'],
    summary: 'write the database and the keys to a file; the service keeps running',
  },
  {
    group: operate,
    name: 'restore',
    // The marks of how far records were sealed are compared afterwards.
    needs: [...backedUp, 'REDIS_URL', 'TALLYSTICK_CONFIG'],
    operand: 'FILE',
    options: ['without-keys', 'replace'],
    summary: 'fill an empty database, and a data directory without keys, from a backup',
  },
  {
    group: operate,
    name: 'move-to',
    needs: [],
    operand: 'DATABASE_URL',
    summary: 'copy the database to an empty one, while the service is stopped',
  },
  {
    group: operate,
    name: 'healthcheck',
    isSeparate: true,
    summary: 'exit with 0 when the service that has this environment is ready',
  },
  {
    group: operate,
    name: 'demo',
    // It prints the address of the service, and leaves out providers that the configuration names.
    needs: [
      'TALLYSTICK_CONFIG',
      'TALLYSTICK_MASTER_KEY',
      'TALLYSTICK_SIGNING_KEY',
      'TALLYSTICK_TLS_CERTIFICATE',
      'TALLYSTICK_TLS_KEY',
    ],
    options: ['tenant', 'calls', 'days', 'seed'],
    summary: 'create a tenant with generated users, calls and spend; prints its manager key',
  },
  {
    group: operate,
    name: 'completion',
    operand: 'SHELL',
    summary: 'print the completion script of bash, zsh or fish',
  },
  {
    group: access,
    name: 'tenant create',
    needs: [],
    operand: 'NAME',
    summary: 'create a tenant; prints its first manager key',
  },
  { group: access, name: 'tenant list', needs: [], summary: 'list the tenants' },
  {
    group: access,
    name: 'key create',
    needs: [],
    options: ['tenant', 'role', 'name'],
    summary: 'create a key, for example after a lock-out',
  },
  {
    group: files,
    name: 'apply',
    isSeparate: true,
    summary: 'make a service as files describe it; --plan only shows the changes',
  },
  {
    group: files,
    name: 'export-config',
    isSeparate: true,
    summary: 'write the objects of a service as files for apply',
  },
  {
    group: files,
    name: 'import litellm',
    operand: 'FILE',
    isSeparate: true,
    summary: 'convert a configuration of LiteLLM to files for apply',
  },
  {
    group: record,
    name: 'verify',
    operand: 'FILE…',
    isSeparate: true,
    summary: 'check an export, a receipt or an attestation offline',
  },
  {
    group: record,
    name: 'record drop',
    needs: sealing,
    options: ['tenant', 'export', 'before-seq', 'before-date'],
    summary: 'export the oldest part of a record, verify the file, then delete that part',
  },
  {
    group: record,
    name: 'record accept-restore',
    needs: sealing,
    options: ['checkpoint', 'by'],
    summary: 'continue records after the database was restored to an earlier state',
  },
  {
    group: record,
    name: 'rebuild calls',
    needs: ['TALLYSTICK_CONFIG'],
    options: ['tenant'],
    summary: 'rebuild the searchable calls from the record; the service keeps running',
  },
  {
    group: record,
    name: 'rebuild usage',
    needs: [],
    options: ['tenant'],
    summary: 'recount the hourly usage from the stored receipts',
  },
  {
    group: keys,
    name: 'signing-key list',
    needs: [],
    summary: 'list the keys that sign the record, and their states',
  },
  {
    group: keys,
    name: 'signing-key rotate',
    needs: sealing,
    summary: 'create a new signing key and retire the current one',
  },
  {
    group: keys,
    name: 'signing-key retire',
    needs: sealing,
    operand: 'ID',
    options: ['compromised', 'by'],
    summary: 'retire a key that was lost, or replaced in the configuration',
  },
  {
    group: keys,
    name: 'master-key status',
    needs: ['TALLYSTICK_MASTER_KEY'],
    summary: 'list the keys that encrypt stored secrets, and their states',
  },
  {
    group: keys,
    name: 'master-key rotate',
    needs: ['TALLYSTICK_MASTER_KEY'],
    summary: 'encrypt all data keys under a new master key; the service keeps running',
  },
  {
    group: keys,
    name: 'master-key replace',
    needs: ['TALLYSTICK_MASTER_KEY'],
    summary: 'continue with a new master key after the old one was lost',
  },
] as const satisfies readonly CommandRow[]

/** The rows as their common type. */
export const commandRows: readonly CommandRow[] = commands

type Row = (typeof commands)[number]
/** Names of the commands that `readCommand` reads. */
export type CommandName = Exclude<Row, { isSeparate: true }>['name']

export const findCommand = (name: string): CommandRow | undefined =>
  commandRows.find((row) => row.name === name)

/** The words that may follow these words of a command. */
export const nextWords = (words: readonly string[]): string[] => [
  ...new Set(
    commandRows
      .map(({ name }) => name.split(' '))
      .filter((name) => words.every((word, i) => name[i] === word))
      .flatMap((name) => name[words.length] ?? []),
  ),
]
