/** Events of the service as they happen. The last one, `bye` or `error`, says why the stream ended. */
export type EventStream<Event> = AsyncIterable<Event>

/** Reads server-sent events. The data of each event is JSON. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  let fields: Record<string, string> = {}
  for await (const line of readLines(body)) {
    if (line === '') {
      const { data, ...rest } = fields
      if (data !== undefined) yield { ...rest, data: JSON.parse(data) }
      fields = {}
    } else {
      // A line that begins with a colon is a comment. The service sends each field once, on one line.
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
      if (name !== '') fields[name] = value
    }
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of readChunks(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Not every browser can iterate a stream. Breaking off cancels the request. */
export async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
