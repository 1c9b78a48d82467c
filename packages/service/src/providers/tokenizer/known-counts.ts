import { hash } from 'node:crypto'
import { BoundedMap } from '../../shared/bounded-map.js'
import type { Tokenizer } from '../catalogue/model-properties.js'
import type { TokenCount } from './count-text.mjs'

// Hashing this many characters costs a tenth of counting them. An entry takes about 250 bytes.
const minGroupChars = 2048
const maxGroups = 32 * 1024

/** Consecutive texts whose tokens are counted together. */
interface Group {
  key: string
  texts: string[]
}

/**
 * Remembers the token counts of texts, since agents repeat a conversation with every step. The texts are put into groups from the first to
 * the last, so that an unchanged beginning has unchanged groups. A group is known by the hash of its texts. Tenants share no counts:
 * otherwise one could learn from the time of an answer what another has sent.
 */
export class KnownCounts {
  // Bounded: 32,768 groups, about 8 MiB.
  readonly #counts = new BoundedMap<string, TokenCount>(maxGroups)

  /** Adds the counts of the known groups to `total`, and returns the other groups and the texts that are too short for a group. */
  addKnown(texts: readonly string[], tokenizer: Tokenizer, tenantId: string, total: TokenCount) {
    const unknown: Group[] = []
    let group: string[] = []
    let chars = 0
    for (const text of texts) {
      group.push(text)
      chars += text.length
      if (chars < minGroupChars) continue
      const key = keyOf(group, tokenizer, tenantId)
      const known = this.#counts.get(key)
      if (known === undefined) unknown.push({ key, texts: group })
      else {
        add(known, total)
        // Keeps it longer than groups that are no longer sent.
        this.#counts.set(key, known)
      }
      group = []
      chars = 0
    }
    return { unknown, rest: group }
  }

  /** Remembers groups. `counts` has the counts of their texts, in the same order. */
  remember(groups: readonly Group[], counts: readonly TokenCount[]): void {
    let index = 0
    for (const { key, texts } of groups) {
      const total = { estimate: 0, bound: 0 }
      for (const count of counts.slice(index, index + texts.length)) add(count, total)
      this.#counts.set(key, total)
      index += texts.length
    }
  }
}

export function add({ estimate, bound }: TokenCount, total: TokenCount): void {
  total.estimate += estimate
  total.bound += bound
}

function keyOf(texts: readonly string[], tokenizer: Tokenizer, tenantId: string): string {
  let content = `${tenantId} ${tokenizer}`
  // With their lengths, texts that are divided differently have different keys.
  for (const text of texts) content += ` ${text.length}:${text}`
  return hash('sha256', content, 'base64')
}
