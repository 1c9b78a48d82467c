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
    // A piece may end between the two characters of a line break.
    for (let match = nextLine(); match !== null; match = nextLine()) {
      rest = rest.slice(match.length)
      readLine(match.line)
    }
  }

  function nextLine(): { line: string; length: number } | null {
    const found = /^([^\r\n]*)(\r\n|\n|\r(?=.))/s.exec(rest)
    return found === null ? null : { line: found[1] ?? '', length: found[0].length }
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
