/** What the form needs to know about a provider type. `test/console/provider-types.test.ts` compares it with the service's own table. */
export interface ProviderType {
  type: string
  name: string
  /** The default address; null if it follows from the options or must be entered. */
  baseUrl: string | null
  /** The type has no default address. */
  needsBaseUrl?: boolean
  /** The format of a credential; null if the type needs none. */
  credential: string | null
  /** Whose list prices apply; null if the catalogue has none, so that its models need prices of the tenant. */
  pricesOf: string | null
  options?: readonly ProviderOption[]
}

export interface ProviderOption {
  name: string
  label: string
  required: boolean
  hint: string
  placeholder?: string
}

const apiKey = (where: string) => `An API key, from ${where}`

export const providerTypes: readonly ProviderType[] = [
  {
    type: 'openai',
    name: 'OpenAI or compatible',
    baseUrl: 'https://api.openai.com/v1',
    credential: apiKey('platform.openai.com'),
    pricesOf: 'openai',
  },
  {
    type: 'anthropic',
    name: 'Anthropic or compatible',
    baseUrl: 'https://api.anthropic.com',
    credential: apiKey('console.anthropic.com'),
    pricesOf: 'anthropic',
  },
  {
    type: 'azure-openai',
    name: 'Azure OpenAI',
    baseUrl: null,
    needsBaseUrl: true,
    credential:
      'The key of the resource, or an application of Entra ID as JSON: { "tenantId", "clientId", "clientSecret" }',
    pricesOf: 'openai',
    options: [
      {
        name: 'apiVersion',
        label: 'API version',
        required: false,
        hint: 'Only for the older API, where model names are deployment names',
        placeholder: '2024-10-21',
      },
      {
        name: 'authority',
        label: 'Entra authority',
        required: false,
        hint: 'The authority that issues tokens to the application',
        placeholder: 'https://login.microsoftonline.com',
      },
      {
        name: 'scope',
        label: 'Entra scope',
        required: false,
        hint: 'The resource that tokens are requested for',
        placeholder: 'https://cognitiveservices.azure.com/.default',
      },
    ],
  },
  {
    type: 'bedrock',
    name: 'Amazon Bedrock',
    baseUrl: null,
    credential: 'A Bedrock API key, or keys of AWS as JSON: { "accessKeyId", "secretAccessKey" }',
    pricesOf: 'anthropic',
    options: [
      {
        name: 'region',
        label: 'Region',
        required: true,
        hint: 'An AWS region; determines the address',
        placeholder: 'eu-central-1',
      },
    ],
  },
  {
    type: 'vertex',
    name: 'Google Vertex AI',
    baseUrl: null,
    credential: 'The JSON key of a Google Cloud service account',
    pricesOf: 'google',
    options: [
      {
        name: 'project',
        label: 'Project',
        required: true,
        hint: 'The Google Cloud project ID',
        placeholder: 'my-project',
      },
      {
        name: 'region',
        label: 'Region',
        required: true,
        hint: 'A Google Cloud region, or global',
        placeholder: 'europe-west1',
      },
    ],
  },
  {
    type: 'gemini',
    name: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    credential: apiKey('aistudio.google.com'),
    pricesOf: 'google',
  },
  {
    type: 'mistral',
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    credential: apiKey('console.mistral.ai'),
    pricesOf: 'mistral',
  },
  {
    type: 'xai',
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    credential: apiKey('console.x.ai'),
    pricesOf: 'xai',
  },
  {
    type: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    credential: apiKey('console.groq.com'),
    pricesOf: 'groq',
  },
  {
    type: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com',
    credential: apiKey('platform.deepseek.com'),
    pricesOf: 'deepseek',
  },
  {
    type: 'moonshot',
    name: 'Moonshot',
    baseUrl: 'https://api.moonshot.ai/v1',
    credential: apiKey('platform.moonshot.ai'),
    pricesOf: null,
  },
  {
    type: 'together',
    name: 'Together',
    baseUrl: 'https://api.together.xyz/v1',
    credential: apiKey('api.together.ai'),
    pricesOf: null,
  },
  {
    type: 'fireworks',
    name: 'Fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    credential: apiKey('fireworks.ai'),
    pricesOf: null,
  },
  {
    type: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    credential: apiKey('openrouter.ai'),
    pricesOf: null,
  },
  {
    type: 'cohere',
    name: 'Cohere',
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    credential: apiKey('dashboard.cohere.com'),
    pricesOf: 'cohere',
  },
  { type: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', credential: null, pricesOf: null },
  { type: 'vllm', name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', credential: null, pricesOf: null },
  {
    type: 'lmstudio',
    name: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    credential: null,
    pricesOf: null,
  },
]

const known = new Map(providerTypes.map((each) => [each.type, each]))

export const findType = (type: string): ProviderType | undefined => known.get(type)
export const nameOfType = (type: string): string =>
  known.get(type)?.name.replace(', or compatible', '') ?? type
