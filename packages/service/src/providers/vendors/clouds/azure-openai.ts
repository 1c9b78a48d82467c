import { asText, type JsonObject } from '@tallystick/record/json'
import { azureSources, fetchAzureToken } from '../../../cloud/index.js'
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
import { fetchOauthToken } from '../../credentials/oauth-token.js'
import { compatible } from '../compatible.js'
import type { AuthorizeTools, Vendor } from '../vendor.js'

const appFields = ['tenantId', 'clientId', 'clientSecret']

/**
 * Azure OpenAI. With its v1 paths, the deployment is the model of the body; with `apiVersion`, the older paths
 * contain the deployment. A credential is the key of the resource, an application of Entra ID as a JSON object, or
 * the identity of this machine.
 */
export const azureOpenai: Vendor = {
  ...compatible,
  type: 'azure-openai',
  environmentPrefix: null,
  baseUrl: null,
  dialects: [
    'chat',
    'responses',
    'responses_compact',
    'embeddings',
    'completions',
    'image_generations',
    'image_edits',
    'speech',
    'transcriptions',
    'translations',
  ],
  options: [
    {
      name: 'apiVersion',
      required: false,
      pattern: /^\d{4}-\d{2}-\d{2}(-preview)?$/,
      description: 'the api-version of the older paths, such as 2024-10-21',
    },
    {
      name: 'authority',
      required: false,
      pattern: /^https?:\/\/[^\s?#@]+$/,
      description: 'the URL of Entra ID, https://login.microsoftonline.com when left out',
    },
    {
      name: 'scope',
      required: false,
      pattern: /^\S{1,256}$/,
      description: 'the scope of Entra tokens, https://cognitiveservices.azure.com/.default when left out',
    },
  ],
  outputField: 'max_completion_tokens',
  ignoredFields: [],
  pathOf({ dialect, model }, { root, options: { apiVersion } }) {
    const resource = root.replace(/\/openai(\/v1)?$/, '')
    if (apiVersion === undefined) return `${resource}/openai/v1${dialect.path}`
    // Responses belong to the resource, not to a deployment.
    const deployment = dialect.path.startsWith('/responses')
      ? ''
      : `/deployments/${encodeURIComponent(model)}`
    return `${resource}/openai${deployment}${dialect.path}?api-version=${apiVersion}`
  },
  probe({ root, options: { apiVersion } }) {
    const resource = root.replace(/\/openai(\/v1)?$/, '')
    const path = apiVersion === undefined ? '/openai/v1/models' : `/openai/models?api-version=${apiVersion}`
    return { method: 'GET', path: resource + path }
  },
  credentialFault(value, mayUseMachine) {
    const app = readJsonCredential(value)
    if (isMachineIdentity(app))
      return findMachineIdentityFault(app, mayUseMachine, { sources: azureSources, optional: ['clientId'] })
    return app === null ? findKeyFault(value) : findMissingFields(app, appFields)
  },
  authorize(_outgoing, credential, tools) {
    const app = readJsonCredential(credential)
    return app === null ? { 'api-key': credential } : authorizeByEntra(app, credential, tools)
  },
  // learn.microsoft.com/azure/ai-services/openai/how-to/manage-costs, "HTTP Error response code and billing status": a 400 due to a
  // content filter or an input limit, and a 408 due to a timeout, may be charged. Of the content filter, concepts/content-filter says
  // that both prompt and completion tokens are charged, because the model may have answered while the prompt was judged.
  billedErrors: [
    {
      status: 400,
      pattern:
        /content_?filter|content_?policy|ResponsibleAIPolicyViolation|context_length_exceeded|string_above_max_length/i,
    },
    { status: 408 },
  ],
  responseHeaders: /^(x-request-id|apim-request-id)$/,
}

const defaultAuthority = 'https://login.microsoftonline.com'
const defaultScope = 'https://cognitiveservices.azure.com/.default'

async function authorizeByEntra(
  app: JsonObject,
  key: string,
  tools: AuthorizeTools,
): Promise<Record<string, string>> {
  const token = isMachineIdentity(app)
    ? await tokenOfMachine(app, key, tools)
    : await tokenOfApp(app, key, tools)
  return { authorization: `Bearer ${token}` }
}

function tokenOfApp(app: JsonObject, key: string, tools: AuthorizeTools): Promise<string> {
  const { authority = defaultAuthority, scope = defaultScope } = tools.site.options
  return tools.token(key, () => {
    const tenant = encodeURIComponent(requireText(app, 'tenantId'))
    return fetchOauthToken(tools, `${authority.replace(/\/+$/, '')}/${tenant}/oauth2/v2.0/token`, {
      grant_type: 'client_credentials',
      client_id: requireText(app, 'clientId'),
      client_secret: requireText(app, 'clientSecret'),
      scope,
    })
  })
}

function tokenOfMachine({ from, clientId }: JsonObject, key: string, tools: AuthorizeTools): Promise<string> {
  const { authority = defaultAuthority, scope = defaultScope } = tools.site.options
  const identity = {
    from: azureSources.find((source) => source === from) ?? null,
    clientId: asText(clientId) || null,
    authority,
    scope,
  }
  return machineToken(tools, key, (machine) => fetchAzureToken(identity, machine))
}
