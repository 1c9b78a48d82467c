import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUILD_TIMEOUT_MS, buildFolder } from './build-folder.js'

describe('a folder that is built aside', () => {
  let parent: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'tallystick-build-'))
  })
  afterEach(() => rm(parent, { recursive: true, force: true }))

  const buildWith = (content: string) => async (scratch: string) => {
    const finished = join(scratch, 'finished')
    await mkdir(finished)
    await writeFile(join(finished, 'content'), content)
    return finished
  }

  it('leaves nothing behind when the build fails', async () => {
    const build = async (scratch: string) => {
      await buildWith('half')(scratch)
      throw new Error('no space')
    }
    await expect(buildFolder(join(parent, 'target'), build)).rejects.toThrow('no space')
    expect(await readdir(parent)).toEqual([])
  })

  it('is built once when two build it at the same time', async () => {
    const target = join(parent, 'target')
    await Promise.all([buildFolder(target, buildWith('same')), buildFolder(target, buildWith('same'))])
    expect(await readdir(parent)).toEqual(['target'])
    expect(await readFile(join(target, 'content'), 'utf8')).toBe('same')
  })

  it('never replaces one that is there', async () => {
    const target = join(parent, 'target')
    await buildFolder(target, buildWith('first'))
    await buildFolder(target, buildWith('second'))
    expect(await readFile(join(target, 'content'), 'utf8')).toBe('first')
  })

  it('takes leftovers of dead and of overdue builders away, and spares a living one', async () => {
    const living = `.build-${process.pid}-living`
    const overdue = `.build-${process.pid}-overdue`
    for (const name of [living, overdue, `.build-${2 ** 22 + 1}-dead`]) await mkdir(join(parent, name))
    const then = (Date.now() - BUILD_TIMEOUT_MS - 1_000) / 1000
    await utimes(join(parent, overdue), then, then)
    await buildFolder(join(parent, 'target'), buildWith('new'))
    expect((await readdir(parent)).sort()).toEqual([living, 'target'].sort())
  })
})
