// Checks the import rules. dependency-cruiser says nothing of a file that it did not find, so the files are counted too.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, format } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'

const folders = readdirSync('packages').map((name) => join('packages', name))
const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs')
const { output: graph } = await cruise(folders, options, undefined, {
  tsConfig: extractTSConfig('./tsconfig.json'),
})

const seen = new Set(graph.modules.map((module) => module.source))
const present = folders
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter(
    (name) => /\.(ts|tsx|mjs)$/.test(name) && !/\.d\.m?ts$|node_modules|packages\/\w+\/dist\//.test(name),
  )
const unseen = present.filter((name) => !seen.has(name))
const { error, warn, totalDependenciesCruised } = graph.summary

if (error + warn > 0) console.error((await format(graph, { outputType: 'err' })).output)
if (unseen.length > 0) console.error(`The checker did not see:\n  ${unseen.join('\n  ')}`)
console.log(
  `import rules: ${present.length - unseen.length} files seen of ${present.length}, ${totalDependenciesCruised} imports, ${error + warn} broken`,
)
if (error + warn + unseen.length > 0) process.exit(1)
