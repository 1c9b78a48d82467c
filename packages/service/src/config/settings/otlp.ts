import { readInteger } from './integer.js'

/** Where and how one signal is sent. The variables are those of OpenTelemetry. */
export interface OtlpConfig {
  url: string
  /** The headers of each request, which may contain secrets. */
  headers: Record<string, string>
  isCompressed: boolean
  timeoutMs: number
  /** How long spans or log lines are collected before they are sent. */
  delayMs: number
  serviceName: string
  resourceAttributes: Record<string, string>
}

type Read = (name: string) => string | null
type Signal = 'TRACES' | 'LOGS'

const delayNames = { TRACES: 'OTEL_BSP_SCHEDULE_DELAY', LOGS: 'OTEL_BLRP_SCHEDULE_DELAY' } as const

export const isSdkDisabled = (read: Read): boolean => read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true'

export const hasEndpoint = (signal: Signal, read: Read): boolean =>
  ofSignal(signal, 'ENDPOINT', read)[1] !== null

/** Returns null when the endpoint cannot be read, which is a fault. */
export function readOtlp(signal: Signal, read: Read, faults: string[]): OtlpConfig | null {
  const url = readEndpoint(signal, read, faults)
  checkProtocol(signal, read, faults)
  const exporter = read(`OTEL_${signal}_EXPORTER`)
  if (exporter !== null && exporter !== 'otlp') faults.push(`OTEL_${signal}_EXPORTER: must be otlp or none`)
  const [timeoutName, timeout] = ofSignal(signal, 'TIMEOUT', read)
  const [compressionName, compression] = ofSignal(signal, 'COMPRESSION', read)
  if (compression !== null && compression !== 'gzip' && compression !== 'none')
    faults.push(`${compressionName}: must be gzip or none`)
  const [headersName, headers] = ofSignal(signal, 'HEADERS', read)
  const attributes = readPairs('OTEL_RESOURCE_ATTRIBUTES', read('OTEL_RESOURCE_ATTRIBUTES'), faults)
  const delayName = delayNames[signal]
  const config = {
    headers: readHeaders(headersName, headers, faults),
    isCompressed: compression === 'gzip',
    timeoutMs: readInteger(timeout, 10_000, 1, 600_000, timeoutName, faults),
    delayMs: readInteger(read(delayName), 1_000, 1, 60_000, delayName, faults),
    serviceName: read('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? 'tallystick',
    resourceAttributes: attributes,
  }
  return url === null ? null : { url, ...config }
}

/** Reads a variable for the signal, or else the one for all signals. */
function ofSignal(signal: Signal, suffix: string, read: Read): [string, string | null] {
  const own = `OTEL_EXPORTER_OTLP_${signal}_${suffix}`
  const ofAll = `OTEL_EXPORTER_OTLP_${suffix}`
  const value = read(own)
  return value === null ? [ofAll, read(ofAll)] : [own, value]
}

/** The variable for a signal contains the full URL. The variable for all signals is a base URL, to which the path of the signal is added. */
function readEndpoint(signal: Signal, read: Read, faults: string[]): string | null {
  const [name, text] = ofSignal(signal, 'ENDPOINT', read)
  if (text === null) return null
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    faults.push(`${name}: must be an http or https URL`)
    return null
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    faults.push(`${name}: must not have a password in it; OTEL_EXPORTER_OTLP_HEADERS is for that`)
  if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT')
    url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/${signal.toLowerCase()}`
  return url.href
}

function checkProtocol(signal: Signal, read: Read, faults: string[]): void {
  const [name, protocol] = ofSignal(signal, 'PROTOCOL', read)
  if (protocol === null || protocol === 'http/json') return
  faults.push(
    `${name}: must be http/json, the only one that is spoken; a collector takes it at the address of http/protobuf`,
  )
}

/** Parses `name=value,name=value` with percent-encoded values. */
function readPairs(name: string, text: string | null, faults: string[]): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const part of (text ?? '').split(',')) {
    if (part.trim() === '') continue
    const equals = part.indexOf('=')
    const key = part.slice(0, Math.max(equals, 0)).trim()
    const value = decode(part.slice(equals + 1).trim())
    if (key === '' || value === null) {
      faults.push(`${name}: must be name=value pairs, separated by commas, with values percent-encoded`)
      return {}
    }
    pairs[key] = value
  }
  return pairs
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function readHeaders(name: string, text: string | null, faults: string[]): Record<string, string> {
  const headers = readPairs(name, text, faults)
  const isWritable = ([header, value]: [string, string]) =>
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header) && /^[\t\x20-\x7e]*$/.test(value)
  if (!Object.entries(headers).every(isWritable)) {
    faults.push(`${name}: has a name or a value that cannot be a header`)
    return {}
  }
  return headers
}
