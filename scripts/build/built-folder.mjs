import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { dist, listFiles, root } from './sources.mjs'

/**
 * A folder of dist/ that is built apart from the program, when what it is built from has changed.
 * @param {object} options
 * @param {string} options.name
 * @param {string[]} options.origins files and folders that it is built from
 * @param {(folder: string) => Promise<void>} options.fill
 */
export function defineBuiltFolder({ name, origins, fill }) {
  const folder = join(dist, name)
  const stampFile = join(folder, '.build.json')
  const isDue = (hash = hashFiles(origins)) =>
    !existsSync(stampFile) || JSON.parse(readFileSync(stampFile, 'utf8')).hash !== hash
  return {
    isDue: () => isDue(),
    async build() {
      const hash = hashFiles(origins)
      if (!isDue(hash)) return
      // Beside the one that is served, so that no page finds half of it.
      const draft = `${folder}.${process.pid}.tmp`
      mkdirSync(dist, { recursive: true })
      await fill(draft)
      writeFileSync(join(draft, '.build.json'), JSON.stringify({ hash }))
      rmSync(folder, { recursive: true, force: true })
      renameSync(draft, folder)
    },
  }
}

/** Whether a file of dist/ is in such a folder, or in the draft of one. @param {string} path */
export const isBuiltApart = (path) =>
  /^(console|docs)(\.\d+\.tmp)?$/.test(relative(dist, path).split(/[/\\]/)[0] ?? '')

/** @param {string[]} origins */
function hashFiles(origins) {
  const hash = createHash('sha256')
  const files = origins.flatMap((path) =>
    /\.\w+$/.test(path) ? [join(root, path)] : listFiles(join(root, path)),
  )
  for (const path of files)
    if (!path.endsWith('.test.ts') && !path.includes('/.vitepress/.temp/'))
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update('\0')
  return hash.digest('hex')
}
