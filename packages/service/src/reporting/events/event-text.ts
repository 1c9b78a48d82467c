/** Writes an event in its wire form. JSON has no line breaks, so one line of data is enough. */
export const writeEvent = (type: string, data: object, id?: string): string =>
  writeJsonEvent(type, JSON.stringify(data), id)

export const writeJsonEvent = (type: string, json: string, id?: string): string =>
  id === undefined ? `event: ${type}\ndata: ${json}\n\n` : `event: ${type}\nid: ${id}\ndata: ${json}\n\n`

/**
 * Writes a comment, for proxies that close silent connections. An id without data advances the reader's last id and
 * is not an event.
 */
export const writePing = (id: string): string => `: ping\nid: ${id}\n\n`
