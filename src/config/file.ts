import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Value } from 'typebox/value'
import { parseDocument } from 'yaml'
import { type ConfigFile, ConfigFileSchema, type ModelConfig } from './schema.js'

interface FileSource {
  path: string | null
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

/** Reads `tallystick.yaml`. A file that was named must be there; the default one may be absent. */
export function readConfigFile({ path, cwd, env }: FileSource, faults: string[]): ConfigFile {
  const file = resolve(cwd, path ?? 'tallystick.yaml')
  if (!existsSync(file)) {
    if (path !== null) faults.push(`TALLYSTICK_CONFIG: there is no file ${file}`)
    return {}
  }
  const document = parseDocument(readFileSync(file, 'utf8'), { merge: false })
  if (document.errors.length > 0) {
    faults.push(...document.errors.map((error) => `${file}: ${error.message.split('\n')[0]}`))
    return {}
  }
  const before = faults.length
  const content = substitute(document.toJS() ?? {}, env, file, faults)
  if (!Value.Check(ConfigFileSchema, content)) {
    for (const error of Value.Errors(ConfigFileSchema, content)) {
      const place = error.instancePath.replace(/^\//, '').replaceAll('/', '.') || 'the file'
      const names = 'additionalProperties' in error.params ? ` (${error.params.additionalProperties})` : ''
      faults.push(`${file}: ${place}: ${error.message}${names}`)
    }
    return {}
  }
  checkPrices(content.models ?? {}, file, faults)
  return faults.length > before ? {} : content
}

/** `${NAME}` in a value stands for the environment variable, so that secrets stay out of the file. */
function substitute(
  value: unknown, env: FileSource['env'], file: string, faults: string[],
): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const found = env[name]
      if (found === undefined) faults.push(`${file}: \${${name}} is used, but the variable ${name} is not set`)
      return found ?? ''
    })
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, env, file, faults))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, substitute(item, env, file, faults)]),
    )
  }
  return value
}

/** Prices are kept in whole millionths of a micro-dollar per token; a finer figure would be rounded silently. */
function checkPrices(models: Record<string, ModelConfig>, file: string, faults: string[]): void {
  for (const [name, model] of Object.entries(models)) {
    if (model.price === undefined || model.price === 'free') continue
    for (const [field, usd] of Object.entries(model.price)) {
      if (Math.abs(usd * 1e6 - Math.round(usd * 1e6)) > 1e-6) {
        faults.push(`${file}: models.${name}.price.${field}: at most 6 decimal places, not ${usd}`)
      }
    }
  }
}
