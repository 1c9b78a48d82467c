// `npm run image [-- --output FOLDER]` writes the container image as an OCI layout, without a container engine.
// `npm run image -- --program FOLDER` writes only the files of the program; deploy/image/Dockerfile puts them on a base image.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { root } from './build/sources.mjs'
import { stageProgram } from './image/stage-program.mjs'
import { stageLibraries, stageNode } from './image/stage-runtime.mjs'
import { writeLayer } from './image/write-layer.mjs'
import { writeLayout } from './image/write-layout.mjs'

const { values } = parseArgs({ options: { output: { type: 'string' }, program: { type: 'string' } } })

await buildIfChanged()
if (values.program !== undefined) stageProgram(resolve(values.program))
else buildImage(resolve(values.output ?? join(root, '.cache/image/layout')))

/** @param {string} output */
function buildImage(output) {
  const work = join(root, '.cache/image', `work-${process.pid}`)
  const createdAt = readTime()
  rmSync(output, { recursive: true, force: true })
  mkdirSync(join(output, 'blobs/sha256'), { recursive: true })
  try {
    // What changes least comes first, so that a new release shares layers with the previous one.
    const layers = [
      { name: 'libraries', stage: stageLibraries, owner: 0 },
      { name: 'node', stage: stageNode, owner: 0 },
      { name: 'program', stage: stageProgram, owner: 0 },
      {
        name: 'data',
        /** @param {string} folder */
        stage: (folder) => mkdirSync(join(folder, 'var/lib/tallystick'), { recursive: true }),
        owner: 65532,
      },
    ].map(({ name, stage, owner }) => {
      const folder = join(work, name)
      mkdirSync(folder, { recursive: true })
      stage(folder)
      return { name, ...writeLayer(folder, output, { owner, createdAt }) }
    })
    const digest = writeLayout(output, layers, createdAt)
    for (const { name, size, unpackedSize } of layers) report(name, size, unpackedSize)
    report('all', sum(layers, 'size'), sum(layers, 'unpackedSize'))
    console.log(`${output}\n${digest}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Seconds since 1970 that every file has: those of SOURCE_DATE_EPOCH, else of the commit. */
function readTime() {
  const given = process.env.SOURCE_DATE_EPOCH
  if (given !== undefined) return Number(given)
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }))
}

/** @param {string} name @param {number} size @param {number} unpackedSize */
function report(name, size, unpackedSize) {
  const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  console.log(
    `${name.padEnd(10)} ${megabytes(size).padStart(9)} compressed, ${megabytes(unpackedSize)} unpacked`,
  )
}

/** @param {{ size: number, unpackedSize: number }[]} layers @param {'size' | 'unpackedSize'} member */
function sum(layers, member) {
  return layers.reduce((total, layer) => total + layer[member], 0)
}
