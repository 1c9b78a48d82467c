import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { exportLines, makeRecord, makeSigningKey } from '../../../test/harness/export-file.js'
import { chainEntries } from '../../ledger/format/chain.js'
import { writeEntryLine } from '../../ledger/format/export-format.js'
import { checkExports } from './check-exports.js'
import { openDocument } from './documents.js'
import { readTrustedKeys } from './trusted-keys.js'

const folder = mkdtempSync(join(tmpdir(), 'tallystick-exports-'))
afterAll(() => rmSync(folder, { recursive: true }))

const key = makeSigningKey()

async function check(lines: readonly string[]) {
  const path = join(folder, 'export.jsonl')
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  const document = await openDocument(path)
  if (document.kind !== 'export') throw new Error('not an export')
  const options = { trusted: readTrustedKeys([key.publicKey.id]), pinned: [], recount: null, costs: null }
  const [checked] = await checkExports([document], options)
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
    { numRuns: 60 },
  )
})
