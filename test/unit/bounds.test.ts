import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Everything that can grow has a bound: docs/decisions/0040-bounds.md. The comment above it says which.

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An empty one is there to be filled. */
const filledLater = /(\w+)(?:: [^=]+)? = new (?:Map|Set)(?:<.*>)?\(\)/
const listFilledLater = /^ {2}(?:const|let) (\w+): .*\[\] = \[\]/
const factory =
  /^(?:export )?(?:async )?function (?:create|open|start|prepare|register|watch|endStalled)\w*|^(?:export )?const (?:create|open|start|watch)\w* =/
const inClass = /^ {2}(?:readonly |static |override )*#?\w+(?:: [^=(]+)? = /
const inFunction = /^ {2}(?:const|let) /

/** Collections that outlive a call, in a module, a class or a factory, and whether a comment above them states their bound. */
function findCollections(source: string): { name: string; isBounded: boolean }[] {
  let scope: 'module' | 'class' | 'factory' | 'function' = 'module'
  const found: { name: string; isBounded: boolean }[] = []
  const lines = source.split('\n')
  for (const [i, line] of lines.entries()) {
    if (/^[^\s})\]/*]/.test(line)) scope = scopeOf(line)
    const name = filledLater.exec(line)?.[1]
    const isKept =
      (scope === 'class' && inClass.test(line)) ||
      (scope === 'factory' && inFunction.test(line)) ||
      (scope === 'module' && /^\S/.test(line))
    const list = scope === 'factory' ? listFilledLater.exec(line)?.[1] : undefined
    const kept = isKept ? (name ?? list) : list
    if (kept !== undefined) found.push({ name: kept, isBounded: statesBound(lines, i) })
  }
  return found
}

function statesBound(lines: readonly string[], declaration: number): boolean {
  for (let i = declaration - 1; /^ *(?:\/\/|\/?\*)/.test(lines[i] ?? ''); i--)
    if (/^ *(?:\/\/|\/\*\*|\*) Bounded: \S/.test(lines[i] ?? '')) return true
  return false
}

function scopeOf(line: string) {
  if (/^(?:export )?(?:abstract )?class /.test(line)) return 'class'
  if (factory.test(line)) return 'factory'
  return /^(?:export )?(?:async )?function|^(?:export )?const \w+ = (?:async )?\(/.test(line)
    ? 'function'
    : 'module'
}

// The demo, the offline verifier and the commands that apply files are programs that end; the contract suite is a test.
const excluded =
  /\.test\.ts$|\.d\.mts$|service\/src\/(?:demo|main\/cli\/(?:declarative|verify)|limits\/contract-suite)\/|record\/src\/verify\//

const files = ['record', 'service']
  .flatMap((name) =>
    readdirSync(join(root, 'packages', name, 'src'), { recursive: true, withFileTypes: true }),
  )
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && !excluded.test(path))
  .sort()

test('everything that can grow states its bound', () => {
  const found = files.flatMap((path) =>
    findCollections(readFileSync(join(root, path), 'utf8')).map((each) => ({ path, ...each })),
  )
  expect(found.length).toBeGreaterThan(80)
  expect(found.filter(({ isBounded }) => !isBounded)).toEqual([])
})

test('what is found is what outlives a call', () => {
  const source = `
// Bounded: one for each row of the table.
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
  expect(findCollections(source)).toEqual([
    { name: 'seen', isBounded: true },
    { name: 'byKey', isBounded: false },
    { name: 'waiting', isBounded: false },
    { name: 'again', isBounded: false },
  ])
})
