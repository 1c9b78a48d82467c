const lists = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
} as const

/** Returns the beginning and the end of a request to the collector, which are the same for everything that this process sends. */
export function encodeEnvelope(
  signal: keyof typeof lists,
  serviceName: string,
  attributes: Readonly<Record<string, string>>,
): { head: string; tail: string } {
  const all = { ...attributes, 'service.name': serviceName }
  const resource = {
    attributes: Object.entries(all).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  }
  const [resources, scopes, items] = lists[signal]
  const scope = { name: 'tallystick' }
  return {
    head: `{"${resources}":[{"resource":${JSON.stringify(resource)},"${scopes}":[{"scope":${JSON.stringify(scope)},"${items}":[`,
    tail: ']}]}]}',
  }
}
