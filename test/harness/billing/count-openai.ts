import { at, isList, isObject, itemsOf, type Json, type JsonObject, textAt, without } from './json.js'
import {
  audioTokens,
  inlineImageTokens,
  isPdf,
  linkedImageTokens,
  namedTokens,
  pdfTokens,
  readDataUrl,
} from './media.js'
import type { VendorModel } from './price-book.js'
import { countEncrypted, countText } from './text-tokens.js'

// What OpenAI's two dialects have in common: parts of content, and tools.

export interface Tally {
  tokens: number
  /** Of the tokens, audio. */
  audio: number
}

export const countJson = (value: Json | undefined, model: VendorModel): number =>
  value === undefined || value === null ? 0 : countText(JSON.stringify(value), model.encoding)

/** A string, or a list of parts. */
export function countContent(content: Json | undefined, model: VendorModel, tally: Tally): void {
  for (const part of itemsOf(content)) {
    if (isObject(part)) countPart(part, model, tally)
    else tally.tokens += typeof part === 'string' ? countText(part, model.encoding) : countJson(part, model)
  }
}

function countPart(part: JsonObject, model: VendorModel, tally: Tally): void {
  const detail = textAt(part, 'detail') || textAt(part, 'image_url', 'detail') || 'high'
  switch (textAt(part, 'type')) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'summary_text':
    case 'reasoning_text':
      tally.tokens += countText(textAt(part, 'text'), model.encoding)
      countUnknown(part, ['type', 'text', 'annotations', 'logprobs'], model, tally)
      return
    case 'refusal':
      tally.tokens += countText(textAt(part, 'refusal'), model.encoding)
      return
    case 'image_url':
    case 'input_image':
    case 'computer_screenshot': {
      const url = textAt(part, 'image_url', 'url') || textAt(part, 'image_url')
      tally.tokens += url
        ? linkedImageTokens(model, url, detail)
        : namedTokens(model, textAt(part, 'file_id'), detail)
      return
    }
    case 'input_audio': {
      const tokens = audioTokens(Buffer.from(textAt(part, 'input_audio', 'data'), 'base64'))
      tally.tokens += tokens
      tally.audio += tokens
      return
    }
    case 'file':
      countFile(at(part, 'file'), model, tally)
      return
    case 'input_file':
      countFile(part, model, tally)
      return
    default:
      tally.tokens += countJson(part, model)
  }
}

function countFile(file: Json | undefined, model: VendorModel, tally: Tally): void {
  tally.tokens += countText(textAt(file, 'filename'), model.encoding)
  const data = textAt(file, 'file_data')
  if (data === '') {
    tally.tokens += namedTokens(model, textAt(file, 'file_id') || textAt(file, 'file_url'))
    return
  }
  const bytes = readDataUrl(data) ?? Buffer.from(data, 'base64')
  tally.tokens += isPdf(bytes) ? pdfTokens(model, bytes) : countText(bytes.toString('utf8'), model.encoding)
}

/** Members that no documentation names: a vendor that takes them may well put them before the model. */
export function countUnknown(
  value: JsonObject,
  known: readonly string[],
  model: VendorModel,
  tally: Tally,
): void {
  const rest = without(value, ...known)
  if (Object.values(rest).some((member) => member !== null && member !== undefined))
    tally.tokens += countJson(rest, model)
}

/** A member of an item that is content in one way or another. */
export function countMember(name: string, value: Json | undefined, model: VendorModel, tally: Tally): void {
  if (name === 'encrypted_content') {
    if (typeof value === 'string') tally.tokens += countEncrypted(value)
  } else if (typeof value === 'string') tally.tokens += countText(value, model.encoding)
  else if (isObject(value) && partTypes.test(textAt(value, 'type'))) countPart(value, model, tally)
  else if (isList(value) && value.every((part) => partTypes.test(textAt(part, 'type'))))
    countContent(value, model, tally)
  else tally.tokens += countJson(value, model)
}

const partTypes =
  /^(input_text|output_text|summary_text|reasoning_text|refusal|input_image|input_file|computer_screenshot)$/

export function generatedImageTokensOf(model: VendorModel, base64: string): number {
  return inlineImageTokens(model, Buffer.from(base64, 'base64'))
}

// cookbook.openai.com, "How to count tokens with tiktoken", "Counting tokens for tool use": what each part of a function adds.
const functionStart = 7
const propertiesStart = 3
const perProperty = 3
const perEnumItem = 3
const functionsEnd = 12

export function countTools(tools: readonly Json[], model: VendorModel): number {
  if (tools.length === 0) return 0
  return tools.reduce<number>((sum, tool) => sum + countTool(tool, model), functionsEnd)
}

function countTool(tool: Json, model: VendorModel): number {
  if (!isObject(tool)) return countJson(tool, model)
  const type = textAt(tool, 'type')
  if (type === 'namespace')
    return itemsOf(tool.tools).reduce<number>(
      (sum, inner) => sum + countTool(inner, model),
      countText(textAt(tool, 'description'), model.encoding) + functionStart,
    )
  const definition = isObject(tool.function) ? tool.function : tool
  if (type !== 'function' && type !== '') return functionStart + countJson(tool, model)
  return (
    functionStart +
    countText(`${textAt(definition, 'name')}:${textAt(definition, 'description')}`, model.encoding) +
    countSchema(at(definition, 'parameters'), model)
  )
}

function countSchema(schema: Json | undefined, model: VendorModel): number {
  if (!isObject(schema)) return 0
  let tokens = countText(textAt(schema, 'description'), model.encoding)
  for (const item of itemsOf(schema.enum)) tokens += perEnumItem + countJson(item, model)
  const { properties } = schema
  if (isObject(properties)) {
    tokens += propertiesStart
    for (const [name, inner] of Object.entries(properties))
      tokens +=
        perProperty +
        countText(`${name}:${textAt(inner, 'type')}`, model.encoding) +
        countSchema(inner ?? null, model)
  }
  for (const name of ['items', 'anyOf', 'oneOf', 'allOf', '$defs', 'definitions', 'additionalProperties'])
    tokens += countInner(schema[name], model)
  return tokens
}

function countInner(value: Json | undefined, model: VendorModel): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + countSchema(item, model), 0)
  if (!isObject(value)) return 0
  if ('type' in value || 'properties' in value || 'anyOf' in value) return countSchema(value, model)
  return Object.values(value).reduce<number>((sum, item) => sum + countSchema(item, model), 0)
}
