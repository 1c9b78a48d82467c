import { isObject, type Json, objectsOf, stringOf, stringsOf } from '../json.js'
import { type Conversion, referenceTo, slugOf } from './conversion.js'

/** The types of providers, by the prefix of `litellm_params.model`. */
const types: Readonly<Record<string, string>> = {
  openai: 'openai',
  text_completion_openai: 'openai',
  azure: 'azure-openai',
  anthropic: 'anthropic',
  bedrock: 'bedrock',
  vertex_ai: 'vertex',
  gemini: 'gemini',
  mistral: 'mistral',
  xai: 'xai',
  groq: 'groq',
  deepseek: 'deepseek',
  moonshot: 'moonshot',
  together_ai: 'together',
  fireworks_ai: 'fireworks',
  openrouter: 'openrouter',
  cohere: 'cohere',
  cohere_chat: 'cohere',
  ollama: 'ollama',
  ollama_chat: 'ollama',
  hosted_vllm: 'vllm',
  vllm: 'vllm',
  lm_studio: 'lmstudio',
}

/** Types whose models have no published prices. */
const unpriced = new Set(['azure-openai', 'ollama', 'vllm', 'lmstudio'])

/** Parameters that a provider or a target expresses. */
const usedParams = new Set([
  ...['model', 'api_key', 'api_base', 'api_version', 'weight', 'custom_llm_provider'],
  ...['aws_region_name', 'vertex_project', 'vertex_location', 'vertex_ai_project', 'vertex_ai_location'],
])

const reasons: Readonly<Record<string, string>> = {
  rpm: 'deployments have no limits of their own; a 429 pauses the target',
  tpm: 'deployments have no limits of their own; a 429 pauses the target',
  input_cost_per_token: 'set a price in tallystick.yaml or with PUT /v1/catalogue',
  output_cost_per_token: 'set a price in tallystick.yaml or with PUT /v1/catalogue',
  aws_access_key_id: 'set the credential of the provider to AWS keys as in docs/manage/providers.md',
  aws_secret_access_key: 'set the credential of the provider to AWS keys as in docs/manage/providers.md',
  vertex_credentials: 'set the credential of the provider to the JSON of a service account',
}

interface Deployment {
  model: string
  weight: number
}

/** `model_list` becomes providers, and each name in it a route with the fallbacks of the router. */
export function convertModels(config: Json, conversion: Conversion): void {
  const providers = new Map<string, string>()
  const names = new Map<string, Deployment[]>()
  for (const [index, entry] of objectsOf(config.model_list).entries()) {
    const path = `model_list[${index}]`
    const name = stringOf(entry.model_name)
    const deployment = convertDeployment(entry, path, providers, conversion)
    if (deployment === null) continue
    if (/[\s*]/.test(name) || name === '')
      conversion.report(
        path,
        `"${name}" is a wildcard: call these models as provider/model, such as ${deployment.model}`,
      )
    else names.set(name, [...(names.get(name) ?? []), deployment])
  }
  convertRoutes(config, names, conversion)
}

function convertDeployment(
  entry: Json,
  path: string,
  providers: Map<string, string>,
  { add, report }: Conversion,
): Deployment | null {
  const params = isObject(entry.litellm_params) ? entry.litellm_params : {}
  const text = stringOf(params.model)
  const slash = text.indexOf('/')
  const isPrefixed = slash > 0 && types[text.slice(0, slash)] !== undefined
  const prefix = isPrefixed ? text.slice(0, slash) : stringOf(params.custom_llm_provider) || 'openai'
  const model = isPrefixed ? text.slice(slash + 1) : text
  const type = types[prefix]
  if (type === undefined || (!isPrefixed && slash > 0 && params.custom_llm_provider === undefined)) {
    report(path, `there is no type of provider for "${text}"`)
    return null
  }
  for (const param of Object.keys(params))
    if (!usedParams.has(param))
      report(
        `${path}.litellm_params.${param}`,
        reasons[param] ?? 'has no equivalent; clients send it with each request',
      )
  const identity = JSON.stringify([type, params.api_base, params.api_key, optionsOf(type, params)])
  const known = providers.get(identity)
  const provider = known ?? nameProvider(type, params, [...providers.values()])
  if (known === undefined) {
    providers.set(identity, provider)
    add('Provider', provider, describeProvider(provider, type, params, path, report))
    if (unpriced.has(type))
      report(
        `provider ${provider}`,
        'its models need a price each, in tallystick.yaml or with PUT /v1/catalogue, before a route can name them',
      )
  }
  return { model: `${provider}/${model}`, weight: Number(params.weight) || 1 }
}

/** The name of the type, or with the first part of the host when there are several. */
function nameProvider(type: string, { api_base: base }: Json, taken: readonly string[]): string {
  const host = URL.canParse(stringOf(base)) ? new URL(stringOf(base)).hostname.split('.')[0] : undefined
  const candidates = [type, ...(host ? [`${type}-${slugOf(host)}`.slice(0, 50)] : [])]
  for (let i = 2; ; i++) {
    const free = candidates.find((name) => !taken.includes(name))
    if (free !== undefined) return free
    candidates.push(`${type}-${i}`)
  }
}

function describeProvider(
  name: string,
  type: string,
  params: Json,
  path: string,
  report: Conversion['report'],
): Json {
  const { api_key: apiKey, api_base: base } = params
  const options = optionsOf(type, params)
  const { reference, isCopied } = referenceTo(apiKey, `${name}_api_key`)
  if (apiKey !== undefined && !isCopied)
    report(`${path}.litellm_params.api_key`, `the key was not copied; set the variable in ${reference}`)
  const isBaseReference = stringOf(base).startsWith('os.environ/')
  const baseUrl = isBaseReference ? referenceTo(base, '').reference : base
  const needsKey = !['ollama', 'vllm', 'lmstudio'].includes(type)
  return {
    type,
    ...(typeof baseUrl === 'string' && { baseUrl }),
    // Prices are those of the vendor, whatever the provider is called.
    ...(name !== type && !unpriced.has(type) && { pricesOf: type }),
    ...(Object.keys(options).length > 0 && { options }),
    ...((apiKey !== undefined || needsKey) && { credentials: [{ name: 'litellm', value: reference }] }),
  }
}

function optionsOf(type: string, params: Json): Json {
  const text = (value: unknown) =>
    String(value).startsWith('os.environ/') ? referenceTo(value, '').reference : String(value)
  const options: Record<string, unknown> = {
    ...(type === 'bedrock' && { region: params.aws_region_name }),
    ...(type === 'vertex' && {
      project: params.vertex_project ?? params.vertex_ai_project,
      region: params.vertex_location ?? params.vertex_ai_location,
    }),
    ...(type === 'azure-openai' && { apiVersion: params.api_version }),
  }
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, text(value)]])),
  )
}

const strategies: Readonly<Record<string, string>> = {
  'simple-shuffle': 'weighted',
  'latency-based-routing': 'fastest',
}

function convertRoutes(config: Json, names: Map<string, Deployment[]>, { add, report }: Conversion): void {
  const router = isObject(config.router_settings) ? config.router_settings : {}
  const settings = isObject(config.litellm_settings) ? config.litellm_settings : {}
  const fallbacks = readFallbacks(router.fallbacks ?? settings.fallbacks)
  const forAll = stringsOf(router.default_fallbacks ?? settings.default_fallbacks)
  for (const field of ['context_window_fallbacks', 'content_policy_fallbacks'])
    if (router[field] !== undefined || settings[field] !== undefined)
      report(field, 'a route falls back after failures, not by the content of a request')
  const strategy = stringOf(router.routing_strategy) || 'simple-shuffle'
  if (strategies[strategy] === undefined)
    report('router_settings.routing_strategy', `"${strategy}" has no equivalent; weighted is used`)
  const attempts = Number(router.num_retries ?? settings.num_retries ?? 2)
  if (attempts > 5) report('num_retries', 'a route makes at most 5 further attempts')
  const timeout = Number(router.timeout ?? settings.request_timeout)

  for (const [name, deployments] of names) {
    const others = (fallbacks.get(name) ?? forAll).filter((other) => other !== name)
    for (const other of others)
      if (!names.has(other)) report(`fallbacks of ${name}`, `"${other}" is not in model_list`)
    const further = others.flatMap((other) => names.get(other) ?? [])
    if (further.length > 0 && deployments.length > 1)
      report(
        `route ${name}`,
        'its deployments are tried in order, because a route with fallbacks cannot also balance',
      )
    const targets = [...deployments, ...further]
    const unique = targets.filter((each, i) => targets.findIndex(({ model }) => model === each.model) === i)
    add('Route', name, {
      strategy: further.length > 0 ? 'priority' : (strategies[strategy] ?? 'weighted'),
      targets: unique.slice(0, 20).map(({ model, weight }) => ({ model, ...(weight !== 1 && { weight }) })),
      retry: {
        attempts: Math.max(0, Math.min(5, Number.isInteger(attempts) ? attempts : 2)),
        on: ['connect', 'timeout', '429', '5xx'],
      },
      ...(timeout > 0 && { timeoutMs: Math.min(3_600_000, Math.max(100, Math.round(timeout * 1000))) }),
    })
  }
  const used = [
    'fallbacks',
    'default_fallbacks',
    'routing_strategy',
    'num_retries',
    'timeout',
    'context_window_fallbacks',
    'content_policy_fallbacks',
  ]
  for (const field of Object.keys(router))
    if (!used.includes(field)) report(`router_settings.${field}`, 'has no equivalent, or is built in')
}

function readFallbacks(value: unknown): Map<string, string[]> {
  return new Map(
    objectsOf(value).flatMap((each) =>
      Object.entries(each).map(([name, others]) => [name, stringsOf(others)]),
    ),
  )
}
