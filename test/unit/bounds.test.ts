import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// docs/decisions/bounds.md says of everything that can grow what bounds it. Here it is held complete.

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An empty one is there to be filled. */
const filledLater = /(\w+)(?:: [^=]+)? = new (?:Map|Set)(?:<.*>)?\(\)/
const listFilledLater = /^ {2}(?:const|let) (\w+): .*\[\] = \[\]/
const factory =
  /^(?:export )?(?:async )?function (?:create|open|start|prepare|register|watch|endStalled)\w*|^(?:export )?const (?:create|open|start|watch)\w* =/
const inClass = /^ {2}(?:readonly |static |override )*#?\w+(?:: [^=(]+)? = /
const inFunction = /^ {2}(?:const|let) /

/** Names of what outlives a call: of a module, of an object of a class, of what a factory makes. */
function growingIn(source: string): string[] {
  let scope: 'module' | 'class' | 'factory' | 'function' = 'module'
  const names: string[] = []
  for (const line of source.split('\n')) {
    if (/^[^\s})\]/*]/.test(line)) scope = scopeOf(line)
    const name = filledLater.exec(line)?.[1]
    const isKept =
      (scope === 'class' && inClass.test(line)) ||
      (scope === 'factory' && inFunction.test(line)) ||
      (scope === 'module' && /^\S/.test(line))
    if (name !== undefined && isKept) names.push(name)
    const list = scope === 'factory' ? listFilledLater.exec(line)?.[1] : undefined
    if (list !== undefined) names.push(list)
  }
  return names
}

function scopeOf(line: string) {
  if (/^(?:export )?(?:abstract )?class /.test(line)) return 'class'
  if (factory.test(line)) return 'factory'
  return /^(?:export )?(?:async )?function|^(?:export )?const \w+ = (?:async )?\(/.test(line)
    ? 'function'
    : 'module'
}

// The demo and the offline verifier are programs that end; the contract suite is a test.
const left = /\.test\.ts$|\.d\.mts$|^(?:demo|cli\/verify|ledger\/verify|admission\/contract-suite)\//

const found = (readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }) as string[])
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && !left.test(path))
  .sort()
  .flatMap((path) =>
    growingIn(readFileSync(join(root, 'src', path), 'utf8')).map((name) => `${path} ${name}`),
  )

test('everything that can grow has a bound or a reason', () => {
  const text = readFileSync(join(root, 'docs/decisions/bounds.md'), 'utf8')
  const said = [...text.matchAll(/^\| `([^`]+)` \| `(\w+)` \| (\S.*) \|$/gm)].map(
    ([, path, name]) => `${path} ${name}`,
  )
  expect(found.length).toBeGreaterThan(80)
  expect(found.filter((each) => !said.includes(each))).toEqual([])
  expect(said.filter((each) => !found.includes(each))).toEqual([])
})

test('what is found is what outlives a call', () => {
  const source = `
const seen = new Map<string, number>()
const constant = new Set(['a'])
export class Kept {
  readonly #byKey = new Map<string, { a: number }>()
  read() {
    const local = new Map()
  }
}
export function createQueue() {
  const waiting: (() => void)[] = []
  let again = new Set<string>()
  return () => {
    const inner = new Map()
  }
}
export function readAll() {
  const found = new Map()
}
`
  expect(growingIn(source)).toEqual(['seen', 'byKey', 'waiting', 'again'])
})
