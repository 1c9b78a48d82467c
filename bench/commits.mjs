import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} folder @param {string} command @param {readonly string[]} args */
const run = (folder, command, args) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/** @param {string} name anything that Git knows as a commit */
const findCommit = (name) => run(repository, 'git', ['rev-parse', '--verify', `${name}^{commit}`]).trim()

/**
 * Builds a commit in .cache/bench/, unless it is there already.
 * @param {string} name @returns {{ name: string, program: string }} what starts its service
 */
export function buildCommit(name) {
  const sha = findCommit(name)
  const folder = join(repository, '.cache', 'bench', sha.slice(0, 12))
  if (!existsSync(folder)) {
    console.error(`Building ${sha.slice(0, 12)}`)
    const unfinished = `${folder}.unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    run(unfinished, 'git', ['clone', '--quiet', '--no-checkout', repository, '.'])
    run(unfinished, 'git', ['checkout', '--quiet', sha])
    run(unfinished, 'npm', ['ci', '--no-audit', '--no-fund', '--silent'])
    run(unfinished, 'npm', ['run', '--silent', 'build'])
    renameSync(unfinished, folder)
  }
  const program = ['packages/service/dist/cli/index.js', 'dist/cli/index.js']
    .map((path) => join(folder, path))
    .find((path) => existsSync(path))
  if (program === undefined) throw new Error(`${name} has no built command line in ${folder}`)
  return { name: sha.slice(0, 12), program }
}
