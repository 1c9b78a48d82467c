// Holds the import rules. The checker passes silently when it sees no files, so the number it saw is checked too.
import { existsSync, readdirSync } from 'node:fs'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'

const folders = ['src', 'console', 'sdk'].filter((folder) => existsSync(folder))
const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs')
const { output } = await cruise(folders, { ...options, outputType: 'err' }, undefined, {
  tsConfig: extractTSConfig('./tsconfig.json'),
})
const { output: graph } = await cruise(folders, options, undefined, {
  tsConfig: extractTSConfig('./tsconfig.json'),
})

const seen = graph.modules.filter((module) => /^(src|console|sdk)\//.test(module.source)).length
const present = folders
  .flatMap((folder) => readdirSync(folder, { recursive: true }))
  .filter(
    (name) => /\.(ts|tsx|mjs)$/.test(String(name)) && !/\.d\.m?ts$|node_modules/.test(String(name)),
  ).length
const { error, warn } = graph.summary

if (error + warn > 0) console.error(output)
console.log(
  `import rules: ${seen} files seen of ${present}, ${graph.summary.totalDependenciesCruised} imports, ${error + warn} broken`,
)
if (error + warn > 0 || seen < present) process.exit(1)
