import { readFileSync, writeFileSync } from 'node:fs'

const place = new URL('./file-times.json', import.meta.url)

/** The recorded seconds of each test file. Files that are not listed took less than `recordedFromMs`. */
export function readFileTimes(): ReadonlyMap<string, number> {
  return new Map(Object.entries(JSON.parse(readFileSync(place, 'utf8'))))
}

const recordedFromMs = 2_000

/** Files that take less than this are not recorded by `npm run test:times`, so that only relevant changes show up. */
export function writeFileTimes(took: ReadonlyMap<string, number>): void {
  const times = new Map(readFileTimes())
  for (const [file, ms] of took) {
    if (ms < recordedFromMs) times.delete(file)
    else times.set(file, Math.round(ms / 1000))
  }
  const longestFirst = [...times].sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
  writeFileSync(place, `${JSON.stringify(Object.fromEntries(longestFirst), null, 2)}\n`)
}
