import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { canonicalize } from '../../record/index.js'

const closed = { additionalProperties: false }
const Words = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, description })
const Sentences = (description: string) =>
  Type.Array(Words('A statement in one sentence'), { minItems: 1, description })

const Control = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The number of the control in the framework',
    }),
    title: Words('The title of the control'),
    requirement: Words('What the control requires, in plain words'),
    shows: Sentences('What the record can show about the control'),
    doesNotShow: Sentences('What the record cannot show about the control'),
    checks: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }), {
      description: 'The checks whose coverage is evidence for the control',
    }),
    fields: Type.Array(Type.String({ pattern: '^[a-zA-Z]{1,64}$' }), {
      description: 'The fields of a receipt that are evidence for the control',
    }),
  },
  { ...closed, title: 'PackControl' },
)

/**
 * The content of a pack file. `packages/service/packs/pack.schema.json` describes the same for editors and authors.
 */
export const PackFile = Type.Object(
  {
    framework: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
      description: 'The identifier of the pack',
    }),
    version: Type.String({
      pattern: '^[0-9]{1,4}[.][0-9]{1,4}([.][0-9]{1,4})?$',
      description: 'The version of the pack. Every change of its file is a new version',
    }),
    title: Words('The name of the framework'),
    reference: Words('Where the framework is published'),
    summary: Words('A summary of the pack'),
    limits: Sentences('What the record of this service cannot show'),
    controls: Type.Array(Control, {
      minItems: 1,
      description: 'The controls of the framework for which the record has evidence',
    }),
  },
  closed,
)

export type PackContent = Static<typeof PackFile>

export interface Pack {
  content: PackContent
  source: 'builtin' | 'custom'
  /** RFC 8785 text of the content, and its SHA-256 in hex. */
  canonical: string
  hash: string
}

/** The packs that can be activated, by framework. */
export type PackCatalogue = ReadonlyMap<string, Pack>

const builtinFolder = fileURLToPath(new URL('../../../packs/', import.meta.url))

/**
 * Loads the packs that ship with the program and those in the operator's folder. Reports every fault, not only the
 * first.
 */
export function loadPacks(customFolder: string | null): { packs: PackCatalogue; faults: string[] } {
  const packs = new Map<string, Pack>()
  const faults: string[] = []
  readFolder(builtinFolder, 'builtin', packs, faults)
  if (customFolder !== null) readFolder(customFolder, 'custom', packs, faults)
  return { packs, faults }
}

function readFolder(
  folder: string,
  source: Pack['source'],
  packs: Map<string, Pack>,
  faults: string[],
): void {
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.json') || name.endsWith('.schema.json')) continue
    const path = join(folder, name)
    const read = readPack(path, source)
    if ('faults' in read) faults.push(...read.faults.map((fault) => `${path}: ${fault}`))
    else if (packs.has(read.content.framework))
      faults.push(`${path}: there is a pack called ${read.content.framework} already`)
    else packs.set(read.content.framework, read)
  }
}

function readPack(path: string, source: Pack['source']): Pack | { faults: string[] } {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const shape = Compile(PackFile)
    if (shape.Check(value)) return createPack(value, source)
    const faults = [...shape.Errors(value)].map(
      ({ instancePath, message }) => `${instancePath || 'the file'} ${message}`,
    )
    return { faults }
  } catch (error) {
    return { faults: [error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'] }
  }
}

export function createPack(content: PackContent, source: Pack['source']): Pack {
  const canonical = canonicalize(content)
  return { content, source, canonical, hash: createHash('sha256').update(canonical).digest('hex') }
}

export const versionedName = ({ framework, version }: { framework: string; version: string }): string =>
  `${framework}@${version}`
