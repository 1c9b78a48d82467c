// OpenTelemetry's conventions for generative AI have their own names for some providers. All others keep their name.
const providerNames: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

/** Returns `gen_ai.provider.name` of the vendor whose prices apply, whatever the provider is called here. */
export const genAiProvider = (pricesOf: string): string => providerNames[pricesOf] ?? pricesOf

const conversations = new Set(['', 'chat', 'messages', 'responses'])

/** Returns `gen_ai.operation.name` of an endpoint. The conventions only name conversations and older completions. */
export function genAiOperation(endpoint: string): string {
  if (conversations.has(endpoint)) return 'chat'
  return endpoint === 'completions' ? 'text_completion' : endpoint
}
