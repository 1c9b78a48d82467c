import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../dist/console/', import.meta.url))
const sizeOf = (path: string) => statSync(`${folder}${path}`).size

test('what a first visit loads stays below 250 kB, compressed: page, entry, styles and the fonts of its language', () => {
  const page = readFileSync(`${folder}index.html`, 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path = '']) => `${path}.br`)
  expect(named.length).toBeGreaterThan(1)
  const fonts = readdirSync(`${folder}assets`)
    .filter((name) => /^geist(-mono)?-latin-wght/.test(name))
    .map((name) => `assets/${name}`)
  expect(fonts).toHaveLength(2)
  const sum = ['index.html.br', ...named, ...fonts].reduce((total, path) => total + sizeOf(path), 0)
  expect(sum).toBeLessThan(250_000)
})

test('the page names no script and no style in itself, and nothing from elsewhere', () => {
  const page = readFileSync(`${folder}index.html`, 'utf8')
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/)
  expect(page).not.toMatch(/<style|\sstyle=|https?:\/\//)
})
