import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFile, renameDurably } from './durable-files.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallystick-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('of many that create a file at the same moment one succeeds, and the file is whole and its owner’s alone', async () => {
  const path = join(folder, 'secret')
  const texts = Array.from({ length: 20 }, (_, i) => `${i}`.repeat(10_000))
  const created = await Promise.all(texts.map((text) => createFile(path, text)))
  const winner = texts[created.indexOf(true)]
  expect(created.filter(Boolean)).toHaveLength(1)
  expect(await readFile(path, 'utf8')).toBe(winner)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['secret'])
})

test('a file in a folder that does not exist is reported', async () => {
  await expect(createFile(join(folder, 'missing', 'secret'), 'x')).rejects.toThrow('ENOENT')
})

test('a rename replaces what is there', async () => {
  const [from, to] = [join(folder, 'next'), join(folder, 'current')]
  await writeFile(from, 'new')
  await writeFile(to, 'old')
  await renameDurably(from, to)
  expect(await readFile(to, 'utf8')).toBe('new')
  expect(await readdir(folder)).toEqual(['current'])
})
