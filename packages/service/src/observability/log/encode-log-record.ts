const severities: Readonly<Record<string, number>> = { debug: 5, info: 9, warn: 13, error: 17, fatal: 21 }

/**
 * Encodes a line of the log as a log record of OTLP, in JSON. Fields keep their names; those of objects are joined by dots, such as
 * `err.message`, because not every backend can search nested values.
 */
export function encodeLogRecord(line: string): string {
  const { level, time, msg, traceId, ...fields }: Record<string, unknown> = JSON.parse(line)
  return JSON.stringify({
    timeUnixNano: `${Date.parse(String(time))}000000`,
    severityNumber: severities[String(level)] ?? 0,
    severityText: level,
    body: { stringValue: msg ?? '' },
    attributes: [...flatten('', fields)],
    ...(traceId !== undefined && { traceId }),
  })
}

function* flatten(prefix: string, fields: object): Iterable<{ key: string; value: object }> {
  for (const [name, value] of Object.entries(fields)) {
    const key = prefix + name
    if (value === null || value === undefined) continue
    if (typeof value === 'object') yield* flatten(`${key}.`, value)
    else yield { key, value: encodeValue(value) }
  }
}

function encodeValue(value: unknown): object {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { stringValue: String(value) }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
