/** An event of a stream, as the standard of server-sent events has a reader understand it. */
export interface ServerEvent {
  type: string
  data: string
  lastEventId: string
}

/** Reads text/event-stream in pieces, by the rules of the HTML standard: https://html.spec.whatwg.org/#event-stream-interpretation */
export function createEventParser(onEvent: (event: ServerEvent) => void) {
  let rest = ''
  let type = ''
  let data: string[] = []
  const parser = { lastEventId: '', retryMs: null as number | null, comments: [] as string[], push }

  function push(text: string): void {
    rest += text
    let start = 0
    for (const match of rest.matchAll(/\r\n|\n|\r/g)) {
      // The other half of this line break may be in the next piece.
      if (match[0] === '\r' && match.index === rest.length - 1) break
      readLine(rest.slice(start, match.index))
      start = match.index + match[0].length
    }
    rest = rest.slice(start)
  }

  function readLine(line: string): void {
    if (line === '') dispatch()
    else if (line.startsWith(':')) parser.comments.push(line.slice(1).trim())
    else readField(line)
  }

  function readField(line: string): void {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') type = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) parser.lastEventId = value
    else if (field === 'retry' && /^\d+$/.test(value)) parser.retryMs = Number(value)
  }

  function dispatch(): void {
    const event = { type: type || 'message', data: data.join('\n'), lastEventId: parser.lastEventId }
    const isEmpty = data.length === 0
    type = ''
    data = []
    if (!isEmpty) onEvent(event)
  }

  return parser
}
