import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { locks } from './locks.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const listFiles = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|sql|lua)$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => join(folder, path))

test('no two locks have the same id', () => {
  const ids = Object.values(locks)
  expect(new Set(ids).size).toBe(ids.length)
})

test('no file but this one names the id of a lock', () => {
  const files = [...listFiles('src'), ...listFiles('migrations')]
  expect(files).toContain(join('src', 'db', 'locks', 'locks.ts'))
  const named = files.filter((path) =>
    /\b7_?070_?\d{3}\b|advisory\w*\s*\(\s*\d/.test(readFileSync(join(root, path), 'utf8')),
  )
  expect(named).toEqual([join('src', 'db', 'locks', 'locks.ts')])
})
