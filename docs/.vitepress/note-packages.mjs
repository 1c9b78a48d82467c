import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @type {Set<string>} */
const packages = new Set()

/**
 * Notes the packages that the site contains: their licences are shipped with it.
 * @type {import('vite').Plugin}
 */
export const notePackages = {
  name: 'note-packages',
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
      if (name && this.getModuleInfo(id)?.isIncluded) packages.add(name)
    }
  },
}

/** @param {string} folder */
export const writePackages = (folder) =>
  writeFileSync(join(folder, '.packages.json'), JSON.stringify([...packages].sort()))
