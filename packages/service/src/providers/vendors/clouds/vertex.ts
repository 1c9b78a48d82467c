import { readJsonCredential } from '../../credentials/json-credential.js'
import {
  findMachineIdentityFault,
  isMachineIdentity,
  machineToken,
} from '../../credentials/machine-identity.js'
import { compatible } from '../compatible.js'
import { isMessages } from '../messages-paths.js'
import type { Vendor } from '../vendor.js'
import { fetchGoogleToken, findGoogleCredentialFault } from './google/access-token.js'
import { fetchMachineToken, googleSources } from './google/machine-token.js'

/**
 * Vertex AI: Claude in the messages dialect (`rawPredict`), Gemini and open models through its OpenAI-compatible
 * endpoint. A credential is the JSON of a service account or of workload
 * identity federation, or the identity of this machine.
 */
export const vertex: Vendor = {
  ...compatible,
  type: 'vertex',
  environmentPrefix: null,
  baseUrl: null,
  baseUrlFor: ({ region = '' }) => `https://${hostOf(region)}`,
  dialects: ['messages', 'count_tokens', 'chat'],
  options: [
    {
      name: 'project',
      required: true,
      pattern: /^[a-z0-9][a-z0-9.:-]{2,60}$/,
      description: 'the id of a Google Cloud project',
    },
    {
      name: 'region',
      required: true,
      pattern: /^[a-z][a-z0-9-]{1,40}$/,
      description: 'a Google Cloud region, such as europe-west1, or global',
    },
  ],
  hasOwnPaths: true,
  forwardsQuery: false,
  pathOf({ dialect, model, stream }, { root, options: { project, region } }) {
    const location = locationPathOf({ root, project, region })
    const models = `${location}/publishers/anthropic/models`
    const method = stream ? 'streamRawPredict' : 'rawPredict'
    if (dialect.name === 'messages') return `${models}/${encodeURIComponent(model)}:${method}`
    if (dialect.name === 'count_tokens') return `${models}/count-tokens:rawPredict`
    return `${location}/endpoints/openapi${dialect.path}`
  },
  // An unknown model is refused after the credential was accepted.
  probe: ({ root, options: { project, region } }) => ({
    method: 'POST',
    path: `${locationPathOf({ root, project, region })}/publishers/anthropic/models/probe:rawPredict`,
    acceptedStatuses: [400, 404],
  }),
  adaptBody({ dialect, model }, has) {
    const changes = new Map<string, string | null>()
    if (isMessages(dialect)) {
      // In the messages dialect, the model is part of the path.
      if (dialect.name === 'messages' && has('model')) changes.set('model', null)
      changes.set('anthropic_version', '"vertex-2023-10-16"')
    } else if (!model.includes('/')) changes.set('model', JSON.stringify(`google/${model}`))
    return changes
  },
  adaptHeaders: ({ 'anthropic-version': _version, ...headers }) => headers,
  credentialFault(value, mayUseMachine) {
    const parts = readJsonCredential(value) ?? {}
    return isMachineIdentity(parts)
      ? findMachineIdentityFault(parts, mayUseMachine, { sources: googleSources })
      : findGoogleCredentialFault(parts, mayUseMachine)
  },
  async authorize(_outgoing, credential, tools) {
    const parts = readJsonCredential(credential) ?? {}
    const token = isMachineIdentity(parts)
      ? await machineToken(tools, credential, () => fetchMachineToken(parts, tools))
      : await tools.token(credential, () => fetchGoogleToken(parts, tools))
    return { authorization: `Bearer ${token}` }
  },
}

const locationPathOf = ({
  root,
  project,
  region,
}: Record<'root' | 'project' | 'region', string | undefined>) =>
  `${root?.replace(/\/v1$/, '')}/v1/projects/${project}/locations/${region}`

function hostOf(region: string): string {
  if (region === 'global') return 'aiplatform.googleapis.com'
  // These two locations comprise several regions.
  if (region === 'us' || region === 'eu') return `aiplatform.${region}.rep.googleapis.com`
  return `${region}-aiplatform.googleapis.com`
}
