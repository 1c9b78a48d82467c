import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '../deployment.js'
import { type Fault, noAlert } from './fault.js'
import { fakeTime, lacksFakeTime } from './replicas.js'

export const startFaults: readonly Fault[] = [
  {
    name: 'a replica starts without its signing key',
    expected: noAlert('secrets.md#when-a-signing-key-is-lost-or-stolen'),
    strike: (deployment) =>
      startedWith(deployment, {}, (dataDir) => rm(join(dataDir, 'signing-key.pem'), { force: true })),
  },
  {
    name: 'a replica starts with another master key',
    // It serves. Secrets that it cannot decrypt are refused one by one.
    expected: noAlert('secrets.md#when-a-master-key-is-lost'),
    strike: (deployment) =>
      startedWith(deployment, { TALLYSTICK_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') }),
  },
  {
    name: 'a replica starts without REDIS_URL',
    expected: {
      causes: [],
      alerts: ['TallystickDown'],
      runbook: 'troubleshooting.md#the-service-does-not-start',
    },
    strike: (deployment) => startedWith(deployment, { REDIS_URL: '' }),
  },
  {
    name: 'the certificate of a replica has expired',
    expected: { causes: [], alerts: ['TallystickCertificateExpires'] },
    async strike(deployment) {
      const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) => join(deployment.folder, name))
      const files = ['-out', certificate ?? '', '-keyout', key ?? '']
      const { status, stderr } = spawnSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '1', ...files],
        {
          encoding: 'utf8',
          env: { PATH: process.env.PATH, LD_PRELOAD: fakeTime, FAKETIME: '2020-01-01 00:00:00' },
        },
      )
      if (status !== 0) throw new Error(stderr)
      await startedWith(deployment, {
        TALLYSTICK_TLS_CERTIFICATE: certificate ?? '',
        TALLYSTICK_TLS_KEY: key ?? '',
      })
    },
    lacks: lacksFakeTime,
  },
]

/** Starts one replica with settings that are wrong, whether or not it takes them, and again with its own afterwards. */
async function startedWith(
  { replicas, lasts }: Deployment,
  env: Record<string, string>,
  prepare: (dataDir: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const replica = replicas.any()
  await replicas.end(replica, 'SIGTERM')
  await prepare(replica.dataDir)
  replica.env = env
  await replicas.run(replica).catch(() => undefined)
  try {
    await lasts()
  } finally {
    await replicas.end(replica, 'SIGTERM')
    replica.env = {}
    await replicas.run(replica)
  }
}
