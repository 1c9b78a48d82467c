/**
 * The stages of a call, in their order, each with its budget: the processor time of the main thread in microseconds that a plain call with 32
 * connections may take there.
 */
export const budgetsUs = {
  'receive and read': 90,
  plan: 40,
  admit: 40,
  forward: 80,
  settle: 10,
  receipt: 40,
  commit: 70,
  deliver: 30,
  other: 0,
}

/** The innermost function on a stack that matches a rule decides; the first matching rule counts. @type {readonly (readonly [RegExp, string])[]} */
const rules = [
  [/calls\/core\/admission\/admit-attempt|^src\/limits\/|record\/open-calls\//, 'admit'],
  [/calls\/core\/admission\//, 'plan'],
  [/attempt\/receipt|record\/write\/(receipt|compose|price-entries)|^record\/src\/format\//, 'receipt'],
  [/^src\/(record|db)\/|reporting\//, 'commit'],
  [/attempt\/(count-usage|finished-attempt)/, 'settle'],
  [/attempt\/forward|^src\/(outbound|providers\/transport)\/|calls\/model\/stream\//, 'forward'],
  [/calls\/model\/(answer|content|caller)|calls\/core\/answer|^src\/observability\//, 'deliver'],
  [
    /calls\/model\/(plan|policies|routing|cache|attempt)\/|^src\/(policies|providers\/(input|tokenizer))/,
    'plan',
  ],
  [
    /calls\/(core\/request|model\/(kind|call|routes|describe|model-routes|idempotency))|^src\/http\//,
    'receive and read',
  ],
  [/node:_http_server|node:_http_(incoming|outgoing|common)/, 'receive and read'],
]

/** @param {string} source @param {string} _name @returns {string | null} */
export function stageOf(source, _name) {
  return rules.find(([pattern]) => pattern.test(source))?.[1] ?? null
}
