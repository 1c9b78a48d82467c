import { asArray, asObject, asText, isObject, type JsonObject } from '../../json/index.js'
import { foldName } from './fold-name.js'
import { isLookedUp } from './items.js'
import type { NamedReference, ReferenceKind } from './reference.js'

/** Members that name something that the provider keeps, wherever a body, messages, items, parts and hosted tools have them. */
const naming: ReadonlyMap<string, ReferenceKind> = new Map([
  ['container', 'container'],
  ['container_id', 'container'],
  ['file_id', 'file'],
  ['file_ids', 'file'],
  ['vector_store_id', 'vector store'],
  ['vector_store_ids', 'vector store'],
  ['skill_id', 'skill'],
  ['tunnel_id', 'tunnel'],
  ['cached_content', 'cached content'],
  ['audio', 'audio'],
  ['voice', 'voice'],
])

/** The same, of a body alone. */
const namingAtTop: ReadonlyMap<string, ReferenceKind> = new Map([
  ...naming,
  ['previous_response_id', 'response'],
  ['conversation', 'conversation'],
])

/**
 * Members that hold further parts. `input` and `arguments` are not among them: what a caller's own tool is called with may have a
 * member of any name.
 */
const holding = new Set([
  ...['content', 'output', 'source', 'file', 'attachments', 'environment', 'container', 'skills'],
  ...['code_interpreter', 'file_search', 'input_image_mask', 'image_url', 'video_url', 'audio', 'google'],
])

const addresses = new Set(['url', 'image_url', 'video_url', 'file_url', 'file_uri'])

/** Members of a body that hold messages, items or other parts; `tools` are read by their types. */
const holdingAtTop = new Set([...holding, 'messages', 'input', 'instructions', 'tool_resources'])

// An address that only the provider's own account can open, such as `gs://` or `ms://`.
const ownAddress = /^(?!https?:|data:)[a-z][a-z0-9+.-]*:/i

/** Tools that the caller defines and runs. Their schemas may have members of any name. */
const ownTool = /^(?:|function|custom)$/

/** Dialects whose requests name nothing that a provider keeps. */
const withoutReferences = new Set([
  ...['embeddings', 'completions', 'moderations', 'rerank', 'transcriptions', 'translations'],
  ...['image_generations', 'image_edits', 'image_variations'],
])

/**
 * What a request names of what its provider keeps: answers and their items, conversations, files, containers and the like. It reads
 * messages, items, parts and hosted tools, not the texts in them, and not what the caller's own tools take and give.
 */
export function findReferences(body: JsonObject, dialect: string): readonly NamedReference[] {
  if (withoutReferences.has(dialect)) return none
  const search = new Search(dialect === 'responses')
  search.readBody(body)
  return search.found.length === 0 ? none : search.found
}

const none: readonly NamedReference[] = []

/** Kinds whose members may also be an object that names nothing, such as the settings of a new container. */
const hasOtherForms = new Set<ReferenceKind>(['container', 'audio', 'voice'])

interface KnownMembers {
  naming: ReadonlyMap<string, ReferenceKind>
  holding: ReadonlySet<string>
}
const inside: KnownMembers = { naming, holding }
const top: KnownMembers = { naming: namingAtTop, holding: holdingAtTop }

class Search {
  readonly found: NamedReference[] = []
  readonly #hasItems: boolean
  readonly #path: (string | number)[] = []

  constructor(hasItems: boolean) {
    this.#hasItems = hasItems
  }

  readBody(body: JsonObject): void {
    for (const [name, value] of Object.entries(body)) {
      if (name === 'tools') this.#at(name, () => this.#readTools(value))
      else if (name === 'data_sources') this.#at(name, () => this.#readDataSources(value))
      else this.#readMember(name, value, top, name === 'input' && this.#hasItems)
    }
  }

  #at(key: string | number, read: () => void): void {
    this.#path.push(key)
    read()
    this.#path.pop()
  }

  #add(kind: ReferenceKind, id: unknown): void {
    if (typeof id === 'string' && id !== '') this.found.push({ kind, id, path: this.#path.join('.') })
  }

  #readMember(spelled: string, value: unknown, known: KnownMembers, isItem: boolean): void {
    if (value === null || value === undefined) return
    const name = foldName(spelled)
    const kind = known.naming.get(name)
    const isAddress = typeof value === 'string' && addresses.has(name)
    const isHeld = typeof value === 'object' && known.holding.has(name)
    if (kind === undefined && !isAddress && !isHeld && name !== 'tools') return
    this.#path.push(spelled)
    if (kind !== undefined) this.#readNamed(kind, value)
    if (isAddress && ownAddress.test(value)) this.#add('file', value)
    if (isHeld) this.#readHeld(value, isItem)
    if (name === 'tools' && isItem) this.#readTools(value)
    this.#path.pop()
  }

  /** An id, several, or an object that has one. */
  #readNamed(kind: ReferenceKind, value: unknown): void {
    if (Array.isArray(value)) for (const each of value) this.#add(kind, each)
    else if (isObject(value) && (typeof value.id === 'string' || hasOtherForms.has(kind)))
      this.#add(kind, value.id)
    // A voice by its name is the vendor's own.
    else if (kind !== 'voice') this.#add(kind, typeof value === 'string' ? value : JSON.stringify(value))
  }

  #readHeld(value: unknown, isItem: boolean): void {
    if (Array.isArray(value))
      for (const [index, each] of value.entries()) {
        this.#path.push(index)
        if (isObject(each)) this.#readPart(each, isItem)
        this.#path.pop()
      }
    else if (isObject(value)) this.#readPart(value, isItem)
  }

  #readPart(part: JsonObject, isItem: boolean): void {
    if (isItem && isLookedUp(part)) this.#add('item', part.id)
    // A skill of the vendor's own is known to everyone.
    if (part.skill_id !== undefined && part.type === 'anthropic') return
    for (const name in part) this.#readMember(name, part[name], inside, isItem)
  }

  #readTools(tools: unknown): void {
    for (const [index, tool] of asArray(tools).entries()) {
      const definition = asObject(tool)
      const type = asText(definition.type)
      if (type === 'namespace')
        this.#at(index, () => this.#at('tools', () => this.#readTools(definition.tools)))
      else if (!ownTool.test(type)) this.#at(index, () => this.#readPart(definition, false))
    }
  }

  /** Indexes that the account of an Azure resource may read. */
  #readDataSources(sources: unknown): void {
    for (const [index] of asArray(sources).entries())
      this.#at(index, () => this.#add('data source', this.#path.join('.')))
  }
}
