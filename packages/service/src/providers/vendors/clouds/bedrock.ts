import { asText, type JsonObject, parseObject } from '@tallystick/record/json'
import { type AwsKeys, awsSources, fetchAwsKeys, signV4 } from '../../../cloud/index.js'
import {
  findKeyFault,
  findMissingFields,
  readJsonCredential,
  requireText,
} from '../../credentials/json-credential.js'
import {
  findMachineIdentityFault,
  isMachineIdentity,
  machineToken,
} from '../../credentials/machine-identity.js'
import { compatible } from '../compatible.js'
import type { AuthorizeTools, OutgoingRequest, Vendor } from '../vendor.js'
import { BedrockStreamDecoder } from './aws/bedrock-stream.js'

/**
 * Amazon Bedrock: Claude in the messages dialect (`invoke`, with AWS's event stream), other models through its
 * OpenAI-compatible endpoint. A credential is a Bedrock API key, AWS keys as a JSON object, or
 * the identity of this machine.
 */
export const bedrock: Vendor = {
  ...compatible,
  type: 'bedrock',
  environmentPrefix: null,
  baseUrl: null,
  baseUrlFor: ({ region }) => `https://bedrock-runtime.${region}.amazonaws.com`,
  dialects: ['messages', 'chat', 'responses'],
  options: [
    {
      name: 'region',
      required: true,
      pattern: /^[a-z]{2}(-[a-z]{1,12}){1,3}-\d{1,2}$/,
      description: 'an AWS region, such as eu-central-1',
    },
  ],
  outputField: 'max_completion_tokens',
  hasOwnPaths: true,
  forwardsQuery: false,
  pathOf({ dialect, model, stream }, { root }) {
    if (dialect.name !== 'messages') return `${root}/openai/v1${dialect.path}`
    return `${root}/model/${encodeURIComponent(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`
  },
  // This host has no endpoint that lists models. An unknown model is refused only after the credential was accepted.
  probe: ({ root }) => ({ method: 'POST', path: `${root}/model/probe/invoke`, acceptedStatuses: [400, 404] }),
  adaptBody({ dialect, headers }, has) {
    const changes = new Map<string, string | null>()
    if (dialect.name !== 'messages') return changes
    // The model and `stream` are part of the path.
    for (const name of ['model', 'stream']) if (has(name)) changes.set(name, null)
    changes.set('anthropic_version', '"bedrock-2023-05-31"')
    const betas = headers['anthropic-beta']?.split(',').map((beta) => beta.trim())
    if (betas !== undefined) changes.set('anthropic_beta', JSON.stringify(betas.filter(Boolean)))
    return changes
  },
  adaptHeaders({ 'anthropic-beta': _betas, 'anthropic-version': _version, ...headers }, { dialect }) {
    return dialect.name === 'messages' ? { ...headers, accept: 'application/json' } : headers
  },
  credentialFault(value, mayUseMachine) {
    const keys = readJsonCredential(value)
    if (isMachineIdentity(keys))
      return findMachineIdentityFault(keys, mayUseMachine, {
        sources: awsSources,
        optional: ['roleArn', 'externalId'],
      })
    return keys === null ? findKeyFault(value) : findMissingFields(keys, ['accessKeyId', 'secretAccessKey'])
  },
  authorize(outgoing, credential, tools) {
    const parts = readJsonCredential(credential)
    if (parts === null) return { authorization: `Bearer ${credential}` }
    const region = tools.site.options.region ?? ''
    if (!isMachineIdentity(parts)) return sign(outgoing, readKeys(parts), region, tools.now())
    return keysOfMachine(credential, parts, region, tools).then((keys) =>
      sign(outgoing, keys, region, tools.now()),
    )
  },
  decodeStream({ dialect }, headers) {
    const isFramed = String(headers['content-type']).startsWith('application/vnd.amazon.eventstream')
    return isFramed ? new BedrockStreamDecoder(dialect) : null
  },
  responseHeaders: /^x-amzn-(requestid|errortype)$/,
}

const readKeys = (keys: JsonObject): AwsKeys => ({
  accessKeyId: requireText(keys, 'accessKeyId'),
  secretAccessKey: requireText(keys, 'secretAccessKey'),
  ...(typeof keys.sessionToken === 'string' && { sessionToken: keys.sessionToken }),
})

// Keys of the environment do not expire. They are fetched again after a day, at no cost.
const dayMs = 86_400_000

async function keysOfMachine(
  credential: string,
  { from, roleArn, externalId }: JsonObject,
  region: string,
  tools: AuthorizeTools,
): Promise<AwsKeys> {
  const identity = {
    from: awsSources.find((source) => source === from) ?? null,
    roleArn: asText(roleArn) || null,
    externalId: asText(externalId) || null,
  }
  const token = await machineToken(tools, credential, async (machine) => {
    const { keys, expiresAtMs } = await fetchAwsKeys(identity, { ...machine, region })
    return { value: JSON.stringify(keys), expiresAtMs: expiresAtMs ?? machine.now() + dayMs }
  })
  return readKeys(parseObject(token) ?? {})
}

function sign(
  { method, url, headers, body }: OutgoingRequest,
  keys: AwsKeys,
  region: string,
  nowMs: number,
): Record<string, string> {
  return signV4(
    {
      method,
      path: url.pathname,
      query: url.search.slice(1),
      // Headers that a proxy may add or change are not signed.
      headers: { host: url.host, 'content-type': headers['content-type'] ?? '' },
      body,
    },
    keys,
    { region, service: 'bedrock' },
    nowMs,
  )
}
