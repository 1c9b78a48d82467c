import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { findForbidden } from '../../scripts/licences.mjs'
import { root } from '../harness/service/snippets.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version, license } = JSON.parse(read('package.json'))

describe('every package', () => {
  const folders = readdirSync(join(root, 'packages'))

  test.each(folders.filter((name) => name !== 'python'))(
    '%s has the version and licence of the release',
    (name) => {
      const {
        version: own,
        license: ownLicence,
        dependencies,
        devDependencies,
      } = JSON.parse(read(`packages/${name}/package.json`))
      expect([own, ownLicence]).toEqual([version, license])
      for (const [dependency, range] of Object.entries({ ...dependencies, ...devDependencies }))
        if (dependency.startsWith('@tallystick/')) expect([dependency, range]).toEqual([dependency, version])
    },
  )

  test('python has the version of the release, wherever it names it', () => {
    expect(read('packages/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`)
    expect(read('packages/python/src/tallystick/__init__.py')).toContain(`\n__version__ = '${version}'\n`)
    expect(read('packages/python/src/tallystick/_request.py')).toContain(`tallystick-python/${version}'`)
  })

  test('that is published has the text of the licence', () => {
    for (const name of ['sdk', 'python']) expect(read(`packages/${name}/LICENSE`)).toBe(read('LICENSE'))
  })
})

test('the changelog describes the release', () => {
  const [, section = ''] = read('CHANGELOG.md').split(`\n## [${version}]`)
  expect(section.split('\n## [')[0]?.split('\n- ').length).toBeGreaterThan(20)
})

describe('licences', () => {
  test('of all packages are allowed', () => {
    expect(findForbidden(JSON.parse(read('package-lock.json')).packages)).toEqual([])
  })

  const forbidden = (license?: string, name = 'x') =>
    findForbidden({ [`node_modules/${name}`]: { version: '1.0.0', ...(license && { license }) } })

  test.each([
    ['GPL-3.0', 'x@1.0.0 has the licence GPL-3.0'],
    ['MIT AND GPL-3.0', 'x@1.0.0 has the licence MIT AND GPL-3.0'],
    ['MPL-2.0', 'x@1.0.0 has the licence MPL-2.0'],
    [undefined, 'x@1.0.0 states no licence'],
  ])('%s is not', (licence, sentence) => {
    expect(forbidden(licence)).toEqual([sentence])
  })

  test('of which one can be chosen, or that only a tool has, are', () => {
    expect(forbidden('(GPL-2.0 OR MIT)')).toEqual([])
    expect(forbidden('MPL-2.0', 'lightningcss-linux-x64-gnu')).toEqual([])
  })
})

describe('the workflows', () => {
  const folder = '.github/workflows'

  /** GitHub's parser imports JSON in a way that Node refuses, so it is bundled. */
  async function loadParser(): Promise<typeof import('@actions/workflow-parser')> {
    const { outputFiles } = await build({
      stdin: { contents: "export * from '@actions/workflow-parser'", resolveDir: root },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
    })
    const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
    return await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)
  }

  async function check(name: string, content: string) {
    const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await loadParser()
    const { value, context } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
    if (value) await convertWorkflowTemplate(context, value)
    return context.errors.getErrors().map(({ message }) => message)
  }

  test.each(readdirSync(join(root, folder)))('%s is valid for GitHub', async (name) => {
    expect(await check(name, read(`${folder}/${name}`))).toEqual([])
  })

  test('would be refused with a misspelt key', async () => {
    const [error] = await check('ci.yml', read(`${folder}/ci.yml`).replace('runs-on', 'run-on'))
    expect(error).toContain("Unexpected value 'run-on'")
  })

  test('give a job the right to write only where it says so', () => {
    for (const name of readdirSync(join(root, folder)))
      expect(read(`${folder}/${name}`)).toContain('\npermissions:\n  contents: read\n')
  })
})
