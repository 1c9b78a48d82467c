import { parseObject } from '@tallystick/record/json'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { Actor } from '../audit/index.js'

/** A link at which a user's browser begins to give consent. It contains the user, and is valid until it expires. */
export interface ConsentLink {
  actor: Actor
  serverId: string
  expiresAtMs: number
}

export interface ConsentLinks {
  seal(link: Omit<ConsentLink, 'expiresAtMs'>): Promise<string>
  /** Returns null for a text that was not sealed here, or that has expired. */
  open(text: string): Promise<ConsentLink | null>
}

const maxAgeMs = 15 * 60_000
const maxLength = 4_096

// The owner is inside the sealed text, because it is opened before the owner is known.
const linkContext = { purpose: 'mcp consent link', tenantId: '', rowId: '' }

export function createConsentLinks(secrets: Secrets): ConsentLinks {
  return {
    async seal(link) {
      const plain = JSON.stringify({ ...link, expiresAtMs: Date.now() + maxAgeMs })
      return (await secrets.seal(linkContext, Buffer.from(plain))).toString('base64url')
    },
    async open(text) {
      if (text.length > maxLength || !/^[\w-]+$/.test(text)) return null
      const plain = await secrets.open(linkContext, Buffer.from(text, 'base64url'))
      if (plain === undecryptable) return null
      const link = parseObject(plain.toString()) as ConsentLink | null
      return link !== null && link.expiresAtMs > Date.now() ? link : null
    },
  }
}
