import { generateKeyPairSync } from 'node:crypto'
import { chainEntries, genesisHead, type RecordHead } from '../../../packages/record/src/format/chain.js'
import type { ReceiptDraft } from '../../../packages/record/src/format/entry.js'
import { writeEntryLine, writeLine } from '../../../packages/record/src/format/export-format.js'
import { signCheckpoint } from '../../../packages/record/src/format/signing/checkpoint.js'
import { readSigningKey, type SigningKey } from '../../../packages/service/src/record/keys/signing-key.js'

/** A record made in memory, and exports of it: what a service would have written, without one. */
export interface TestRecord {
  tenant: string
  head: RecordHead
  /** Of every group: the head before it, its entries, and the note over it. */
  groups: { start: RecordHead; entries: { seq: number; canonical: string }[]; note: string }[]
}

export function makeSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 'A test key')
}

export function makeRecord(options: {
  groups: readonly number[]
  /** One for all groups, or one for each. */
  keys: readonly [SigningKey, ...SigningKey[]]
  tenant?: string
  draft?: (seq: number) => Partial<ReceiptDraft>
}): TestRecord {
  const { tenant = 'acme', keys, draft = () => ({}) } = options
  const groups: TestRecord['groups'] = []
  let head = genesisHead(tenant)
  for (const [place, count] of options.groups.entries()) {
    const drafts = Array.from({ length: count }, (_, i) => ({
      id: `req_${head.range.size + i + 1}`,
      ts: '2026-11-15T01:02:03.004Z',
      kind: 'model' as const,
      costNanos: 100,
      ...draft(head.range.size + i + 1),
    }))
    const chained = chainEntries(head, drafts)
    const { range } = chained.head
    const note = signCheckpoint({ tenant, size: range.size, root: range.root() }, keys[place] ?? keys[0])
    groups.push({ start: head, entries: chained.entries, note })
    head = chained.head
  }
  return { tenant, head, groups }
}

/** The lines of an export, without their breaks, from the given group on. */
export function exportLines(
  { tenant, head, groups }: TestRecord,
  keys: readonly SigningKey[],
  { fromGroup = 0, toGroup = groups.length } = {},
): string[] {
  const chosen = groups.slice(fromGroup, toGroup)
  const start = chosen[0]?.start ?? head
  const entries = chosen.flatMap((group) => group.entries)
  const text = [
    writeLine({
      type: 'tallystick-export',
      v: 1,
      tenant,
      fromSeq: start.range.size + 1,
      toSeq: start.range.size + entries.length,
      prev: start.prev.toString('hex'),
      frontier: start.range.hashes.map((hash) => hash.toString('hex')),
      keys: { keys: keys.map(({ publicKey }) => publicKey.jwk) },
    }),
    ...chosen.flatMap(({ entries, note }) => [
      ...entries.map(({ seq, canonical }) => writeEntryLine(seq, canonical)),
      writeLine({ type: 'seal', size: entries.at(-1)?.seq ?? 0, note }),
    ]),
    writeLine({ type: 'end', entries: entries.length, seals: chosen.length }),
  ]
  return text.map((line) => line.trimEnd())
}
