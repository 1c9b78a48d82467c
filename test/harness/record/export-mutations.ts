import fc from 'fast-check'
import { canonicalize } from '../../../packages/record/src/json/index.js'

/** Ways to change the bytes of an export, drawn at random. */
export const mutationsOf = (lines: readonly string[]): fc.Arbitrary<(whole: Buffer) => Buffer> => {
  const { onLines, onEntries } = changesOf(lines.length)
  return fc.oneof(
    fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => (bytes: Buffer) => {
      const place = at % bytes.length
      return Buffer.from(bytes.with(place, (bytes[place] ?? 0) ^ mask))
    }),
    fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % bytes.length)),
    onLines((all, at) => all.toSpliced(at, 1)),
    onLines((all, at) => all.toSpliced(at, 0, all[at] ?? '')),
    onLines((all, at, other) => all.with(at, all[other] ?? '').with(other, all[at] ?? '')),
    onLines((all, at, other) => all.with(at, all[other] ?? '')),
    // A character of the text that was hashed, in a way that leaves it JSON.
    onLines((all, at, other) =>
      all.with(
        at,
        (all[at] ?? '').replace(/[0-9a-f]/g, (digit, place) => (place % 97 === other ? '7' : digit)),
      ),
    ),
    onEntries((fields, other) => ({ ...fields, costNanos: other })),
    onEntries((fields, other) => ({ ...fields, seq: other })),
    onEntries((fields, other) => ({ ...fields, prev: String(other).repeat(64) })),
    onEntries(({ user, ...fields }) => fields),
  )
}

function changesOf(count: number) {
  function onLines(change: (lines: string[], at: number, other: number) => string[]) {
    return fc.tuple(fc.nat(count - 1), fc.nat(count - 1)).map(
      ([at, other]) =>
        (bytes: Buffer) =>
          Buffer.from(`${change(bytes.toString().trimEnd().split('\n'), at, other).join('\n')}\n`),
    )
  }

  function onEntries(change: (fields: Record<string, unknown>, other: number) => object) {
    return onLines((all, at, other) => {
      const line: Record<string, unknown> = JSON.parse(all[at] ?? '')
      if (line.type !== 'entry') return all
      const canonical = canonicalize(change(JSON.parse(String(line.canonical)), other))
      return all.with(at, JSON.stringify({ ...line, canonical }))
    })
  }
  return { onLines, onEntries }
}
