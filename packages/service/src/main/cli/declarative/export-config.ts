import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { errorCode } from '../../../shared/error-code.js'
import { apiVersion } from './documents.js'
import { CommandFailure } from './failure.js'
import { isEqual, isObject, type Json, stringOf } from './json.js'
import { isReadOnly, type Kind, kinds } from './kinds/index.js'
import { observe } from './plan.js'
import { escapeReferences } from './references.js'
import type { Session } from './session.js'

/** Runs `tallystick export-config`: writes documents that `apply` accepts. Secrets become references to variables. */
export async function exportConfig({ out }: { out: string | null }, session: Session): Promise<0> {
  const { output } = session
  const variables: string[] = []
  const files = new Map<string, string>()
  for (const kind of kinds.values()) {
    const documents = await exportKind(kind, session, variables)
    if (documents.length > 0) files.set(`${fileNameOf(kind)}.yaml`, renderDocuments(documents))
  }
  if (out === null) output.print([...files.values()].join('---\n').trimEnd())
  else writeFiles(out, files)
  if (variables.length > 0) output.warn(`Set these before you apply the files: ${variables.join(', ')}`)
  return 0
}

export const renderDocuments = (documents: readonly Json[]): string =>
  documents.map((document) => stringify(document, { lineWidth: 0 })).join('---\n')

export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of files) writeFileSync(join(folder, name), text)
  } catch (error) {
    throw new CommandFailure([`${folder} cannot be written (${errorCode(error)})`])
  }
}

/** `webhook-endpoints.yaml`. */
const fileNameOf = ({ path }: Kind): string => path.split('/').at(-1) ?? path

async function exportKind(kind: Kind, session: Session, variables: string[]): Promise<Json[]> {
  const { names, findSchema, keyId, output } = session
  const schema = findSchema(kind.path, kind.extraFields)
  if (!schema) return []
  const all = (await names.all(kind.kind)).filter((record) => !isReadOnly(record) && record.id !== keyId)
  const counts = new Map<string, number>()
  for (const { name } of all) counts.set(stringOf(name), (counts.get(stringOf(name)) ?? 0) + 1)
  for (const [name, count] of counts)
    if (count > 1)
      output.warn(`${count} objects of kind ${kind.kind} are called "${name}" and were left out; rename them`)
  const documents: Json[] = []
  for (const record of all.filter(({ name }) => counts.get(stringOf(name)) === 1)) {
    const name = stringOf(record.name)
    const observed = await observe(kind, record, session, schema.fields)
    for (const what of kind.leftOut?.(record, observed) ?? [])
      output.warn(`${kind.kind} ${name}: ${what}, was left out`)
    const placeholder = (path: string) => {
      const variable = `${kind.kind}_${name}_${path}`.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()
      variables.push(variable)
      return `\${env:${variable}}`
    }
    const spec = Object.fromEntries(
      Object.entries(observed).filter(([field, value]) => !isEqual(value, schema.defaultOf(field))),
    )
    const escaped = escapeReferences(spec)
    const plain = isObject(escaped) ? escaped : {}
    documents.push({
      ...{ apiVersion, kind: kind.kind, metadata: { name } },
      spec: kind.withPlaceholders?.(plain, placeholder) ?? plain,
    })
  }
  return documents.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

const nameOf = ({ metadata }: Json): string => (isObject(metadata) ? stringOf(metadata.name) : '')
