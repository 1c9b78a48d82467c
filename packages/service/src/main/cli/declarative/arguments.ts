import { parseArgs } from 'node:util'
import type { ApplyOptions } from './apply.js'
import { CommandFailure } from './failure.js'
import type { ServiceOptions } from './session.js'

export type DeclarativeCommand =
  | { name: 'help' }
  | { name: 'apply'; service: ServiceOptions; options: ApplyOptions }
  | { name: 'export-config'; service: ServiceOptions; out: string | null }
  | { name: 'import litellm'; file: string; out: string | null }

export const usage = `Usage:
  tallystick apply -f PATH… [--plan] [--prune]   make the service as the files describe it; --plan only shows the changes
                   [--set NAME]                  the set of files that owns what it creates; default: default
                   [--adopt]                     take over objects that exist, or that another set owns
                   [--overwrite-drift]           set back what was changed by hand
                   [--keys-out FILE]             write the values of new keys to a file instead of printing them
                   [--json]                      print the plan for programs
  tallystick export-config [--out FOLDER]        write the objects of the service as files for apply
  tallystick import litellm FILE [--out FOLDER]  convert a configuration of LiteLLM to files for apply, and report the rest
Exit codes of apply --plan: 0 nothing to do, 2 changes, 1 refused or failed.

  --url URL        the service; default: TALLYSTICK_URL, or this machine
  --key-file FILE  a file with a manager key; default: TALLYSTICK_API_KEY`

const serviceOptions = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const setPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Reads the arguments of the commands about configuration as code. */
export function readDeclarativeCommand([command, ...args]: readonly string[]): DeclarativeCommand {
  try {
    if (command === 'apply') return readApply(args)
    if (command === 'export-config') return readExport(args)
    if (command === 'import') return readImport(args)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure([error instanceof Error ? error.message : String(error), usage])
  }
  return { name: 'help' }
}

function readApply(args: readonly string[]): DeclarativeCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...serviceOptions,
      file: { type: 'string', short: 'f', multiple: true },
      plan: { type: 'boolean', default: false },
      prune: { type: 'boolean', default: false },
      adopt: { type: 'boolean', default: false },
      'overwrite-drift': { type: 'boolean', default: false },
      set: { type: 'string', default: 'default' },
      json: { type: 'boolean', default: false },
      'keys-out': { type: 'string' },
    },
  })
  if (values.help) return { name: 'help' }
  if (!values.file) throw new CommandFailure(['apply needs -f PATH, a file or folder', usage])
  if (!setPattern.test(values.set))
    throw new CommandFailure(['--set must be 1 to 64 letters, digits, dots, dashes or underscores'])
  return {
    name: 'apply',
    service: readService(values),
    options: {
      files: values.file,
      ...{ plan: values.plan, prune: values.prune, adopt: values.adopt, set: values.set, json: values.json },
      overwriteDrift: values['overwrite-drift'],
      keysOut: values['keys-out'] ?? null,
    },
  }
}

function readExport(args: readonly string[]): DeclarativeCommand {
  const { values } = parseArgs({ args: [...args], options: { ...serviceOptions, out: { type: 'string' } } })
  if (values.help) return { name: 'help' }
  return { name: 'export-config', service: readService(values), out: values.out ?? null }
}

function readImport(args: readonly string[]): DeclarativeCommand {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: serviceOptions.help, out: { type: 'string' } },
  })
  if (values.help) return { name: 'help' }
  const [format, file, ...others] = positionals
  if (format !== 'litellm' || file === undefined || others.length > 0)
    throw new CommandFailure([
      'import needs the format and a file: tallystick import litellm config.yaml',
      usage,
    ])
  return { name: 'import litellm', file, out: values.out ?? null }
}

const readService = (values: { url?: string; 'key-file'?: string }): ServiceOptions => ({
  url: values.url ?? null,
  keyFile: values['key-file'] ?? null,
})
