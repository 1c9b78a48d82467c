import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The unprivileged system account that Postgres runs as when this process runs as root. */
export interface Account {
  name: string
  uid: number
  gid: number
}

const PREFERRED_ACCOUNTS = ['tallystick', 'postgres', 'nobody']

/**
 * Chooses the account that Postgres runs as. Undefined for an ordinary user, as whom Postgres runs as well. Postgres refuses to run as
 * root, so under root it runs as the owner of the existing data, or as the first preferred account that exists. The account must have a
 * name in /etc/passwd, because initdb looks it up.
 */
export async function chooseAccount(postgresDir: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  const owner = await stat(postgresDir).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) {
    const listed = accounts.find((account) => account.uid === owner.uid)
    return listed ?? { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  for (const name of PREFERRED_ACCOUNTS) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid !== 0)
    if (account !== undefined) return account
  }
  throw new Error(
    `Postgres does not run as root, and none of the accounts ${PREFERRED_ACCOUNTS.join(', ')} exists. ` +
      'Create one, start as an ordinary user, or set DATABASE_URL.',
  )
}

export function parsePasswd(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (!name || !uid || !gid || name.startsWith('#')) return []
    return [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}

/** Returns whether the account can enter `folder` and every folder above it. */
export async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined) return true
  for (let path = await realpath(folder); ; path = dirname(path)) {
    const { mode, uid, gid } = await stat(path)
    // The kernel checks one class only: an owner without the bit cannot enter even if others can.
    const searchBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & searchBit) === 0) return false
    if (path === dirname(path)) return true
  }
}

/** Creates the folder if it is missing, and makes sure that the account can enter it, regardless of the umask. */
export async function ensureEnterable(folder: string, account: Account | undefined): Promise<void> {
  const created = await mkdir(folder, { recursive: true })
  if (created !== undefined && account !== undefined) await chmod(folder, 0o755)
  if (await canEnter(folder, account)) return
  throw new Error(
    `Postgres runs as ${account?.name}, which cannot enter ${folder}. Open it, or set DATABASE_URL.`,
  )
}
