import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

const files = ['packages', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !/node_modules|\/dist\//.test(path))
    .map((path) => join(folder, path)),
)

let projects: Map<string, string[]>

beforeAll(async () => {
  const args = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json']
  const env = { PATH: process.env.PATH }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
  const listed: { file: string; projectName: string }[] = JSON.parse(stdout)
  projects = new Map(files.map((file) => [file, []]))
  for (const { file, projectName } of listed) {
    const path = relative(root, file)
    projects.set(path, [...(projects.get(path) ?? ['of no folder']), projectName])
  }
})

const importsOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name)

test('every test file is in exactly one project', () => {
  expect(files.length).toBeGreaterThan(100)
  expect([...projects].filter(([, names]) => names.length !== 1)).toEqual([])
})

test('only tests of the projects process and console start processes', () => {
  const starts =
    /^node:child_process$|harness\/(command|pgbouncer|process|redis|replicas|verifier-folder)\.js$/
  const strays = [...projects].filter(
    ([file, [project = '']]) =>
      !['process', 'console'].includes(project) && importsOf(file).some((name) => starts.test(name)),
  )
  expect(strays).toEqual([])
})

test('all chance comes from the seed that the run prints', () => {
  const harness = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('test', path))
  const others = [...new Set([...files, ...harness])].filter((path) => !path.endsWith('test-files.test.ts'))
  const byChance = /Math\.random\(|randomInt\(/
  expect(others.filter((path) => byChance.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})
