/** An event as it goes over the wire. JSON has no line breaks, so one line of data is enough. */
export const writeEvent = (type: string, data: object, id?: string): string =>
  writeJsonEvent(type, JSON.stringify(data), id)

export const writeJsonEvent = (type: string, json: string, id?: string): string =>
  id === undefined ? `event: ${type}\ndata: ${json}\n\n` : `event: ${type}\nid: ${id}\ndata: ${json}\n\n`

/** A comment, for proxies that close what is silent. An id without data moves the reader's last id and makes no event. */
export const writePing = (id: string): string => `: ping\nid: ${id}\n\n`
