import { asArray, asObject, type JsonObject } from '@tallystick/record/json'

/** True for the start of the message, pings, and the start of a block that is still empty. */
export function isMessagesPreamble({ type, message, content_block: block }: JsonObject): boolean {
  switch (type) {
    case 'ping':
      return true
    case 'message_start':
      return asArray(asObject(message).content).length === 0
    case 'content_block_start': {
      const { type: kind, text = '', thinking = '' } = asObject(block)
      return (kind === 'text' || kind === 'thinking') && text === '' && thinking === ''
    }
    default:
      return false
  }
}
