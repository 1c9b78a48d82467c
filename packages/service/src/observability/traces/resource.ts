/** Returns the beginning and the end of a request to the collector, which are the same for all spans of this process. */
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
