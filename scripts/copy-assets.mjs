// The compiler leaves data files and plain modules behind; the program reads them next to its own files.
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

function* filesBelow(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesBelow(path)
    else yield path
  }
}

for (const path of filesBelow('src')) {
  if (!/\.(json|lua|mjs)$/.test(path)) continue
  const target = join('dist', relative('src', path))
  mkdirSync(dirname(target), { recursive: true })
  cpSync(path, target)
}
