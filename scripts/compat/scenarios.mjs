// What every client is made to do. Each gets an adapter: ask a question, stream an answer, use a tool.
import assert from 'node:assert/strict'
import { words } from './words.mjs'

/**
 * @typedef {{
 *   ask(prompt: string): Promise<string>,
 *   stream(prompt: string, signal?: AbortSignal): AsyncIterable<string>,
 *   useTool(prompt: string): Promise<string>,
 *   parallelCalls?: number,
 * }} Adapter
 */

const answer = 'The answer of the provider.'
const numbered = (number) => `The answer number ${number}.`

/** About 400 kB of what is easily changed on the way: quotes, escapes, line ends of all kinds, letters of one to four bytes. */
export const longText = 'A "line" with \\ and \t, caf\u00e9, \u2028, \u{1f355} and </script>.\n'.repeat(6_000)

/** @type {Record<string, (client: Adapter) => Promise<void>>} */
export const scenarios = {
  async chat(client) {
    assert.equal(await client.ask('Hello'), answer)
  },
  async stream(client) {
    let text = ''
    for await (const piece of client.stream('Hello')) text += piece
    assert.equal(text, answer)
  },
  async tools(client) {
    assert.equal(await client.useTool(`What is the weather in Paris? ${words.tools}`), answer)
  },
  async abort(client) {
    const controller = new AbortController()
    let pieces = 0
    try {
      for await (const piece of client.stream(`Go on forever. ${words.abort}`, controller.signal)) {
        if (piece === '') continue
        pieces++
        controller.abort()
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error
    }
    assert.ok(pieces > 0, 'nothing came before it hung up')
  },
  async long(client) {
    assert.equal(await client.ask(`${longText}${words.number}7`), numbered(7))
  },
  async parallel(client) {
    const numbers = Array.from({ length: client.parallelCalls ?? 8 }, (_, index) => index + 100)
    const answers = await Promise.all(numbers.map((number) => client.ask(`Say ${words.number}${number}`)))
    assert.deepEqual(answers, numbers.map(numbered))
  },
}
