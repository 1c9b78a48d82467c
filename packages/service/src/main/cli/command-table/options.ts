export interface OptionRow {
  type: 'string' | 'boolean'
  /** What stands for the value in the help, such as NAME. */
  value?: string
  /** All values that are accepted, where they can be listed. */
  values?: readonly string[]
  /** The value is the path of a file. */
  isFile?: boolean
  /** May be given several times. */
  multiple?: boolean
  short?: string
  summary: string
}

/** The options of all commands, but for those of `verify` and `apply`, which read their own. An option means the same everywhere. */
export const options = {
  workers: { type: 'string', value: 'N|auto', summary: 'number of processes; auto: by the processors' },
  'log-format': {
    type: 'string',
    value: 'pretty|json',
    values: ['pretty', 'json'],
    summary: 'log format; default: pretty at a terminal, json elsewhere',
  },
  demo: { type: 'boolean', summary: 'a local trial; an empty database gets the demo tenant' },
  plan: { type: 'boolean', summary: 'list what would be done, and what it would wait for' },
  check: { type: 'boolean', summary: 'exit with 0: up to date, 3: migrations to apply, 1: no answer' },
  calls: { type: 'string', value: 'N', summary: 'number of generated calls' },
  days: { type: 'string', value: 'N', summary: 'number of days that they are spread over' },
  seed: { type: 'string', value: 'N', summary: 'other random choices' },
  tenant: { type: 'string', value: 'NAME', summary: 'name of the tenant' },
  role: {
    type: 'string',
    value: 'ROLE',
    values: ['member', 'auditor', 'manager'],
    summary: 'member (default), auditor or manager',
  },
  name: { type: 'string', value: 'TEXT', summary: 'name of the key' },
  export: { type: 'string', value: 'FILE', isFile: true, summary: 'where the entries are written to' },
  'before-seq': { type: 'string', value: 'N', summary: 'number of the first entry that stays' },
  'before-date': { type: 'string', value: 'YYYY-MM-DD', summary: 'day of the first entry that stays' },
  checkpoint: {
    type: 'string',
    value: 'FILE',
    isFile: true,
    multiple: true,
    summary: 'a signed checkpoint that was kept elsewhere',
  },
  compromised: { type: 'boolean', summary: 'record that others may have the key' },
  by: { type: 'string', value: 'NAME', summary: 'who decided it, for the record' },
  'without-keys': {
    type: 'boolean',
    summary: 'only the database, without the signing key and the master key',
  },
  replace: { type: 'boolean', summary: 'delete what the database contains; services may be running' },
  force: { type: 'boolean', summary: 'replace a file that exists' },
  json: { type: 'boolean', summary: 'print the result as JSON' },
  help: { type: 'boolean', short: 'h', summary: 'print this text' },
  version: { type: 'boolean', short: 'v', summary: 'print the version' },
} as const satisfies Record<string, OptionRow>

export type OptionName = keyof typeof options

/** The rows of the table as their common type. */
export const optionRow = (name: OptionName): OptionRow => options[name]
