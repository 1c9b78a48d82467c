import { type ExportHeader, readExportLine } from '../../format/export-format.js'
import { readJson } from '../../json/index.js'
import { UnusableInputError } from '../fault.js'
import type { Input, Line, Lines } from './lines.js'

export type Fields = Readonly<Record<string, unknown>>

export interface ExportDocument {
  kind: 'export'
  input: Input
  header: ExportHeader
  /** All lines, the header included. */
  lines: Lines
}

/** A file of a known kind. Every kind except an export is one JSON object. */
export type Document = ExportDocument | ObjectDocument

export interface ObjectDocument {
  kind: 'receipt' | 'proof' | 'consistency' | 'attestation'
  name: string
  fields: Fields
}

/** The members by which an object is recognised. */
const membersOfKind = {
  receipt: ['canonical', 'leafHash'],
  proof: ['index', 'path', 'checkpoint'],
  consistency: ['fromRoot', 'toRoot', 'path'],
  attestation: ['period', 'totals', 'merkle'],
} as const

// An attestation with every pack and check has some ten kilobytes.
const maxDocumentLength = 16 * 1024 * 1024

const unknownContent = 'is neither an export nor a receipt, a proof or an attestation'

export async function openDocument(input: Input): Promise<Document> {
  try {
    return await recognise(input)
  } catch (error) {
    if (error instanceof UnusableInputError) throw new UnusableInputError(`${input.name}: ${error.message}`)
    throw error
  }
}

async function recognise(input: Input): Promise<Document> {
  const read: Line[] = []
  let length = 0
  // The first line shows that a file is an export; everything else is read to the end.
  for await (const lines of untilEnd(input)) {
    for (const line of lines) length += line?.length ?? 0
    read.push(...lines)
    const header = readExportLine(read[0] ?? '')
    if (header?.type === 'tallystick-export')
      return { kind: 'export', input, header, lines: startingWith(read, input.lines) }
    if (length > maxDocumentLength) throw new UnusableInputError(unknownContent)
  }
  const damage = input.damage()
  if (damage !== null) throw new UnusableInputError(`cannot be unpacked: ${damage}`)
  const all = [...read, input.rest()]
  const text = all.join('\n')
  const fields = all.includes(null) ? null : parseObject(text)
  for (const kind of ['receipt', 'proof', 'consistency', 'attestation'] as const) {
    if (!fields || !membersOfKind[kind].every((mark) => mark in fields)) continue
    await refuseAmbiguousJson(text)
    return { kind, name: input.name, fields }
  }
  throw new UnusableInputError(unknownContent)
}

// More than a document of the maximum length can have, so that only its length is limited.
const bounds = { depth: 64, containers: 1e7, objectMembers: 1e7, members: 1e7, values: 1e7 }

/** Refuses a text in which a member occurs twice: this check would use one of the two, and a reader of the file perhaps the other. */
async function refuseAmbiguousJson(text: string): Promise<void> {
  try {
    await readJson(Buffer.from(text), bounds, async () => undefined)
  } catch (error) {
    throw new UnusableInputError(
      `cannot be read in one way: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Yields the remaining lines. A `for await` over `lines` itself would close them on return. */
async function* untilEnd({ lines }: Input): Lines {
  for (let next = await lines.next(); !next.done; next = await lines.next()) yield next.value
}

async function* startingWith(first: readonly Line[], rest: Lines): Lines {
  yield first
  yield* rest
}

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
