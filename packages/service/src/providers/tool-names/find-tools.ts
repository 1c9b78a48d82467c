import { setImmediate } from 'node:timers/promises'
import { asArray, isObject, type JsonObject } from '@tallystick/record/json'
import { channelOfPath } from '../texts/event-path.js'
import { readDefinition, readNamePieces, readServer, readTool, readType } from './read-entry.js'
import { ToolNameList, type ToolNames } from './tool-names.js'

/** Objects whose members an author chose. An `input` that is a list contains items instead. */
const freeMember = /^(arguments|metadata|parameters|properties|(.*_)?schema|variables)$/i
const isFree = (member: string, value: unknown): boolean =>
  freeMember.test(member) || (/^input$/i.test(member) && isObject(value))

const toolsMember = /tools$|^(functions|function_?declarations)$/i
const serversMember = /^mcp_?servers$/i
const choiceMember = /^(tool_?choice|function_?call)$/i
/** Members that let the vendor search the web without a tool. */
const searchMember = /^(web_?search_?options|search_?parameters)$/i
const typeMember = /^type$/i
const referenceType = /^tool_?reference$/i
const callType = /(_call|tool_use|approval_request)$/i
const callsMember = /^(.*_)?tool_?calls$/i
const callMember = /^function_?call$/i
/** Members in which a response repeats its request. */
const echoMember = /^(instructions|prompt|text|tool_?choice|tools)$/i

/** Members that are read as a whole are not searched. */
const isRead = (member: string): boolean => toolsMember.test(member) || serversMember.test(member)

/** Finds the tools that a request offers to the model, at any path, including items of the conversation. */
export async function findToolsOffered(body: JsonObject): Promise<ToolNames> {
  const found = new ToolNameList()
  const visit = (holder: JsonObject, member: string, value: unknown) => {
    if (holder === body && choiceMember.test(member)) readTool(value, found)
    else if (holder === body && searchMember.test(member)) {
      found.add('web_search')
      found.addAlias(member)
    } else if (typeMember.test(member)) {
      if (typeof value === 'string' && referenceType.test(value)) readTool(holder, found)
    } else if (toolsMember.test(member)) readOffered(holder, member, value, found)
    else if (serversMember.test(member)) readAll(value, found, readServer)
  }
  await finish(visitObjects(body, visit, isRead))
  return found
}

function readOffered(holder: JsonObject, member: string, value: unknown, found: ToolNameList): void {
  // The value is only a switch.
  const isSwitch = typeof value === 'boolean' || typeof value === 'number'
  if (isSwitch && !/^tools$/i.test(member)) return
  readAll(value, found, readDefinition)
  // The server whose tools are listed.
  if (typeof holder.server_label === 'string') readServer({ name: holder.server_label }, found)
}

function readAll(
  list: unknown,
  found: ToolNameList,
  read: (item: unknown, found: ToolNameList) => void,
): void {
  if (!Array.isArray(list)) found.markUnreadable()
  else for (const item of list) if (found.countMember()) read(item, found)
}

/** Finds the tools that an answer calls, and those that it asks approval for. */
export async function findToolsCalled(answer: JsonObject): Promise<ToolNames> {
  const found = new ToolNameList()
  await finish(findCalls(answer, found, new Set()))
  return found
}

/** A piece of the name of a tool that is being called. */
export interface ToolNamePiece {
  /** The index of the call that it belongs to. */
  call: string
  /** The id of the call, if the event has one: a different id means a different call. */
  id: string | null
  text: string
}

/** Finds the tools in an event of a stream. In chat, the name may be sent in pieces. */
export function findToolsCalledIn(event: JsonObject): { whole: ToolNames; pieces: ToolNamePiece[] } {
  const whole = new ToolNameList()
  const pieces: ToolNamePiece[] = []
  const read = new Set<unknown>()
  for (const [at, choice] of asArray(event.choices).entries()) {
    if (!isObject(choice) || !isObject(choice.delta)) continue
    for (const [member, value] of Object.entries(choice.delta)) {
      const path = ['choices', at, 'delta', member]
      if (callMember.test(member)) {
        read.add(value)
        readPieces(value, channelOfPath(path, event), whole, pieces)
      }
      if (!callsMember.test(member) || value === null) continue
      read.add(value)
      if (!Array.isArray(value)) whole.markUnreadable()
      for (const [number, call] of asArray(value).entries())
        readPieces(call, channelOfPath([...path, number], event), whole, pieces)
    }
  }
  const search = findCalls(event, whole, read)
  while (!search.next().done);
  return { whole, pieces }
}

function readPieces(call: unknown, name: string, whole: ToolNameList, pieces: ToolNamePiece[]): void {
  if (call === null) return
  if (!isObject(call)) {
    whole.markUnreadable()
    return
  }
  const found = new ToolNameList()
  readNamePieces(call, found)
  if (!found.isReadable) whole.markUnreadable()
  if (call.type !== undefined && call.type !== null) readType(call.type, whole)
  const id = typeof call.id === 'string' && call.id !== '' ? call.id : null
  for (const [number, text] of found.names.entries()) pieces.push({ call: `${name} ${number}`, id, text })
}

function findCalls(
  value: JsonObject,
  found: ToolNameList,
  read: ReadonlySet<unknown>,
): Generator<void, void> {
  const isSkipped = (member: string, inside: unknown) => echoMember.test(member) || read.has(inside)
  const visit = (holder: JsonObject, member: string, inside: unknown) => {
    if (typeMember.test(member)) {
      if (typeof inside === 'string' && callType.test(inside)) readTool(holder, found)
    } else if (callsMember.test(member) && !isSkipped(member, inside)) readAll(inside, found, readTool)
    else if (callMember.test(member) && !isSkipped(member, inside)) readTool(inside, found)
  }
  return visitObjects(value, visit, isSkipped)
}

/** Members that are searched before other work may run. */
const membersPerStep = 2_048

function* visitObjects(
  value: unknown,
  visit: (holder: JsonObject, member: string, inside: unknown) => void,
  isSkipped: (member: string, inside: unknown) => boolean,
): Generator<void, void> {
  const waiting: unknown[] = [value]
  let count = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (Array.isArray(next))
      for (const item of next) {
        if (isHolder(item)) waiting.push(item)
        if (++count % membersPerStep === 0) yield
      }
    else if (isObject(next))
      for (const member in next) {
        const inside = next[member]
        if (inside !== null && inside !== undefined) visit(next, member, inside)
        if (isHolder(inside) && !isFree(member, inside) && !isSkipped(member, inside)) waiting.push(inside)
        if (++count % membersPerStep === 0) yield
      }
  }
}

const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Runs a search, and lets other work run from time to time if it is long. */
async function finish(search: Generator<void, void>): Promise<void> {
  while (!search.next().done) await setImmediate()
}
