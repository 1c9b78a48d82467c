import { hasEndpoint, isSdkDisabled, type OtlpConfig, readOtlp } from './otlp.js'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Where and how traces are sent. The variables are those of OpenTelemetry. */
export interface TracesConfig extends OtlpConfig {
  sampler: (typeof samplers)[number]
  /** The share of new traces that is sampled, for samplers that have a ratio. */
  ratio: number
}

type Read = (name: string) => string | null

/** Returns null when no endpoint is configured. */
export function readTraces(read: Read, faults: string[]): TracesConfig | null {
  const isOff = isSdkDisabled(read) || read('OTEL_TRACES_EXPORTER') === 'none'
  if (isOff || !hasEndpoint('TRACES', read)) return null
  const config = readOtlp('TRACES', read, faults)
  const sampling = readSampler(read, faults)
  return config && { ...config, ...sampling }
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
