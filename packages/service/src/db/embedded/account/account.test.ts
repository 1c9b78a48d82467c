import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, canEnter, chooseAccount, parsePasswd } from './account.js'

// No system gives this uid to anyone, so only the bits for others apply to it.
const STRANGER: Account = { name: 'stranger', uid: 4_000_000, gid: 4_000_000 }

describe('the account Postgres runs as', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tallystick-account-'))
    await mkdir(join(root, 'inner'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  it('is ours for an ordinary user, and never root', async () => {
    const account = await chooseAccount(join(root, 'none'))
    if (process.getuid?.() === 0) expect(account?.uid).toBeGreaterThan(0)
    else expect(account).toBeUndefined()
  })

  it('cannot enter an open folder below a closed one', async () => {
    await chmod(join(root, 'inner'), 0o755)
    await chmod(root, 0o700)
    expect(await canEnter(join(root, 'inner'), STRANGER)).toBe(false)
    await chmod(root, 0o711)
    expect(await canEnter(join(root, 'inner'), STRANGER)).toBe(true)
  })

  it('is kept out by its own class of bits even if others may enter', async () => {
    await chmod(root, 0o711)
    const owner: Account = { name: 'owner', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    await chmod(join(root, 'inner'), 0o011)
    expect(await canEnter(join(root, 'inner'), owner)).toBe(false)
    await chmod(join(root, 'inner'), 0o755)
    expect(await canEnter(join(root, 'inner'), owner)).toBe(true)
  })

  it('is read from passwd lines, past comments and blanks', () => {
    const text = '# users\nroot:x:0:0:root:/root:/bin/sh\n\nnobody:*:65534:65533:Nobody:/:/bin/false\n'
    expect(parsePasswd(text)).toEqual([
      { name: 'root', uid: 0, gid: 0 },
      { name: 'nobody', uid: 65534, gid: 65533 },
    ])
  })
})
