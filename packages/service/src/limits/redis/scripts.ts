import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Script {
  readonly source: string
  readonly sha: string
}

export type Scripts = ReturnType<typeof readScripts>

// A server that is out of memory turns away what would need more of it, as a whole and before it has begun. What gives
// back must still be let in.
const careful = '#!lua\n'
const always = '#!lua flags=allow-oom\n'

export function readScripts() {
  return {
    admit: readScript(careful, 'admit', 'window', 'account', 'pass'),
    settle: readScript(always, 'settle', 'window', 'account', 'pass'),
    record: readScript(always, 'record', 'window', 'account', 'pass'),
    readPasses: readScript(always, 'read-passes'),
    readWindows: readScript(always, 'read-windows', 'window'),
    readHeld: readScript(always, 'read-held', 'account'),
    beginLoad: readScript(careful, 'begin-load'),
    stage: readScript(careful, 'stage', 'window'),
    publish: readScript(careful, 'publish', 'window', 'account', 'pass'),
    openAccounts: readScript(careful, 'open-accounts', 'account'),
    forget: readScript(always, 'forget'),
  }
}

/** A script is one text to the server: the parts that it stands on come before it. */
function readScript(flags: string, name: string, ...parts: string[]): Script {
  const source = flags + ['tenant', ...parts, name].map(readPart).join('\n')
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

const readPart = (name: string): string => readFileSync(new URL(`./lua/${name}.lua`, import.meta.url), 'utf8')
