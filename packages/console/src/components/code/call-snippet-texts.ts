import { baseUrl } from '../../api'
import { chatPath, messagesPath, responsesPath } from './model-for'

/** How a client is called, ready to paste. */
export interface ClientSnippet {
  id: string
  name: string
  note: string
  code: string
}

interface ModelSnippet extends Pick<ClientSnippet, 'id' | 'name'> {
  /** The endpoint that the client calls. */
  path: string
  note(model: string): string
  code(model: string): string
}

/**
 * Snippets that are ready to paste. They read the key from the environment, because command arguments are visible to all users of a
 * machine.
 */
export const clientSnippets: readonly ModelSnippet[] = [
  {
    id: 'curl',
    name: 'curl',
    path: chatPath,
    note: () =>
      'The key goes through a pipe: the arguments of a command are for everyone on the machine to see.',
    code: (model) => `printf 'Authorization: Bearer %s' "$TALLYSTICK_KEY" |
  curl "$TALLYSTICK_URL/v1/chat/completions" -H @- \\
    -H 'Content-Type: application/json' \\
    -d '{"model": "${model}", "max_tokens": 100,
         "messages": [{"role": "user", "content": "Hello, tally!"}]}'`,
  },
  {
    id: 'openai-python',
    name: 'OpenAI, Python',
    path: chatPath,
    note: () => 'pip install openai',
    code: (model) => `import os
from openai import OpenAI

client = OpenAI(
    base_url=os.environ["TALLYSTICK_URL"] + "/v1",
    api_key=os.environ["TALLYSTICK_KEY"],
)
answer = client.chat.completions.create(
    model="${model}",
    max_tokens=100,
    messages=[{"role": "user", "content": "Hello, tally!"}],
)
print(answer.choices[0].message.content)`,
  },
  {
    id: 'openai-js',
    name: 'OpenAI, JS',
    path: chatPath,
    note: () => 'npm install openai; save it as hello.mjs and run node hello.mjs',
    code: (model) => `import OpenAI from 'openai'

const { TALLYSTICK_URL, TALLYSTICK_KEY } = process.env
const client = new OpenAI({ baseURL: \`\${TALLYSTICK_URL}/v1\`, apiKey: TALLYSTICK_KEY })
const answer = await client.chat.completions.create({
  model: '${model}',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello, tally!' }],
})
console.log(answer.choices[0].message.content)`,
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    path: messagesPath,
    note: () => 'npm install @anthropic-ai/sdk; save it as hello.mjs and run node hello.mjs',
    code: (model) => `import Anthropic from '@anthropic-ai/sdk'

const { TALLYSTICK_URL, TALLYSTICK_KEY } = process.env
const client = new Anthropic({ baseURL: TALLYSTICK_URL, apiKey: TALLYSTICK_KEY })
const answer = await client.messages.create({
  model: '${model}',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello, tally!' }],
})
console.log(answer.content[0].text)`,
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    path: messagesPath,
    note: () =>
      'In the same shell. /model offers what the key may use; its sessions show up as sessions of calls.',
    code: (model) => `export ANTHROPIC_BASE_URL="$TALLYSTICK_URL" ANTHROPIC_AUTH_TOKEN="$TALLYSTICK_KEY"
export CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1
claude --model ${model}`,
  },
  {
    id: 'codex',
    name: 'Codex',
    path: responsesPath,
    note: () => 'In ~/.codex/config.toml; then start codex in the same shell.',
    code: (model) => `model = "${model}"
model_provider = "tallystick"

[model_providers.tallystick]
name = "Tallystick"
base_url = "${baseUrl}/v1"
env_key = "TALLYSTICK_KEY"
wire_api = "responses"`,
  },
  {
    id: 'opencode',
    name: 'opencode',
    path: chatPath,
    note: (model) =>
      `In opencode.json of the project; then, in the same shell: opencode -m ${withVendor(model)}`,
    code: () => `{
  "provider": {
    "openai": { "options": { "baseURL": "${baseUrl}/v1", "apiKey": "{env:TALLYSTICK_KEY}" } },
    "anthropic": { "options": { "baseURL": "${baseUrl}/v1", "apiKey": "{env:TALLYSTICK_KEY}" } }
  }
}`,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    path: chatPath,
    note: () =>
      'In Cursor’s settings, under Models. Cursor calls from its own servers: they must be able to reach this address, with TLS.',
    code: (model) => `OpenAI API Key            the value of TALLYSTICK_KEY
Override OpenAI Base URL  ${baseUrl}/v1
Add a model               ${model}`,
  },
]

/** opencode selects a client by the vendor before the slash. */
function withVendor(model: string): string {
  const name = model.split('/').at(-1) ?? model
  return `${name.startsWith('claude') ? 'anthropic' : 'openai'}/${name}`
}
