import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { keepOwnMappings } from '../../scripts/build/own-mappings.mjs'

test('in a stack, our own code keeps its source and a package has none, on one line or many', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-mappings-'))
  try {
    await mkdir(join(folder, 'node_modules/part'), { recursive: true })
    await writeFile(
      join(folder, 'node_modules/part/index.js'),
      'export function part() {\n  return `two\nlines` + "PART"\n}\n',
    )
    await writeFile(join(folder, 'first.js'), '\n\n  export const first = () => `a\nb` + "FIRST"\n')
    await writeFile(
      join(folder, 'last.js'),
      `import { first } from './first.js'
import { part } from 'part'

console.log(first(), part(), "LAST")
`,
    )
    for (const minifyWhitespace of [true, false]) {
      const { outputFiles } = await build({
        absWorkingDir: folder,
        entryPoints: ['last.js'],
        outdir: join(folder, 'out'),
        bundle: true,
        write: false,
        format: 'esm',
        sourcemap: 'linked',
        sourcesContent: false,
        minifyWhitespace,
      })
      const [map = '', code = ''] = outputFiles.map(({ text }) => text)
      const places = placesIn(code, map)
      expect(places).toMatchObject({
        FIRST: expect.stringContaining('first.js'),
        PART: expect.stringContaining('index.js'),
        LAST: expect.stringContaining('last.js'),
      })
      expect(placesIn(code, keepOwnMappings(map))).toEqual({ ...places, PART: null })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** Where Node would say that each of the words stands. */
function placesIn(code: string, map: string): Record<string, string | null> {
  const sourceMap = new SourceMap(JSON.parse(map))
  const lines = code.split('\n')
  return Object.fromEntries(
    ['FIRST', 'PART', 'LAST'].map((word) => {
      const line = lines.findIndex((text) => text.includes(word))
      const entry = sourceMap.findEntry(line, lines[line]?.indexOf(word) ?? 0)
      if (!('originalSource' in entry) || entry.originalSource === undefined) return [word, null]
      return [word, `${entry.originalSource.split('/').at(-1)}:${entry.originalLine}:${entry.originalColumn}`]
    }),
  )
}
