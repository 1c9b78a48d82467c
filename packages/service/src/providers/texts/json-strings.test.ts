import { expect, test } from 'vitest'
import { JsonStrings } from './json-strings.js'

function readAll(json: string): string[] {
  const strings = new JsonStrings(json)
  const found: string[] = []
  while (strings.next()) {
    if (strings.kind === 'nothing') continue
    expect(json[strings.start]).toBe('"')
    expect(json[strings.end - 1]).toBe('"')
    found.push(strings.read())
  }
  return found
}

const units = ['a', '\\n', '\\u0041', '\\\\', '\\"', 'é', '語', '😀', '\\ud83d\\ude00', 'a\\"', 'b\\\\c']

test.each(units)('a long string of %s is read in pieces and is what it was', (unit) => {
  for (const shift of [0, 1, 2, 3, 4, 5]) {
    const long = `"${'x'.repeat(shift)}${unit.repeat(200_000 / unit.length)}"`
    const json = `{"a":"\\"","b":${long},${long}:"c"}`
    expect(readAll(json)).toEqual(['a', '"', 'b', JSON.parse(long), JSON.parse(long), 'c'])
  }
})

test('a long string takes more than one turn where it has to be decoded', () => {
  const strings = new JsonStrings(JSON.stringify(['"'.repeat(400_000)]))
  let turns = 0
  while (strings.next()) turns += 1
  expect(turns).toBeGreaterThan(3)
})
