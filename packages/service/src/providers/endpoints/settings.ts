import { type Annotations, setting, settings } from '../shapes/index.js'

/** Settings that most endpoints share; they are not input of the model. */
export const samplingSettings: Annotations = {
  model: setting,
  stream: setting,
  temperature: setting,
  top_p: setting,
  metadata: settings,
  service_tier: setting,
}

/** Settings of OpenAI's endpoints. */
export const openAiSettings: Annotations = {
  ...samplingSettings,
  user: setting,
  store: setting,
  stream_options: settings,
  top_logprobs: setting,
  parallel_tool_calls: setting,
  prompt_cache_key: setting,
  prompt_cache_retention: setting,
  safety_identifier: setting,
}

/** Settings of chats and of older completions. */
export const completionSettings: Annotations = {
  ...openAiSettings,
  stop: settings,
  seed: setting,
  logprobs: setting,
  frequency_penalty: setting,
  presence_penalty: setting,
  logit_bias: settings,
}
