// Puts what `tallystick verify` needs into a folder of its own, dist/verifier: it runs wherever Node does. Whatever it
// imports must be a file of ours or a part of Node; anything else ends the build.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const entry = 'dist/cli/verify/main.js'
const target = 'dist/verifier'

/** @type {Set<string>} */
const needed = new Set()

/** @param {string} path */
function follow(path) {
  if (needed.has(path)) return
  needed.add(path)
  const source = readFileSync(path, 'utf8')
  for (const [, name = ''] of source.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    if (name.startsWith('node:')) continue
    if (!name.startsWith('.')) throw new Error(`${path} imports ${name}: the verifier must stand alone`)
    follow(join(dirname(path), name))
  }
}

follow(entry)
rmSync(target, { recursive: true, force: true })
for (const path of needed) {
  const copy = join(target, relative('dist', path))
  mkdirSync(dirname(copy), { recursive: true })
  cpSync(path, copy)
}
writeFileSync(join(target, 'package.json'), '{ "type": "module" }\n')
writeFileSync(
  join(target, 'tallystick-verify.js'),
  `#!/usr/bin/env node
import { verify } from './cli/verify/main.js'

process.exitCode = await verify(process.argv.slice(2))
`,
)
