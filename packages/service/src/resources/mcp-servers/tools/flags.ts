import { isObject, type JsonObject } from '@tallystick/record/json'
import { describeHidden, withoutHidden } from '../../../shared/hidden-characters.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { findInstructions } from '../instructions.js'
import { stepInto } from './diff.js'

/** Something in a definition that the person who approves it should look at. */
export interface Flag {
  kind: 'hidden_characters' | 'instructions' | 'other_server' | 'policy'
  path: string
  message: string
}

/** The names of the tenant's other servers and of their tools. */
export interface OtherServers {
  /** Returns the server of a tool name, if the name cannot be an ordinary word. */
  serverOf(toolName: string): string | undefined
  names: ReadonlySet<string>
}

const maxFlags = 50
// More than a person reads, and more than any honest description has.
const maxReadChars = 16_384

/** Long texts are examined in slices: a definition may have a quarter of a million characters. */
export async function findFlags(
  definition: JsonObject,
  others: OtherServers,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Flag[]> {
  const flags: Flag[] = []
  let charsInTurn = 0
  for (const { path, text } of textsOf(definition)) {
    flags.push(...flagsOfText(path, text, others))
    if (flags.length >= maxFlags) return flags.slice(0, maxFlags)
    charsInTurn += text.length
    if (charsInTurn < maxReadChars) continue
    charsInTurn = 0
    await yieldToEventLoop()
  }
  return flags
}

function flagsOfText(path: string, whole: string, others: OtherServers): Flag[] {
  const text = whole.slice(0, maxReadChars)
  const hidden = describeHidden(text)
  return [
    ...(hidden === null
      ? []
      : [{ kind: 'hidden_characters' as const, path, message: `Has hidden characters: ${hidden}` }]),
    ...(whole.length > maxReadChars
      ? [
          {
            kind: 'instructions' as const,
            path,
            message: `The text has ${whole.length} characters; only the first ${maxReadChars} were looked at`,
          },
        ]
      : []),
    ...findInstructions(text).map((message) => ({
      kind: 'instructions' as const,
      path,
      message: `The text ${message}`,
    })),
    ...findOthers(text, others).map((message) => ({ kind: 'other_server' as const, path, message })),
  ]
}

/**
 * True when it contains the full name of another server's tool, `server__tool`, and so makes statements about it.
 */
export function speaksForOthers(definition: JsonObject, names: ReadonlySet<string>): boolean {
  for (const { text } of textsOf(definition))
    if (anyUnderscore.test(text) && composedNames(toPlain(text), names).length > 0) return true
  return false
}

// Underscores and their lookalikes. Nearly all texts have none, and need not be normalised.
const anyUnderscore = /[_\uff3f\ufe33\ufe34\ufe4d-\ufe4f]/

const toPlain = (text: string): string => withoutHidden(text).normalize('NFKC')

function findOthers(text: string, { serverOf, names }: OtherServers): string[] {
  const plain = toPlain(text)
  const composed = composedNames(plain, names).map((name) => `Names the tool ${name} of another server`)
  const servers = [
    ...plain.matchAll(/(?:^|[^\w-])([a-z0-9][a-z0-9-]{0,31})['"`]?\s(?:mcp[\s-])?(?:server|mcp|tools?)\b/gi),
  ]
    .map(([, name = '']) => name.toLowerCase())
    .filter((name) => names.has(name))
    .map((name) => `Speaks of the server ${name}`)
  const tools = [...plain.matchAll(/[A-Za-z0-9_./-]{5,200}/g)].flatMap(([word]) => {
    const name = word.replace(/[./-]+$/, '')
    const server = serverOf(name)
    return server === undefined ? [] : [`Names ${name}, a tool of the server ${server}`]
  })
  return [...new Set([...composed, ...servers, ...tools])]
}

function composedNames(text: string, names: ReadonlySet<string>): string[] {
  if (!text.includes('__')) return []
  return [...text.matchAll(/(?<![a-z0-9-])([a-z0-9][a-z0-9-]{0,31})__[\w./-]{0,128}/gi)]
    .filter(([, server = '']) => names.has(server.toLowerCase()))
    .map(([name]) => name)
}

/** True for names that are not ordinary words: `search` says nothing about another server, `create_issue` does. */
export const isDistinctive = (toolName: string): boolean =>
  toolName.length >= 5 && (/[a-z0-9][_./-][a-z0-9]/i.test(toolName) || /[a-z][A-Z]/.test(toolName))

/** Yields every text of a definition with its path, including the names of members, which models also see. */
function* textsOf(definition: JsonObject): Generator<{ path: string; text: string }> {
  const waiting: { path: string; value: unknown }[] = [{ path: '', value: definition }]
  while (waiting.length > 0) {
    const { path, value } = waiting.pop() ?? { path: '', value: null }
    if (typeof value === 'string') yield { path, text: value }
    else if (Array.isArray(value))
      for (let index = value.length - 1; index >= 0; index--)
        waiting.push({ path: `${path}[${index}]`, value: value[index] })
    else if (isObject(value)) {
      for (const name of Object.keys(value).reverse()) {
        const inside = stepInto(path, name)
        waiting.push({ path: inside, value: value[name] })
        if (!/^[A-Za-z0-9$]{1,24}$/.test(name)) waiting.push({ path: inside, value: name })
      }
    }
  }
}
