import { codes, RpcFault } from './rpc.js'

/** The media types that a caller accepts for an answer. */
export interface Accepted {
  json: boolean
  stream: boolean
}

/** Reads the Accept header. Without one, everything is accepted. The older protocol requires both types, but one is enough here. */
export function readAccept(header: string | undefined): Accepted {
  if (header === undefined) return { json: true, stream: true }
  const ranges = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((range) => range.split(';').map((part) => part.trim()))
      .filter(([, ...parameters]) => !parameters.some((each) => /^q=0(\.0{0,3})?$/.test(each)))
      .map(([type]) => type),
  )
  const takes = (type: string, group: string) => ranges.has(type) || ranges.has(group) || ranges.has('*/*')
  return {
    json: takes('application/json', 'application/*'),
    stream: takes('text/event-stream', 'text/*'),
  }
}

export const notAcceptable = (what: string): RpcFault =>
  new RpcFault({ code: codes.refused, message: `Not Acceptable: the client must accept ${what}` }, 406)
