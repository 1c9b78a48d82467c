import { editMembers, type JsonObject, type Member } from '@tallystick/record/json'
import { invalidField } from '../../../shared/errors.js'
import { type ReadCallOptions, readBodyObject } from '../call.js'
import { itemsOf, joinItems } from './input-items.js'

/** A parsed `response.create` message. */
export interface CreateMessage {
  raw: Buffer
  members: Member[]
  model: unknown
  /** The id of the answer that it continues. */
  previousId: string | null
  /** False when the message only prepares a later one and no model is called. */
  generate: boolean
  /** Whether the provider keeps the answer. */
  isStored: boolean
  /** Whether it continues a conversation that the provider stores. */
  hasConversation: boolean
  /** Its own input items as JSON, separated by commas. Null when the input is invalid. */
  items: Buffer | null
}

/** Parses a message. Throws when it is invalid. */
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
        'is not supported: a socket answers one call at a time. Open several sockets for concurrent calls',
    }
  return null
}

/**
 * Returns the body that a client would have sent over HTTP. `earlier` is the conversation on this socket that the call continues; null when
 * the provider knows it. All other bytes stay unchanged.
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
