import type { ReadVariable } from '../../../config/settings/variables.js'
import type { ConfigDocument } from './documents.js'
import { type Json, pick } from './json.js'
import { type Kind, kinds } from './kinds/index.js'
import type { Names } from './names.js'
import { suggest } from './nearest.js'
import { resolveReferences } from './references.js'
import type { BodySchema, FindSchema } from './schemas.js'

/** A document that was checked. */
export interface Desired {
  document: ConfigDocument
  kind: Kind
  name: string
  schema: BodySchema
  /** The complete create body, with defaults and secrets, and names in place of ids. */
  body: Json
  /** The fields without secrets, as they are compared with the object. */
  fields: Json
  secrets: Map<string, string>
  /** Fields that are read from the environment or a file. Plans do not show them. */
  hiddenFields: ReadonlySet<string>
  /** Why values are missing. A plan does without them. */
  missing: string[]
}

export interface Checked {
  desired: Desired[]
  /** Texts that no output may contain. */
  secretTexts: string[]
}

/** Checks every document before anything is changed. */
export async function checkDocuments(
  documents: readonly ConfigDocument[],
  { findSchema, names, readVariable }: { findSchema: FindSchema; names: Names; readVariable: ReadVariable },
  faults: string[],
): Promise<Checked> {
  const secretTexts: string[] = []
  const desired: Desired[] = []
  for (const document of documents) {
    const kind = kinds.get(document.kind)
    const schema = kind && findSchema(kind.path, kind.extraFields)
    if (!kind || !schema) {
      const known = suggest(document.kind, [...kinds.keys()])
      faults.push(
        `${document.locate(['kind'])}: this version has no kind "${document.kind}"${known || `; it has ${[...kinds.keys()].join(', ')}`}`,
      )
      continue
    }
    const refuse = (path: readonly string[], message: string) =>
      void faults.push(`${document.locate(['spec', ...path])}: ${document.kind} ${document.name}: ${message}`)
    const { spec, values, fields, missing } = resolveReferences(document.spec, document.file, readVariable)
    if ('name' in spec) {
      refuse(['name'], 'the name belongs in metadata.name')
      continue
    }
    const body: Json = { name: document.name, ...spec }
    const found = schema.complete(body)
    for (const { path, message } of found) refuse(path, message)
    if (found.length > 0) continue
    for (const message of kind.check?.(body) ?? []) refuse([], message)
    const secrets = kind.secretsOf?.(body) ?? new Map<string, string>()
    secretTexts.push(...values, ...secrets.values())
    desired.push({
      ...{ document, kind, schema, body, secrets, name: document.name },
      fields: pick(kind.withoutSecrets?.(body) ?? body, schema.fields),
      hiddenFields: fields,
      missing: missing.map(({ path, message }) => `${document.locate(['spec', ...path])}: ${message}`),
    })
  }
  await checkReferences(desired, names, faults)
  const order = [...kinds.keys()]
  desired.sort((a, b) => order.indexOf(a.kind.kind) - order.indexOf(b.kind.kind))
  return { desired, secretTexts }
}

/** A name must be in the files or exist. */
async function checkReferences(desired: readonly Desired[], names: Names, faults: string[]): Promise<void> {
  for (const { kind, body, document } of desired) {
    for (const reference of kind.referencesOf?.(body) ?? []) {
      const inFiles = desired.filter((each) => each.kind.kind === reference.kind).map(({ name }) => name)
      if (inFiles.includes(reference.name)) continue
      const found = await names.named(reference.kind, reference.name)
      if (found.length === 1 || (await names.withId(reference.kind, reference.name))) continue
      const message =
        found.length > 1
          ? `there are ${found.length} objects of kind ${reference.kind} called "${reference.name}"; use the id of one`
          : `there is no ${reference.kind} called "${reference.name}" in the files or the service${suggest(reference.name, inFiles)}`
      faults.push(
        `${document.locate(['spec', ...reference.path])}: ${kind.kind} ${document.name}: ${message}`,
      )
    }
  }
}
