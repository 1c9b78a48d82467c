import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml'
import { errorCode } from '../../../shared/error-code.js'
import { isObject, type Json } from './json.js'

export const apiVersion = 'tallystick/v1'

/** One object of the files: `{ apiVersion, kind, metadata: { name }, spec }`. */
export interface ConfigDocument {
  file: string
  kind: string
  name: string
  spec: Json
  /** Returns `file:line` of a path inside the document, or of the nearest part of it that is there. */
  locate(path: readonly string[]): string
}

const extensions = /\.(ya?ml|json)$/i

/** Reads every document of files and folders. Faults are collected, so that all of them can be corrected at once. */
export function readDocuments(paths: readonly string[], faults: string[]): ConfigDocument[] {
  const files = paths.flatMap((path) => listFiles(path, faults))
  const documents = files.flatMap((file) => readFile(file, faults))
  if (documents.length === 0 && faults.length === 0)
    faults.push(`${paths.join(', ')}: there is no document in .yaml, .yml or .json files`)
  const seen = new Map<string, string>()
  for (const { kind, name, locate } of documents) {
    const key = `${kind} ${name}`
    const first = seen.get(key)
    if (first !== undefined) faults.push(`${locate(['metadata', 'name'])}: ${key} is already at ${first}`)
    else seen.set(key, locate(['metadata', 'name']))
  }
  return documents
}

function listFiles(path: string, faults: string[]): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    return readdirSync(path, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .filter(({ name }) => !name.startsWith('.'))
      .flatMap((entry) => {
        const child = join(path, entry.name)
        if (entry.isDirectory()) return listFiles(child, faults)
        return extensions.test(entry.name) ? [child] : []
      })
  } catch (error) {
    faults.push(`${path}: cannot be read (${errorCode(error)})`)
    return []
  }
}

function readFile(file: string, faults: string[]): ConfigDocument[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    faults.push(`${file}: cannot be read (${errorCode(error)})`)
    return []
  }
  const lines = new LineCounter()
  // Every JSON text is also YAML, so one parser knows the lines of both.
  const parsed = parseAllDocuments(text, { lineCounter: lines, merge: false })
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((document) => {
    if (document.errors.length > 0) {
      // The parser quotes the text that it could not parse, which may be a secret.
      for (const error of document.errors)
        faults.push(
          `${file}:${lines.linePos(error.pos[0]).line}: not valid YAML (${error.code.toLowerCase()})`,
        )
      return []
    }
    return document.contents === null ? [] : readDocument(document, file, lines, faults)
  })
}

function readDocument(document: Document.Parsed, file: string, lines: LineCounter, faults: string[]) {
  const locate = (path: readonly string[]) => `${file}:${lineOf(document, path, lines)}`
  const refuse = (path: string[], message: string) => void faults.push(`${locate(path)}: ${message}`)
  let value: unknown
  try {
    value = document.toJS()
  } catch {
    refuse([], 'an alias leads nowhere, or there are too many of them')
    return []
  }
  if (!isObject(value)) {
    refuse([], 'a document must be an object with apiVersion, kind, metadata and spec')
    return []
  }
  for (const field of Object.keys(value))
    if (!['apiVersion', 'kind', 'metadata', 'spec'].includes(field))
      refuse([field], `unknown field "${field}"`)
  if (value.apiVersion !== apiVersion) refuse(['apiVersion'], `apiVersion must be ${apiVersion}`)
  const { kind, metadata, spec = {} } = value
  const name = isObject(metadata) ? metadata.name : undefined
  if (isObject(metadata))
    for (const field of Object.keys(metadata))
      if (field !== 'name') refuse(['metadata', field], `unknown field "metadata.${field}"`)
  if (typeof kind !== 'string') refuse(['kind'], 'kind is required')
  if (typeof name !== 'string') refuse(['metadata', 'name'], 'metadata.name is required, as a string')
  if (!isObject(spec)) refuse(['spec'], 'spec must be an object')
  if (typeof kind !== 'string' || typeof name !== 'string' || !isObject(spec)) return []
  return [{ file, kind, name, spec, locate }]
}

function lineOf(document: Document.Parsed, path: readonly string[], lines: LineCounter): number {
  let node: unknown = document.contents
  let start = document.contents?.range?.[0] ?? 0
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step)
      if (!pair) break
      if (isScalar(pair.key)) start = pair.key.range?.[0] ?? start
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      if ((isMap(node) || isScalar(node)) && node.range) start = node.range[0]
    } else break
  }
  return lines.linePos(start).line
}
