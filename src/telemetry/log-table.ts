/**
 * Every field of a log line. What is not in this table is not written: no content of a call, no key and no header of a caller
 * can get into the log by a field that somebody added in a hurry.
 */
export const logFields = {
  level:
    'How bad it is: `info` for what happens, `warn` for what someone should look at, `error` for a fault of ours',
  time: 'When it was written, in UTC',
  pid: 'The process that wrote it',
  hostname: 'The machine or container that wrote it',
  msg: 'What happened and, where there is something to do, what to do',
  advice: 'What to do about an error of work in the background',
  work: 'Which work in the background it was',
  err: 'A fault: `type`, `message`, `code`, `stack`, and its `cause`',
  heldBack: 'How many lines with this message were left out during the last minute',
  lost: 'How many lines could not be written because nobody read them',
  requestId: 'The id of the call, as in `X-Tallystick-Request-Id`',
  receipt: 'The number of the receipt in the record of its tenant; left out while it waits to be numbered',
  tenant: 'Whose call it was',
  key: 'The id of the virtual key; never its value',
  user: 'The owner of the key',
  team: 'The team that the call counts for',
  session: 'The session that the caller named',
  tags: 'The tags of the call',
  endpoint: 'The dialect that was spoken: `chat`, `responses`, `embeddings`, `messages`',
  model: 'The model that was asked for',
  provider: 'Where it was sent',
  upstream: 'The model that answered, as the provider calls it',
  stream: 'Whether the answer was asked for as a stream',
  attempts: 'How many requests were sent to providers for it',
  status: 'What the caller got; 499 when it had hung up',
  upstreamStatus: 'What the provider answered with',
  outcome: 'As in the receipt; `refused` where there is none',
  error: 'The type of the error that the caller got',
  reason: 'Its words, where they cannot repeat what the caller sent',
  policy: 'The policy that blocked it',
  check: 'The check that blocked it',
  inputTokens: 'Tokens in',
  outputTokens: 'Tokens out',
  cachedTokens: 'Tokens in that the provider had cached',
  costNanos: 'What it cost in nano-dollars (1e-9 USD), exactly as in the receipt',
  usage: 'Where the counts come from: `provider`, `counted`, `reserved`',
  doubt: 'Why the count of the provider cannot be right',
  latencyMs: 'Until the end of the answer, from when the request was here',
  firstByteMs: 'Until the first byte of the answer',
  stages: 'Milliseconds of each stage that the call came to',
  traceId: 'The trace of the call, where traces are on',
  process: 'Another process of this service',
  calls: 'How many calls it is about',
  signingKey: 'The id of a key that seals the record',
  lines: 'How many lines of a file it is about',
  draft: 'A receipt that the record refused: a copy for the operator',
  dropped: 'How many spans were not exported since the last such line',
} as const

export type LogField = keyof typeof logFields

export const isLogField = (name: string): name is LogField => Object.hasOwn(logFields, name)
