import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { parseDocument } from 'yaml'
import { errorCode } from '../../shared/error-code.js'
import { findPriceFaults } from '../../shared/price-schema.js'
import { type McpServerConfig, readMcpServers } from '../settings/providers/mcp-servers.js'
import { isReference, type References } from '../settings/secrets/references.js'
import { describeFileFaults } from './file-faults.js'
import {
  type AnchorFileConfig,
  AnchorSchema,
  type ModelConfig,
  ModelSchema,
  type OidcFileConfig,
  OidcSchema,
  OutlineSchema,
  type ProviderFileConfig,
  ProviderSchema,
  RetentionDays,
} from './schema.js'

interface FileSource {
  path: string | null
  cwd: string
  /** Returns what `${NAME}` in the file stands for. Null when it is not set. */
  readVariable: (name: string) => string | null
  references: Pick<References, 'resolve'>
  /** False for a command that needs none of the sections with secrets: they are left out, and may refer to what is not there. */
  withSecrets: boolean
}

/** The valid content of the file. Invalid entries are left out, so that their faults do not hide those of other entries. */
export interface FileContent {
  /** The names of all providers in the file, including invalid ones. */
  providerNames: string[]
  providers: Record<string, ProviderFileConfig>
  models: Record<string, ModelConfig>
  pricesFile?: string
  packsDir?: string
  callsRetentionDays?: number
  anchor?: AnchorFileConfig
  oidc?: OidcFileConfig
  mcpServers: McpServerConfig[]
}

export const emptyFile: FileContent = { providerNames: [], providers: {}, models: {}, mcpServers: [] }

/** Reads `tallystick.yaml`. A file that is named in the environment must exist. The default file may be missing. */
export function readConfigFile(
  { path, cwd, withSecrets, ...values }: FileSource,
  faults: string[],
): FileContent {
  const file = resolve(cwd, path ?? 'tallystick.yaml')
  const text = readText(file, path !== null, faults)
  const tree = text === null ? null : parseYaml(text, file, faults)
  if (tree === null) return emptyFile
  const content = substitute(withSecrets ? tree : withoutSections(tree), values, { file, faults })
  faults.push(...describeFileFaults(Value.Errors(OutlineSchema, content)).map((fault) => `${file}: ${fault}`))
  const { providers, models, pricesFile, packsDir, anchor, oidc, callsRetentionDays, mcpServers } = isObject(
    content,
  )
    ? content
    : {}
  const wellFormed: FileContent = {
    providerNames: isObject(tree) && isObject(tree.providers) ? Object.keys(tree.providers) : [],
    providers: resolveCredentialPaths(
      readEntries(ProviderSchema, providers, `${file}: providers`, faults),
      file,
    ),
    mcpServers: readMcpServers(mcpServers, file, faults),
    models: readEntries(ModelSchema, models, `${file}: models`, faults),
    ...(typeof pricesFile === 'string' && { pricesFile: resolve(dirname(file), pricesFile) }),
    ...(typeof packsDir === 'string' && { packsDir: resolve(dirname(file), packsDir) }),
    ...(Value.Check(RetentionDays, callsRetentionDays) && { callsRetentionDays }),
    ...(Value.Check(AnchorSchema, anchor) && { anchor: resolveAnchorPath(anchor, file) }),
    ...(Value.Check(OidcSchema, oidc) && { oidc }),
  }
  checkPrices(wellFormed.models, file, faults)
  return wellFormed
}

/** Resolves the path of an anchor, which is relative to the configuration file. */
const resolveAnchorPath = (anchor: AnchorFileConfig, file: string): AnchorFileConfig =>
  anchor.path === undefined ? anchor : { ...anchor, path: resolve(dirname(file), anchor.path) }

/** Resolves the paths of credential files, which are relative to the configuration file. */
function resolveCredentialPaths(
  providers: Record<string, ProviderFileConfig>,
  configFile: string,
): Record<string, ProviderFileConfig> {
  const resolvePath = (path: string) => resolve(dirname(configFile), path)
  return Object.fromEntries(
    Object.entries(providers).map(([name, { credentials, ...provider }]) => [
      name,
      credentials === undefined
        ? provider
        : {
            ...provider,
            credentials: credentials.map(({ file, ...rest }) =>
              file === undefined ? rest : { ...rest, file: resolvePath(file) },
            ),
          },
    ]),
  )
}

function readText(file: string, mustExist: boolean, faults: string[]): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOENT') faults.push(`${file}: cannot be read (${code})`)
    else if (mustExist) faults.push(`TALLYSTICK_CONFIG: there is no file ${file}`)
    return null
  }
}

function parseYaml(text: string, file: string, faults: string[]): unknown {
  const document = parseDocument(text, { merge: false })
  // The parser quotes the text that it could not parse, which may be a secret.
  const messages = document.errors.map(({ message }) =>
    message
      .split('\n')[0]
      ?.replace(/: ".*"(?= at line)/, '')
      .replace(/:$/, ''),
  )
  faults.push(...messages.map((message) => `${file}: not valid YAML: ${message}`))
  if (messages.length > 0) return null
  try {
    return document.toJS() ?? {}
  } catch {
    faults.push(`${file}: not valid YAML: an alias leads nowhere, or there are too many of them`)
    return null
  }
}

const sectionsWithSecrets = ['providers', 'models', 'mcpServers', 'oidc']

const withoutSections = (tree: unknown): unknown =>
  isObject(tree)
    ? Object.fromEntries(Object.entries(tree).filter(([name]) => !sectionsWithSecrets.includes(name)))
    : tree

/** The fields that may be references. In others, such as URIs of resources, the same text has another meaning. */
const secretFields = [
  /^providers\.[^.]+\.(apiKey|headers\..+|credentials\.\d+\.value)$/,
  /^mcpServers\.\d+\.(headers\..+|env\..+|auth\.clientSecret)$/,
  /^oidc\.clientSecret$/,
]

/**
 * Replaces `${NAME}` in values by the environment variable, and references by what they refer to, so that secrets need not be in the
 * file. What a variable contains is not read as a reference a second time.
 */
function substitute(
  value: unknown,
  values: Pick<FileSource, 'readVariable' | 'references'>,
  report: { file: string; faults: string[] },
  path = '',
): unknown {
  const { file, faults } = report
  if (typeof value === 'string') {
    const text = value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (placeholder, name: string) => {
      const found = values.readVariable(name)
      if (found === null) faults.push(`${file}: \${${name}} is used, but the variable ${name} is not set`)
      return found ?? placeholder
    })
    if (!isReference(value) || !secretFields.some((field) => field.test(path))) return text
    return values.references.resolve(`${file}: ${path}`, text) ?? ''
  }
  const inside = (name: string | number) => (path ? `${path}.${name}` : `${name}`)
  if (Array.isArray(value)) return value.map((item, index) => substitute(item, values, report, inside(index)))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, substitute(item, values, report, inside(name))]),
  )
}

function readEntries<T extends TSchema>(
  schema: T,
  entries: unknown,
  path: string,
  faults: string[],
): Record<string, Static<T>> {
  const valid: Record<string, Static<T>> = {}
  for (const [name, entry] of Object.entries(isObject(entries) ? entries : {})) {
    if (Value.Check(schema, entry)) valid[name] = entry
    else
      faults.push(...describeFileFaults(Value.Errors(schema, entry), name).map((fault) => `${path}.${fault}`))
  }
  return valid
}

function checkPrices(models: Record<string, ModelConfig>, file: string, faults: string[]): void {
  for (const [name, { price }] of Object.entries(models)) {
    if (price === undefined || price === 'free') continue
    for (const { path, message } of findPriceFaults(price))
      faults.push(`${file}: models.${name}.price.${path}: ${message}`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
