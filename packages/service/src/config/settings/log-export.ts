import { hasEndpoint, isSdkDisabled, type OtlpConfig, readOtlp } from './otlp.js'

const exporterName = 'OTEL_LOGS_EXPORTER'

/**
 * Reads where log lines are sent besides the standard output. Null unless that is asked for: OpenTelemetry's default would send them to
 * every collector of traces, and many take nothing but traces.
 */
export function readLogExport(read: (name: string) => string | null, faults: string[]): OtlpConfig | null {
  const exporter = read(exporterName)
  if (isSdkDisabled(read) || exporter === 'none') return null
  if (exporter === null && read('OTEL_EXPORTER_OTLP_LOGS_ENDPOINT') === null) return null
  if (!hasEndpoint('LOGS', read)) {
    faults.push(`${exporterName}: needs OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_LOGS_ENDPOINT`)
    return null
  }
  // Variables of all signals have been checked for traces already.
  const found: string[] = []
  const config = readOtlp('LOGS', read, found)
  faults.push(...found.filter((fault) => !faults.includes(fault)))
  return config
}
