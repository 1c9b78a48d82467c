import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace } from '../../harness/declarative/command.js'
import type { TestService } from '../../harness/service/service.js'
import { shareTestService } from '../../harness/service/shared-service.js'
import { addTenant } from '../../harness/service/tenant.js'

let service: TestService
beforeAll(async () => {
  service = await shareTestService()
})
afterAll(() => service.stop())

const config = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: os.environ/MAIN_KEY, rpm: 100 }
  - model_name: gpt-4o
    litellm_params: { model: gpt-4o, api_base: https://eu.example.com/v1, api_key: sk-literal-secret, weight: 3 }
  - model_name: claude
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: os.environ/CLAUDE_KEY }
  - model_name: "everything/*"
    litellm_params: { model: "openai/*", api_key: os.environ/MAIN_KEY }
  - model_name: odd
    litellm_params: { model: strange/model }
router_settings:
  routing_strategy: usage-based-routing-v2
  num_retries: 3
  timeout: 30
litellm_settings:
  fallbacks: [{ claude: [gpt-4o] }]
  drop_params: true
  max_budget: 100
  budget_duration: 30d
general_settings: { master_key: sk-master-secret }
guardrails:
  - guardrail_name: pii
    litellm_params:
      guardrail: presidio
      mode: pre_call
      default_on: true
      pii_entities_config: { EMAIL_ADDRESS: MASK, CREDIT_CARD: BLOCK, PERSON: MASK }
  - guardrail_name: aporia
    litellm_params: { guardrail: aporia, mode: post_call }
mcp_servers:
  zapier: { url: "http://127.0.0.1:9/mcp", auth_type: bearer_token, auth_value: zapier-secret }
teams:
  - { team_alias: research, max_budget: 50, budget_duration: 30d }
keys:
  - { key_alias: ci, team_alias: research, rpm_limit: 10, models: [gpt-4o], max_budget: 5, budget_duration: 1d }
`

test('a LiteLLM configuration becomes documents that apply, and a report of everything that does not map', async () => {
  const tenant = await addTenant(service, 'from-litellm')
  const files = openWorkspace({ address: service.address, managerKey: tenant.managerKey })
  try {
    files.write('config.txt', config)
    const imported = await files.run(['import', 'litellm', `${files.folder}/config.txt`])
    expect(imported.exitCode).toBe(0)
    for (const secret of ['sk-literal-secret', 'sk-master-secret', 'zapier-secret'])
      expect(imported.out + imported.error).not.toContain(secret)
    for (const path of [
      'model_list[0].litellm_params.rpm',
      'model_list[1].litellm_params.api_key',
      'model_list[3]',
      'model_list[4]',
      'router_settings.routing_strategy',
      'litellm_settings.drop_params',
      'general_settings.master_key',
      'guardrails[0].pii_entities_config.PERSON',
      'guardrails[1]',
      'mcp_servers'.concat('.zapier'),
    ])
      expect(imported.error).toContain(`${path}: `)

    files.write('all.yaml', imported.out)
    const env = {
      ...{ MAIN_KEY: 'sk-main-value', CLAUDE_KEY: 'sk-claude-value' },
      ...{ OPENAI_EU_API_KEY: 'sk-eu-value', MCP_ZAPIER_TOKEN: 'zapier-value' },
    }
    const applied = await files.apply([], env)
    expect(applied, imported.out + applied.out + applied.error).toMatchObject({ exitCode: 0 })
    expect((await files.apply([], env)).out).toBe('No changes.\n')
    const routes = (await tenant.api.get('/v1/routes')).body.data
    const claude = routes.find(({ name }: { name: string }) => name === 'claude')
    expect(claude).toMatchObject({ strategy: 'priority', retry: { attempts: 3 }, timeoutMs: 30_000 })
    expect(claude.targets.map(({ model }: { model: string }) => model)).toEqual([
      'anthropic/claude-sonnet-4-5',
      'openai/gpt-4o',
      'openai-eu/gpt-4o',
    ])
    const policies = (await tenant.api.get('/v1/policies')).body
    expect(JSON.stringify(policies)).toContain('"entities":["credit_card"]')
  } finally {
    files.close()
  }
})
