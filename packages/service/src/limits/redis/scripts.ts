import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Script {
  readonly source: string
  readonly sha: string
}

export type Scripts = ReturnType<typeof readScripts>

// A server that is out of memory rejects a script before it begins, unless the script has the flag `allow-oom`. Scripts that free
// memory or end calls have it, scripts that admit calls do not.
const refusedWhenFull = '#!lua\n'
const allowedWhenFull = '#!lua flags=allow-oom\n'

export function readScripts() {
  return {
    admit: readScript(refusedWhenFull, 'admit', 'window', 'account', 'hold'),
    settle: readScript(allowedWhenFull, 'settle', 'window', 'account', 'hold'),
    countReceipts: readScript(allowedWhenFull, 'count-receipts', 'window', 'account', 'hold'),
    readHolds: readScript(allowedWhenFull, 'read-holds'),
    readWindows: readScript(allowedWhenFull, 'read-windows', 'window'),
    readReserved: readScript(allowedWhenFull, 'read-reserved', 'account'),
    beginLoad: readScript(refusedWhenFull, 'begin-load'),
    writeUses: readScript(refusedWhenFull, 'write-uses', 'window'),
    publishGeneration: readScript(refusedWhenFull, 'publish-generation', 'window', 'account', 'hold'),
    storeAccountSpend: readScript(refusedWhenFull, 'store-account-spend', 'account'),
    forgetTenant: readScript(allowedWhenFull, 'forget-tenant'),
  }
}

/** Joins a script with the files whose functions it uses, because Redis runs a single text. */
function readScript(flags: string, name: string, ...libraries: string[]): Script {
  const source = flags + ['common', ...libraries, name].map(readLua).join('\n')
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

const readLua = (name: string): string => readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), 'utf8')
