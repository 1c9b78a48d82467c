import { canonicalize } from './canonical.js'
import type { Entry, EntryCheck, ReceiptDraft } from './entry.js'

/**
 * The canonical text of an entry. Every field by name, in canonical order: the canonicaliser then has nothing to sort
 * (half the time), and a member that is no field of an entry, such as a prompt carried along by mistake, cannot slip
 * into the record.
 */
export function writeEntry(draft: ReceiptDraft, place: Pick<Entry, 'tenant' | 'seq' | 'prev'>): string {
  const { checks } = draft
  return joinMembers([
    canonicalize({ cachedTokens: draft.cachedTokens } satisfies Members<'cachedTokens'>),
    checks ? `{"checks":${writeChecks(checks)}}` : '{}',
    canonicalize({
      costMicros: draft.costMicros,
      event: draft.event,
      firstTokenMs: draft.firstTokenMs,
      id: draft.id,
      inputTokens: draft.inputTokens,
      key: draft.key,
      kind: draft.kind,
      latencyMs: draft.latencyMs,
      model: draft.model,
      outcome: draft.outcome,
      outputTokens: draft.outputTokens,
      packs: draft.packs,
      policies: draft.policies,
      prev: place.prev,
      promptId: draft.promptId,
      promptVersion: draft.promptVersion,
      provider: draft.provider,
      request: draft.request,
      response: draft.response,
      seq: place.seq,
      status: draft.status,
      stream: draft.stream,
      subject: draft.subject,
      team: draft.team,
      tenant: place.tenant,
      ts: draft.ts,
      upstream: draft.upstream,
      user: draft.user,
      v: 1,
    } satisfies Members<Exclude<keyof Entry, 'cachedTokens' | 'checks'>>),
  ])
}

type Members<Names extends keyof Entry> = Record<Names, unknown>

/** One object of the members of several. */
function joinMembers(objects: readonly string[]): string {
  let members = ''
  for (const object of objects) {
    if (object === '{}') continue
    members += `${members === '' ? '' : ','}${object.slice(1, -1)}`
  }
  return `{${members}}`
}

function writeChecks(checks: readonly EntryCheck[]): string {
  let lines = ''
  for (const check of checks) lines += `${lines === '' ? '' : ','}${writeCheck(check)}`
  return `[${lines}]`
}

/**
 * What passes leaves the same lines in every receipt. Whoever makes such a line once and freezes it has it written once:
 * with five policies, their lines took longer to write than all the rest of an entry.
 */
const written = new WeakMap<EntryCheck, string>()

function writeCheck(check: EntryCheck): string {
  const known = written.get(check)
  if (known !== undefined) return known
  const { action, applicable, name, policy, result } = check
  const line = canonicalize({ action, applicable, name, policy, result } satisfies Record<
    keyof EntryCheck,
    unknown
  >)
  if (Object.isFrozen(check)) written.set(check, line)
  return line
}
