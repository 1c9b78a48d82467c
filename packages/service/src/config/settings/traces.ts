import { readInteger } from './integer.js'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Where and how traces are sent. The variables are those of OpenTelemetry. */
export interface TracesConfig {
  url: string
  /** The headers of each request, which may contain secrets. */
  headers: Record<string, string>
  isCompressed: boolean
  timeoutMs: number
  /** How long spans are collected before they are sent. */
  delayMs: number
  serviceName: string
  resourceAttributes: Record<string, string>
  sampler: (typeof samplers)[number]
  /** The share of new traces that is sampled, for samplers that have a ratio. */
  ratio: number
}

const delayName = 'OTEL_BSP_SCHEDULE_DELAY'

type Read = (name: string) => string | null

/** Returns null when no endpoint is configured. */
export function readTraces(read: Read, faults: string[]): TracesConfig | null {
  const isOff = read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none'
  if (isOff || ofTraces('ENDPOINT', read)[1] === null) return null
  const url = readEndpoint(read, faults)
  checkProtocol(read, faults)
  const exporter = read('OTEL_TRACES_EXPORTER')
  if (exporter !== null && exporter !== 'otlp') faults.push('OTEL_TRACES_EXPORTER: must be otlp or none')
  const [timeoutName, timeout] = ofTraces('TIMEOUT', read)
  const [compressionName, compression] = ofTraces('COMPRESSION', read)
  if (compression !== null && compression !== 'gzip' && compression !== 'none')
    faults.push(`${compressionName}: must be gzip or none`)
  const [headersName, headers] = ofTraces('HEADERS', read)
  const attributes = readPairs('OTEL_RESOURCE_ATTRIBUTES', read('OTEL_RESOURCE_ATTRIBUTES'), faults)
  const config = {
    headers: readHeaders(headersName, headers, faults),
    isCompressed: compression === 'gzip',
    timeoutMs: readInteger(timeout, 10_000, 1, 600_000, timeoutName, faults),
    delayMs: readInteger(read(delayName), 1_000, 1, 60_000, delayName, faults),
    serviceName: read('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? 'tallystick',
    resourceAttributes: attributes,
    ...readSampler(read, faults),
  }
  return url === null ? null : { url, ...config }
}

/** Reads a variable for traces, or else the one for all signals. */
function ofTraces(suffix: string, read: Read): [string, string | null] {
  const own = `OTEL_EXPORTER_OTLP_TRACES_${suffix}`
  const ofAll = `OTEL_EXPORTER_OTLP_${suffix}`
  const value = read(own)
  return value === null ? [ofAll, read(ofAll)] : [own, value]
}

/** The variable for traces contains the full URL. The variable for all signals is a base URL, to which the path of traces is added. */
function readEndpoint(read: Read, faults: string[]): string | null {
  const [name, text] = ofTraces('ENDPOINT', read)
  if (text === null) return null
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    faults.push(`${name}: must be an http or https URL`)
    return null
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    faults.push(`${name}: must not have a password in it; OTEL_EXPORTER_OTLP_HEADERS is for that`)
  if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT') url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  return url.href
}

function checkProtocol(read: Read, faults: string[]): void {
  const [name, protocol] = ofTraces('PROTOCOL', read)
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

function readSampler(read: Read, faults: string[]): Pick<TracesConfig, 'sampler' | 'ratio'> {
  const asked = read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const sampler = samplers.find((each) => each === asked)
  if (sampler === undefined) faults.push(`OTEL_TRACES_SAMPLER: must be one of ${samplers.join(', ')}`)
  const text = read('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const ratio = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || ratio > 1)
    faults.push('OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1')
  return { sampler: sampler ?? 'parentbased_always_on', ratio }
}
