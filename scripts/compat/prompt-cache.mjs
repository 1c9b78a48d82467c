// What a vendor's prompt cache would make of a body: it keeps the beginnings of prompts, tools first, then instructions, then the turns.
// Bytes are compared as they stand, so that any change before the end of a prompt is a miss.
import { createHash } from 'node:crypto'

const block = 64
const order = ['tools', 'system', 'instructions', 'messages', 'input']

export class PromptCache {
  #seen = new Set()

  /** How many bytes at the beginning of the prompt were seen before. @param {Buffer} body */
  read(body) {
    const members = sliceMembers(body.toString())
    const prompt = order.map((name) => withoutMarks(members.get(name) ?? '')).join('')
    const hash = createHash('sha256')
    let hit = 0
    for (let end = block; end < prompt.length; end += block) {
      const key = hash
        .update(prompt.slice(end - block, end))
        .copy()
        .digest('hex')
      if (this.#seen.has(key)) hit = end
      this.#seen.add(key)
    }
    return hit
  }
}

/** Where a prompt is marked is no part of it: the mark moves on with every turn. @param {string} json */
const withoutMarks = (json) => json.replace(/,?\s*"cache_control"\s*:\s*\{[^{}]*\}/g, '')

/** The text of each member of an object, as it stands. @param {string} json */
function sliceMembers(json) {
  const members = new Map()
  let depth = 0
  let name = ''
  let start = -1
  // A string, or what opens, closes and separates.
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs)) {
    if (depth === 1 && start === -1 && token.startsWith('"')) name = JSON.parse(token)
    else if (depth === 1 && start === -1 && token === ':') start = index + 1
    else if (depth === 1 && (token === ',' || token === '}')) {
      members.set(name, json.slice(start, index).trim())
      start = -1
    }
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
  }
  return members
}
