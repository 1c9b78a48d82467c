/** What the spans of this process have in common: the head and the tail of a request to the collector. */
export function encodeEnvelope(
  serviceName: string,
  attributes: Readonly<Record<string, string>>,
): { head: string; tail: string } {
  const all = { ...attributes, 'service.name': serviceName }
  const resource = {
    attributes: Object.entries(all).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  }
  const scope = { name: 'tallystick' }
  return {
    head: `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`,
    tail: ']}]}]}',
  }
}
