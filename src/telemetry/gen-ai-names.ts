// OpenTelemetry's conventions for generative AI name some providers in their own way. One that is not here keeps its own name.
const providerNames: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

/** `gen_ai.provider.name` of whoever's prices apply: the vendor, whatever the provider is called here. */
export const genAiProvider = (pricesOf: string): string => providerNames[pricesOf] ?? pricesOf

const conversations = new Set(['', 'chat', 'messages', 'responses'])

/** `gen_ai.operation.name` of an endpoint. The conventions have a name for conversations and for older completions. */
export function genAiOperation(endpoint: string): string {
  if (conversations.has(endpoint)) return 'chat'
  return endpoint === 'completions' ? 'text_completion' : endpoint
}
