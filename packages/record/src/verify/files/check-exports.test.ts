import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportLines, makeRecord, makeSigningKey } from '../../../../../test/harness/record/export-file.js'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { chainEntries } from '../../format/chain.js'
import { writeEntryLine } from '../../format/export-format.js'
import { checkExports } from './check-exports.js'
import { openDocument } from './documents.js'
import { splitLines } from './lines.js'
import { trustKeys } from './trusted-keys.js'

const key = makeSigningKey()

async function* chunksOf(bytes: Buffer) {
  yield bytes
}

async function check(lines: readonly string[]) {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const input = { name: 'export.jsonl', ...splitLines(chunksOf(bytes)), shareRead: () => null }
  const document = await openDocument(input)
  if (document.kind !== 'export') throw new Error('not an export')
  const trusted = trustKeys([], new Set([key.publicKey.id]))
  const hints = { key: '', checkpoint: '' }
  const [checked] = await checkExports([document], { trusted, pinned: [], recount: null, costs: null, hints })
  if (!checked) throw new Error('nothing was checked')
  return checked.finding
}

test('the number of entries that are said to hold before a fault is that of the entries under a seal that holds', async () => {
  const groupsOf = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(groupsOf, fc.nat(), fc.boolean(), async (groups, at, isChainedAgain) => {
      const record = makeRecord({ groups, keys: [key] })
      const sizes = groups.map((_, place) => groups.slice(0, place + 1).reduce((sum, each) => sum + each, 0))
      const total = sizes.at(-1) ?? 0
      const changed = 1 + (at % total)
      const place = sizes.findIndex((size) => size >= changed)
      const { start, entries } = record.groups[place] ?? { start: record.head, entries: [] }

      // Someone changes one entry; or that one and the chain after it, up to the next seal, which they cannot sign.
      const drafts = entries.map(({ seq, canonical }) => {
        const { v, seq: _, prev, tenant, ...draft } = JSON.parse(canonical)
        return { ...draft, ...(seq === changed && { costNanos: 99 }) }
      })
      const forged = chainEntries(start, drafts).entries
      const lines = exportLines(record, [key])
      const replaced = lines.map((line) => {
        const { type, seq } = JSON.parse(line)
        const other = forged.find((entry) => entry.seq === seq)
        const isReplaced = type === 'entry' && other && (isChainedAgain ? seq >= changed : seq === changed)
        return isReplaced ? writeEntryLine(other.seq, other.canonical).trimEnd() : line
      })
      expect(replaced).not.toEqual(lines)

      const { fault, established } = await check(replaced)
      expect(fault).not.toBeNull()
      const said = /^Before that, (\d+) entr/.exec(established[0] ?? '')?.[1]
      expect(Number(said)).toBe(sizes[place - 1] ?? 0)
    }),
    { numRuns: propertyRuns / 2 },
  )
})
