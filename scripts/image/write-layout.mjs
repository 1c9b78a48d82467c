import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { service } from '../build/sources.mjs'
import { writeBlob } from './write-layer.mjs'

const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch] ?? process.arch

/**
 * Writes configuration, manifest and index of the image. Returns the digest of the manifest.
 * @param {string} layout @param {readonly import('./write-layer.mjs').Layer[]} layers @param {number} createdAt
 */
export function writeLayout(layout, layers, createdAt) {
  const { version, license, description } = JSON.parse(readFileSync(join(service, 'package.json'), 'utf8'))
  const created = new Date(createdAt * 1000).toISOString()
  const labels = {
    'org.opencontainers.image.title': 'tallystick',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    'org.opencontainers.image.created': created,
  }
  const config = write({
    architecture,
    os: 'linux',
    created,
    // deploy/image/Dockerfile has the same; a test compares them.
    config: {
      User: '65532:65532',
      Env: [
        'PATH=/usr/local/bin',
        'NODE_ENV=production',
        'TALLYSTICK_HOST=0.0.0.0',
        'TALLYSTICK_DATA_DIR=/var/lib/tallystick',
      ],
      Entrypoint: ['tallystick'],
      Cmd: ['serve'],
      WorkingDir: '/etc/tallystick',
      ExposedPorts: { '7070/tcp': {} },
      StopSignal: 'SIGTERM',
      Healthcheck: {
        Test: ['CMD', 'tallystick', 'healthcheck'],
        Interval: 10e9,
        Timeout: 5e9,
        StartPeriod: 60e9,
        Retries: 3,
      },
      Labels: labels,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created, created_by: 'scripts/image.mjs' })),
  })
  const manifest = write({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: layers.map(({ digest, size }) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      digest,
      size,
    })),
    annotations: labels,
  })
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        ...manifest,
        platform: { architecture, os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': version },
      },
    ],
  }
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index))
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  return manifest.digest

  /** @param {unknown} value */
  function write(value) {
    const digest = writeBlob(layout, Buffer.from(JSON.stringify(value)))
    return { digest, size: statSync(join(layout, 'blobs', digest.replace(':', '/'))).size }
  }
}
