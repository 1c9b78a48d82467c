import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { errorCode } from '../../../../shared/error-code.js'
import { apiVersion } from '../documents.js'
import { renderDocuments, writeFiles } from '../export-config.js'
import { CommandFailure } from '../failure.js'
import { isObject, type Json } from '../json.js'
import type { Output } from '../output.js'
import type { Conversion } from './conversion.js'
import { convertGuardrails } from './guardrails.js'
import { convertModels } from './models.js'
import { convertPeople } from './people.js'
import { convertServers } from './servers.js'

const converted = [
  'model_list',
  'router_settings',
  'litellm_settings',
  'general_settings',
  'guardrails',
  'mcp_servers',
  'teams',
  'keys',
]

/** Runs `tallystick import litellm`. It needs no service: it only writes files for `apply`. */
export function importLitellm({ file, out }: { file: string; out: string | null }, output: Output): 0 {
  const config = readConfig(file)
  const documents: Json[] = []
  const reports: string[] = []
  const conversion: Conversion = {
    add: (kind, name, spec) => void documents.push({ apiVersion, kind, metadata: { name }, spec }),
    report: (path, reason) => void reports.push(`  ${path}: ${reason}`),
  }
  convertModels(config, conversion)
  convertPeople(config, conversion)
  convertGuardrails(config, conversion)
  convertServers(config, conversion)
  for (const name of Object.keys(config))
    if (!converted.includes(name)) conversion.report(name, 'is not known to this import')
  if (out === null) output.print(renderDocuments(documents).trimEnd())
  else writeFiles(out, new Map([['litellm.yaml', renderDocuments(documents)]]))
  output.warn(`Converted to ${documents.length} documents.`)
  if (reports.length > 0) output.warn(['Not converted, or different:', ...reports].join('\n'))
  return 0
}

function readConfig(file: string): Json {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandFailure([`${file}: cannot be read (${errorCode(error)})`])
  }
  const document = parseDocument(text)
  const [fault] = document.errors
  // The parser quotes the text that it could not parse, which may be a secret.
  if (fault) throw new CommandFailure([`${file}: not valid YAML (${fault.code.toLowerCase()})`])
  const config: unknown = document.toJS()
  if (!isObject(config)) throw new CommandFailure([`${file}: is not a configuration of LiteLLM`])
  return config
}
