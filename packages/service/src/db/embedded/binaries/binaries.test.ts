import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '../account/account.js'
import { findPlatformPackage, prepareBinaries } from './binaries.js'

const STRANGER: Account = { name: 'stranger', uid: 4_000_000, gid: 4_000_000 }

describe('the bundled binaries', () => {
  let root: string
  let packageDir: string
  let messages: string[]
  const log = (message: string) => void messages.push(message)

  // A package as npm unpacks it when install scripts are off: listed symlinks, none made.
  beforeEach(async () => {
    messages = []
    root = await mkdtemp(join(tmpdir(), 'tallystick-binaries-'))
    await chmod(root, 0o755)
    packageDir = join(root, 'closed', 'linux-x64')
    await mkdir(join(packageDir, 'native', 'bin'), { recursive: true })
    await mkdir(join(packageDir, 'native', 'lib'))
    await writeFile(join(packageDir, 'package.json'), '{"version":"18.0.0"}')
    await writeFile(join(packageDir, 'native', 'bin', 'postgres'), 'program', { mode: 0o700 })
    await writeFile(join(packageDir, 'native', 'lib', 'libx.so.1.2'), 'library', { mode: 0o600 })
    await writeFile(
      join(packageDir, 'native', 'pg-symlinks.json'),
      '[{"source":"native/lib/libx.so.1.2","target":"native/lib/libx.so.1"}]',
    )
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('are installed for this platform', async () => {
    expect(await readdir(join(findPlatformPackage(), 'native', 'bin'))).toContain('postgres')
  })

  it('are said to be missing, and what to do, where there are none', () => {
    expect(() => findPlatformPackage('sunos', 'x64')).toThrow(/no bundled Postgres for sunos.*DATABASE_URL/)
    expect(() => findPlatformPackage('win32', 'x64')).toThrow(/DATABASE_URL/)
  })

  it('get the symlinks that the install script did not make', async () => {
    const { postgres } = await prepareBinaries({ packageDir, copiesDir: root, account: undefined, log })
    expect(postgres).toBe(join(packageDir, 'native', 'bin', 'postgres'))
    expect(await readlink(join(packageDir, 'native', 'lib', 'libx.so.1'))).toBe('libx.so.1.2')
    expect(messages).toEqual([])
  })

  it('are copied, with symlinks and for all to read, when the account cannot reach them', async () => {
    await chmod(join(root, 'closed'), 0o700)
    const prepare = () =>
      prepareBinaries({ packageDir, copiesDir: join(root, 'copies'), account: STRANGER, log })
    const [first, second] = await Promise.all([prepare(), prepare()])
    expect(first).toEqual(second)
    expect(await readdir(join(root, 'copies'))).toEqual(['postgres-18.0.0-linux-x64'])
    const native = join(root, 'copies', 'postgres-18.0.0-linux-x64', 'native')
    expect(await readFile(join(native, 'lib', 'libx.so.1'), 'utf8')).toBe('library')
    expect((await stat(join(native, 'lib', 'libx.so.1.2'))).mode & 0o777).toBe(0o644)
    expect((await stat(first.postgres)).mode & 0o777).toBe(0o755)
    expect((await stat(join(native, 'lib'))).mode & 0o777).toBe(0o755)
    expect(messages[0]).toContain('copying the Postgres binaries')
  })
})
