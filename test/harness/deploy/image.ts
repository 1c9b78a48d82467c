import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../service/snippets.js'

interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  Healthcheck: { Test: string[] }
}

export interface Image {
  digest: string
  config: ImageConfig
  layers: { digest: string; size: number }[]
  /** Writes the files of all layers to the folder. */
  unpack(folder: string): void
}

/** Builds the image with `npm run image`. */
export function buildImage(folder: string): Image {
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1767225600' }
  execFileSync('npm', ['run', '--silent', 'image', '--', '--output', folder], {
    cwd: root,
    env,
    stdio: 'pipe',
  })
  return readImage(folder)
}

/** Reads a layout as an engine does, which follows digests from the index and checks each. */
function readImage(layout: string): Image {
  const [{ digest }] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests
  const manifest = JSON.parse(readBlob(layout, digest).toString())
  const { config, rootfs } = JSON.parse(readBlob(layout, manifest.config.digest).toString())
  return {
    digest,
    config,
    layers: manifest.layers,
    unpack(folder) {
      mkdirSync(folder, { recursive: true })
      for (const [i, { digest }] of manifest.layers.entries()) {
        const archive = execFileSync('gzip', ['-dc'], { input: readBlob(layout, digest), maxBuffer: 2 ** 30 })
        if (digestOf(archive) !== rootfs.diff_ids[i])
          throw new Error(`${digest} is not ${rootfs.diff_ids[i]}`)
        execFileSync('tar', ['xp', '-C', folder], { input: archive })
      }
    },
  }
}

function readBlob(layout: string, digest: string): Buffer {
  const content = readFileSync(join(layout, 'blobs', digest.replace(':', '/')))
  if (digestOf(content) !== digest) throw new Error(`the content of ${digest} has another digest`)
  return content
}

const digestOf = (content: Buffer) => `sha256:${createHash('sha256').update(content).digest('hex')}`
