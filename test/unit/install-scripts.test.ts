import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../harness/service/snippets.js'

// npm 11 runs the install script of a package only if `allowScripts` allows it, and complains about packages that it does not name. The
// service and esbuild work without theirs: the service makes the symlinks of Postgres itself.

const read = (file: string) => JSON.parse(readFileSync(root + file, 'utf8'))

test('npm ci has nothing to ask: no install script of a package is run, and each is named', () => {
  const packages: [string, { hasInstallScript?: boolean }][] = Object.entries(
    read('package-lock.json').packages,
  )
  const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = withScript.map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(names).toContain('esbuild')
  expect(read('package.json').allowScripts).toEqual(
    Object.fromEntries([...new Set(names)].map((name) => [name, false])),
  )
})
