/** A body that was made to keep the service busy. Under 32 MiB, so that its length alone refuses none. */
export interface HostileBody {
  name: string
  path: '/v1/chat/completions' | '/v1/responses' | '/v1/messages' | '/v1/embeddings'
  /** What stands around the hostile part. */
  before: string
  unit: (n: number) => string
  times: number
  after: string
}

const chat = '/v1/chat/completions' as const
const responses = '/v1/responses' as const
const messages = '/v1/messages' as const
const embeddings = '/v1/embeddings' as const
const user = '{"role":"user","content":"'
const model = '"model":"mock/echo"'

const body = (
  name: string,
  path: HostileBody['path'],
  [before, after]: readonly [string, string],
  unit: string | ((n: number) => string),
  times: number,
): HostileBody => ({
  name,
  path,
  before,
  unit: typeof unit === 'string' ? () => unit : unit,
  times,
  after,
})

const million = 1_000_000
const inMessages = [`{${model},"messages":[`, `${user}hi"}]}`] as const
const asText = [`{${model},"messages":[${user}`, '"}]}'] as const
const asMember = (name: string) => [`{${model},"messages":[${user}hi"}],"${name}":[`, '0]}'] as const

/** More structure than a call may have. */
export const overfullBodies: readonly HostileBody[] = [
  body('empty objects for messages', chat, inMessages, '{},', 10 * million),
  body('empty arrays for messages', chat, inMessages, '[],', 10 * million),
  body('zeros for messages', chat, inMessages, '0,', 15 * million),
  body('nulls for messages', chat, inMessages, 'null,', 6 * million),
  body('empty strings for messages', chat, inMessages, '"",', 10 * million),
  body('members of the body', chat, ['{', `${model}}`], (n) => `"m${n}":0,`, 2.4 * million),
  body(
    'members of a message',
    chat,
    [`{${model},"messages":[{`, '"role":"user"}]}'],
    (n) => `"m${n}":0,`,
    2 * million,
  ),
  body(
    'numbers for names of members',
    chat,
    [`{${model},"metadata":{`, '"x":0}}'],
    (n) => `"${n}":0,`,
    2 * million,
  ),
  body('objects with names of their own', chat, inMessages, (n) => `{"m${n}":0},`, 1.5 * million),
  body('objects with a number for a name', chat, inMessages, '{"320":0},', 3 * million),
  body('arrays in arrays', chat, [`{${model},"messages":`, ']}'], '[', 15 * million),
  body('objects in objects', chat, [`{${model},"messages":`, '0}'], '{"a":', 6 * million),
  body('arrays in objects in arrays', messages, [`{${model},"messages":`, '0}'], '[{"a":', 5 * million),
  body('tools', chat, asMember('tools'), '{"type":"function"},', 1.5 * million),
  body('items of input', responses, [`{${model},"input":[`, '{}]}'], '{"role":"user"},', 1.5 * million),
  body(
    'parts of content',
    messages,
    [`{${model},"messages":[{"role":"user","content":[`, '{}]}]}'],
    '{"type":"text"},',
    1.5 * million,
  ),
  body('token numbers', embeddings, ['{"model":"mock/echo","input":[', '0]}'], '12,', 10 * million),
  body(
    'lists of token numbers',
    embeddings,
    ['{"model":"mock/echo","input":[', '[0]]}'],
    '[1],',
    6 * million,
  ),
  body('one member again and again', chat, ['{', `${model}}`], '"m":0,', 4 * million),
]

/** As much structure as a call may have, and long texts. */
export const heavyBodies: readonly HostileBody[] = [
  body('as many messages as there may be', chat, inMessages, '{},', 99_990),
  body('as many tools as there may be', chat, asMember('tools'), '{"type":"function"},', 99_990),
  body(
    'as many parts as there may be',
    messages,
    [`{${model},"max_tokens":9,"messages":[{"role":"user","content":[`, '{}]}]}'],
    '{"type":"text"},',
    99_990,
  ),
  body(
    'as many items as there may be',
    responses,
    [`{${model},"input":[`, '{}]}'],
    '{"role":"user"},',
    99_990,
  ),
  body(
    'as many texts as there may be',
    embeddings,
    ['{"model":"mock/echo","input":[', '""]}'],
    '"ab",',
    499_990,
  ),
  body(
    'as many names as an object may have',
    chat,
    [`{${model},"messages":[{"role":"user","content":{`, '"x":0}}]}'],
    (n) => `"m${n}":0,`,
    9_990,
  ),
  body('prose', chat, asText, 'The quick brown fox jumps over the lazy dog, again. ', 600_000),
  body('one long word', chat, asText, 'aaaaaaaaaa', 3 * million),
  body('escapes', chat, asText, '\\u0041', 5 * million),
  body('quotes', chat, asText, '\\"', 15 * million),
  body('backslashes', chat, asText, '\\\\', 15 * million),
  body('line feeds', messages, [`{${model},"max_tokens":9,"messages":[${user}`, '"}]}'], '\\n', 15 * million),
  body('Chinese', chat, asText, '語', 10 * million),
  body('emoji', responses, [`{${model},"input":"`, '"}'], '\u{1f600}', 7 * million),
  body('halves of pairs', chat, asText, '\\ud83d', 5 * million),
  body('zero-width blanks', chat, asText, '\u200b', 10 * million),
  body('blanks between values', chat, [`{${model},"messages":[`, `${user}hi"}]}`], ' ', 31 * million),
  body(
    'a picture of nothing',
    chat,
    [
      `{${model},"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,`,
      '"}}]}]}',
    ],
    'AAAA',
    7 * million,
  ),
  body(
    'a document of nothing',
    messages,
    [
      `{${model},"max_tokens":9,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"`,
      '"}}]}]}',
    ],
    'JVBERi0x',
    3 * million,
  ),
  body('digits', chat, [`{${model},"n":`, '}'], '9', 30 * million),
  body('a string without an end', chat, [`{${model},"x":"`, ''], 'a', 30 * million),
]

export const hostileBodies: readonly HostileBody[] = [...overfullBodies, ...heavyBodies]

/** With a share of what was made to take long. */
export function bytesOf({ before, unit, times: all, after }: HostileBody, share = 1): Buffer {
  const times = Math.ceil(all * share)
  const first = unit(0)
  if (unit(1) === first) {
    const [head, part, tail] = [Buffer.from(before), Buffer.from(first), Buffer.from(after)]
    const bytes = Buffer.alloc(head.length + part.length * times + tail.length)
    head.copy(bytes)
    bytes.fill(part, head.length, head.length + part.length * times)
    tail.copy(bytes, head.length + part.length * times)
    return bytes
  }
  const parts: string[] = []
  for (let n = 0; n < times; n++) parts.push(unit(n))
  return Buffer.from(before + parts.join('') + after)
}
