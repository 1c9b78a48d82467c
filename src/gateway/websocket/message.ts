import { invalidField } from '../../errors.js'
import { editMembers, type JsonObject, type Member } from '../../json/index.js'
import { type ReadCallOptions, readBodyObject } from '../call.js'
import { itemsOf, joinItems } from './items.js'

/** A `response.create`, read as far as the socket must understand it. */
export interface CreateMessage {
  raw: Buffer
  members: Member[]
  model: unknown
  /** The answer that it goes on from. */
  previousId: string | null
  /** False: it prepares a later one, and no model is asked. */
  generate: boolean
  /** Whether the provider keeps the answer. */
  isStored: boolean
  /** It goes on from a conversation that the provider keeps. */
  hasConversation: boolean
  /** Its own input, item by item, as JSON with commas between; null for an input that is none. */
  items: Buffer | null
}

/** Throws what is wrong with it. */
export async function readCreateMessage(raw: Buffer, options: ReadCallOptions): Promise<CreateMessage> {
  const { body, members } = await readBodyObject(raw, options)
  const fault = findFault(body)
  if (fault !== null) throw invalidField(fault.path, fault.message)
  const { model, previous_response_id: previousId } = body
  return {
    raw,
    members,
    model,
    previousId: typeof previousId === 'string' ? previousId : null,
    generate: body.generate !== false,
    isStored: body.store !== false,
    hasConversation: body.conversation !== undefined && body.conversation !== null,
    items: itemsOf(raw, members, body.input),
  }
}

function findFault({ type, generate, stream_id }: JsonObject): { path: string; message: string } | null {
  if (type !== 'response.create') return { path: 'type', message: 'must be response.create' }
  if (generate !== undefined && generate !== null && typeof generate !== 'boolean')
    return { path: 'generate', message: 'must be true or false' }
  if (stream_id !== undefined && stream_id !== null)
    return {
      path: 'stream_id',
      message:
        'is not offered: a socket answers one call after the other, and calls side by side need several',
    }
  return null
}

/**
 * The body of the call: what a client would have sent by HTTP. `earlier`: what was said before on this socket, which its answer goes on
 * from; null where that is the provider's to know. All other bytes stay as they are.
 */
export function toCallBody({ raw, members, items }: CreateMessage, earlier: Buffer | null): Buffer {
  const changes = new Map<string, string | Buffer | null>([
    ['type', null],
    ['generate', null],
    ['stream', 'true'],
  ])
  if (earlier !== null && items !== null) {
    changes.set('previous_response_id', null)
    changes.set('input', Buffer.concat([open, joinItems(earlier, items), close]))
  }
  return editMembers(raw, members, changes)
}

const open = Buffer.from('[')
const close = Buffer.from(']')
