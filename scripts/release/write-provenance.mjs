import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './artefacts.mjs'

/**
 * Returns the provenance of the artefacts: an in-toto statement with the predicate SLSA Provenance v1. It is signed where it is made, by
 * the release workflow. Outside of GitHub it names no builder that anybody would trust, and is the same for the same commit.
 * @param {{ version: string, commit: string, digests: Map<string, string>, only: readonly string[] }} release
 */
export function writeProvenance({ version, commit, digests, only }) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env
  const source = server && repository ? `git+${server}/${repository}` : 'urn:tallystick:source'
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...digests].map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:tallystick:build:npm-run-release:1',
        externalParameters: { source, version, ...(only.length > 0 && { only }) },
        resolvedDependencies: [
          { uri: source, digest: { gitCommit: commit } },
          {
            uri: 'urn:tallystick:source:package-lock.json',
            digest: { sha256: sha256Of('package-lock.json') },
          },
          { uri: `pkg:generic/node@${process.versions.node}` },
        ],
      },
      runDetails: { builder: readBuilder(), ...readRun() },
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}

function readBuilder() {
  const { GITHUB_SERVER_URL: server, GITHUB_WORKFLOW_REF: workflow } = process.env
  return { id: server && workflow ? `${server}/${workflow}` : 'urn:tallystick:builder:local' }
}

function readRun() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = process.env
  if (!server || !repository || !run) return {}
  return { metadata: { invocationId: `${server}/${repository}/actions/runs/${run}` } }
}

/** @param {string} path */
const sha256Of = (path) =>
  createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex')
