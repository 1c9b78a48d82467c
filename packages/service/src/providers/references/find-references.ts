import { asArray, asObject, asText, isObject, type JsonObject } from '@tallystick/record/json'
import type { EndpointShape } from '../shapes/index.js'
import { foldName } from './fold-name.js'
import { isLookedUp } from './items.js'
import type { NamedReference, ReferenceKind } from './reference.js'

/** Members that refer to an object that the provider stores, in a body, messages, items, parts and hosted tools. */
const referenceMembers: ReadonlyMap<string, ReferenceKind> = new Map([
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

/** Members that refer to a stored object only at the top level of a body. */
const topLevelReferenceMembers: ReadonlyMap<string, ReferenceKind> = new Map([
  ...referenceMembers,
  ['previous_response_id', 'response'],
  ['conversation', 'conversation'],
])

/**
 * Members that contain further parts. `input` and `arguments` are not among them: arguments of a caller's own tool
 * may have any member names.
 */
const nestedMembers = new Set([
  ...['content', 'output', 'source', 'file', 'attachments', 'environment', 'container', 'skills'],
  ...['code_interpreter', 'file_search', 'input_image_mask', 'image_url', 'video_url', 'audio', 'google'],
])

const addresses = new Set(['url', 'image_url', 'video_url', 'file_url', 'file_uri'])

/** Members of a body that contain messages, items or other parts. Entries of `tools` are read according to their types. */
const topLevelNestedMembers = new Set([
  ...nestedMembers,
  'messages',
  'input',
  'instructions',
  'tool_resources',
])

// Matches addresses that only the provider's own account can open, such as `gs://` or `ms://`.
const accountAddress = /^(?!https?:|data:)[a-z][a-z0-9+.-]*:/i

/** Matches the types of tools that the caller defines and runs. Their schemas may have any member names. */
const callerTool = /^(?:|function|custom)$/

/**
 * Finds what a request refers to in its provider's storage: answers and their items, conversations, files,
 * containers and so on. It reads messages, items, parts and hosted tools, but neither the texts in them nor the
 * arguments and results of the caller's own tools.
 */
export function findReferences(body: JsonObject, shape: EndpointShape): readonly NamedReference[] {
  if (shape.description.hasNoToolsOrReferences) return none
  const search = new ReferenceSearch(shape.storedItems)
  search.readBody(body)
  return search.found.length === 0 ? none : search.found
}

const none: readonly NamedReference[] = []

/** Kinds whose members may also be an object without an id, such as the settings of a new container. */
const mayHaveNoId = new Set<ReferenceKind>(['container', 'audio', 'voice'])

interface MemberRules {
  referenceMembers: ReadonlyMap<string, ReferenceKind>
  nestedMembers: ReadonlySet<string>
}
const memberRules: MemberRules = { referenceMembers, nestedMembers }
const topLevelRules: MemberRules = {
  referenceMembers: topLevelReferenceMembers,
  nestedMembers: topLevelNestedMembers,
}

class ReferenceSearch {
  readonly found: NamedReference[] = []
  /** The member of the body whose items may refer to stored items. */
  readonly #storedItems: string | null
  readonly #path: (string | number)[] = []

  constructor(storedItems: string | null) {
    this.#storedItems = storedItems
  }

  readBody(body: JsonObject): void {
    for (const [name, value] of Object.entries(body)) {
      if (name === 'tools') this.#at(name, () => this.#readTools(value))
      else if (name === 'data_sources') this.#at(name, () => this.#readDataSources(value))
      else this.#readMember(name, value, topLevelRules, name === this.#storedItems)
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

  #readMember(writtenName: string, value: unknown, rules: MemberRules, isItem: boolean): void {
    if (value === null || value === undefined) return
    const name = foldName(writtenName)
    const kind = rules.referenceMembers.get(name)
    const isAddress = typeof value === 'string' && addresses.has(name)
    const isNested = typeof value === 'object' && rules.nestedMembers.has(name)
    if (kind === undefined && !isAddress && !isNested && name !== 'tools') return
    this.#path.push(writtenName)
    if (kind !== undefined) this.#readNamed(kind, value)
    if (isAddress && accountAddress.test(value)) this.#add('file', value)
    if (isNested) this.#readNested(value, isItem)
    if (name === 'tools' && isItem) this.#readTools(value)
    this.#path.pop()
  }

  /** Reads an id, several ids, or an object with an id. */
  #readNamed(kind: ReferenceKind, value: unknown): void {
    if (Array.isArray(value)) for (const each of value) this.#add(kind, each)
    else if (isObject(value) && (typeof value.id === 'string' || mayHaveNoId.has(kind)))
      this.#add(kind, value.id)
    // A voice that is given by its name belongs to the vendor.
    else if (kind !== 'voice') this.#add(kind, typeof value === 'string' ? value : JSON.stringify(value))
  }

  #readNested(value: unknown, isItem: boolean): void {
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
    // The vendor's own skills are available to everyone.
    if (part.skill_id !== undefined && part.type === 'anthropic') return
    for (const name in part) this.#readMember(name, part[name], memberRules, isItem)
  }

  #readTools(tools: unknown): void {
    for (const [index, tool] of asArray(tools).entries()) {
      const definition = asObject(tool)
      const type = asText(definition.type)
      if (type === 'namespace')
        this.#at(index, () => this.#at('tools', () => this.#readTools(definition.tools)))
      else if (!callerTool.test(type)) this.#at(index, () => this.#readPart(definition, false))
    }
  }

  /** Reads indexes that the account of an Azure resource may access. */
  #readDataSources(sources: unknown): void {
    for (const [index] of asArray(sources).entries())
      this.#at(index, () => this.#add('data source', this.#path.join('.')))
  }
}
