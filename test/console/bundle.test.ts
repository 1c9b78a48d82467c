import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../packages/service/dist/console/', import.meta.url))
/** As it is sent. */
const sizeOf = (path: string) => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size

test('what a first visit loads stays below 250 kB, compressed: page, entry, styles and the fonts of its language', () => {
  const page = readFileSync(`${folder}index.html`, 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path = '']) => path)
  const ofKind = (end: string) => named.filter((path) => path.endsWith(end)).length
  expect([ofKind('.js') > 0, ofKind('.css') > 0, ofKind('.woff2')]).toEqual([true, true, 2])
  const sum = ['index.html', ...named].reduce((total, path) => total + sizeOf(`${folder}${path}`), 0)
  expect(sum).toBeLessThan(250_000)
})

test('the page names no script and no style in itself, and nothing from elsewhere', () => {
  const page = readFileSync(`${folder}index.html`, 'utf8')
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/)
  expect(page).not.toMatch(/<style|\sstyle=|https?:\/\//)
})
