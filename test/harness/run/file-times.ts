import { readFileSync, writeFileSync } from 'node:fs'

const place = new URL('./file-times.json', import.meta.url)

/** The seconds that each test file took when that was recorded last. Those of files that are not there were below `recordedFromMs`. */
export function readFileTimes(): ReadonlyMap<string, number> {
  return new Map(Object.entries(JSON.parse(readFileSync(place, 'utf8'))))
}

const recordedFromMs = 2_000

/** What took no notable time is left out: `npm run test:times` writes it, and only such changes as matter should be seen. */
export function writeFileTimes(took: ReadonlyMap<string, number>): void {
  const times = new Map(readFileTimes())
  for (const [file, ms] of took) {
    if (ms < recordedFromMs) times.delete(file)
    else times.set(file, Math.round(ms / 1000))
  }
  const longestFirst = [...times].sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
  writeFileSync(place, `${JSON.stringify(Object.fromEntries(longestFirst), null, 2)}\n`)
}
