/**
 * What a call says.
 * @typedef {object} Chat
 * @property {string | undefined} [model] gpt-4o-mini when left out
 * @property {boolean} stream
 * @property {number | undefined} [promptChars] about how long the question is; a short one when left out
 * @property {boolean | undefined} [conversation] whether that length is in the messages of an agent, the same in each call, instead of one text
 * @property {number | undefined} [maxTokens] 128 when left out; a stream for 500 has as many events
 * @property {string | undefined} [provider] what the upstream is to do, such as `delay-300`; it stands in the member `user`
 */

/**
 * A short chat as an application sends it. The question differs from call to call, so that nobody can answer it from a cache.
 * @param {Chat} chat @returns {(number: number) => string} the body of call `number`
 */
export function createChatWriter(chat) {
  const {
    model = 'gpt-4o-mini',
    stream,
    promptChars = 0,
    conversation = false,
    maxTokens = 128,
    provider,
  } = chat
  const filler = conversation ? '' : writeFiller(promptChars)
  const history = conversation ? writeHistory(promptChars) : ''
  const end = `"max_tokens":${maxTokens},"temperature":0.2${stream ? ',"stream":true' : ''}${provider ? `,"user":"${provider}"` : ''}}`
  return (number) =>
    `{"model":"${model}","messages":[{"role":"system","content":"You are a helpful assistant. Answer in one sentence."},${history}{"role":"user","content":"What is a tally stick, and why was number ${number} of them split?${filler}"}],${end}`
}

const prose =
  ' A clerk of the Exchequer cut notches for 1,000 pounds as thick as a hand, for 20 as thick as a thumb, and split the stick along its length; see chapter 12 of the ledger, or ask at the desk (room 4, 9:30 to 17:00).'

/** Prose with some numbers in it, as questions with a document in them have. @param {number} chars */
const writeFiller = (chars) => prose.repeat(Math.ceil(chars / prose.length)).slice(0, chars)

const code = `export function splitStick(stick) {
  if (stick.notches.length === 0) throw new Error("a stick without notches")
  const [stock, foil] = [stick.left(), stick.right()] // the stock is the longer part
  return { stock, foil, note: "cut on " + stick.day + ", chapter 12" }
}
`

/** Messages of a coding agent: calls of a tool, and files as its results, until they have this many characters. @param {number} chars */
function writeHistory(chars) {
  let history = ''
  for (let turn = 0; history.length < chars; turn++) {
    const call = {
      id: `call_${turn}`,
      type: 'function',
      function: {
        name: 'read_file',
        arguments: JSON.stringify({ path: `src/sticks/${turn}.ts`, limit: 50 }),
      },
    }
    const content = `// ${turn}\n${code.repeat(1 + (turn % 12))}`
    history += `${JSON.stringify({ role: 'assistant', content: null, tool_calls: [call] })},`
    history += `${JSON.stringify({ role: 'tool', tool_call_id: call.id, content })},`
  }
  return history
}
