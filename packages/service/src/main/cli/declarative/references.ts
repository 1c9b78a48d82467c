import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ReadVariable } from '../../../config/settings/variables.js'
import { errorCode } from '../../../shared/error-code.js'
import { isObject, type Json } from './json.js'

/** A spec whose references are replaced by what they stand for. */
export interface ResolvedSpec {
  spec: Json
  /** What was read, so that no output shows it. */
  values: string[]
  /** The fields of the spec that have a reference somewhere in them. */
  fields: Set<string>
  /** References that stand for nothing here. Their text stays in the spec. */
  missing: { path: string[]; message: string }[]
}

const variable = /\$?\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Doubles the dollar of texts that look like references, so that they stay as they are. */
export function escapeReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(variable, (text) => `$${text}`)
  if (Array.isArray(value)) return value.map(escapeReferences)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, escapeReferences(item)]))
}

/**
 * Replaces `${env:NAME}`, `{ fromEnv: NAME }` and `{ fromFile: path }`, so that secrets need not be in the files. As for the settings of
 * the service, `NAME_FILE` may name a file with the value. Paths are relative to the file with the document.
 */
export function resolveReferences(spec: Json, file: string, readVariable: ReadVariable): ResolvedSpec {
  const found: Omit<ResolvedSpec, 'spec'> = { values: [], fields: new Set(), missing: [] }

  function take(path: string[], value: string | null, message: string, text: string): string {
    if (path[0] !== undefined) found.fields.add(path[0])
    if (value === null) found.missing.push({ path, message })
    else found.values.push(value)
    return value ?? text
  }
  const fromEnv = (path: string[], name: string, text: string) =>
    take(path, readVariable(name), `the variable ${name} is not set`, text)

  function fromFile(path: string[], name: string): string {
    try {
      const value = readFileSync(resolve(dirname(file), name), 'utf8').trim()
      return take(path, value === '' ? null : value, `the file ${name} is empty`, '')
    } catch (error) {
      return take(path, null, `the file ${name} cannot be read (${errorCode(error)})`, '')
    }
  }

  function visit(value: unknown, path: string[]): unknown {
    if (typeof value === 'string')
      return value.replaceAll(variable, (text, name: string) =>
        text.startsWith('$$') ? text.slice(1) : fromEnv(path, name, text),
      )
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, String(index)]))
    if (!isObject(value)) return value
    const entries = Object.entries(value)
    const [[field, argument] = ['', null]] = entries
    if (entries.length === 1 && typeof argument === 'string') {
      if (field === 'fromEnv') return fromEnv(path, argument, `\${env:${argument}}`)
      if (field === 'fromFile') return fromFile(path, argument)
    }
    return Object.fromEntries(entries.map(([name, item]) => [name, visit(item, [...path, name])]))
  }

  const resolved = visit(spec, [])
  return { spec: isObject(resolved) ? resolved : {}, ...found }
}
