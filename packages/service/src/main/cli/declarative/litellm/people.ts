import { isObject, type Json, objectsOf, stringOf, stringsOf } from '../json.js'
import { type Conversion, periodOf } from './conversion.js'

const usedKeyFields = [
  'key_alias',
  'team_alias',
  'team_id',
  'user_id',
  'rpm_limit',
  'tpm_limit',
  'models',
  'max_budget',
  'budget_duration',
  'metadata',
]
const usedTeamFields = ['team_alias', 'team_id', 'max_budget', 'budget_duration']
const usedSettings = [
  'fallbacks',
  'default_fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'num_retries',
  'request_timeout',
  'max_budget',
  'budget_duration',
]

/** Teams, keys and budgets, in the form in which LiteLLM's API takes them. */
export function convertPeople(config: Json, conversion: Conversion): void {
  const { add, report } = conversion
  const settings = isObject(config.litellm_settings) ? config.litellm_settings : {}
  if (typeof settings.max_budget === 'number')
    addBudget('LiteLLM max_budget', settings, { type: 'tenant' }, 'litellm_settings', conversion)
  for (const field of Object.keys(settings))
    if (!usedSettings.includes(field)) report(`litellm_settings.${field}`, settingReason(field))
  const general = isObject(config.general_settings) ? config.general_settings : {}
  for (const field of Object.keys(general))
    report(
      `general_settings.${field}`,
      field === 'master_key'
        ? 'use a manager key instead'
        : 'is a setting of the service; see docs/reference/configuration.md',
    )

  const teams = new Map<string, string>()
  for (const [index, team] of objectsOf(config.teams).entries()) {
    const name = stringOf(team.team_alias) || stringOf(team.team_id) || `team ${index + 1}`
    teams.set(stringOf(team.team_id), name)
    teams.set(name, name)
    const { period, isExact } = periodOf(team.budget_duration)
    const isMonthly = period === 'monthly' && isExact
    if (typeof team.max_budget === 'number' && !isMonthly)
      addBudget(`${name}, LiteLLM`, team, { type: 'team', id: name }, `teams[${index}]`, conversion)
    if (typeof team.max_budget !== 'number')
      report(`teams[${index}]`, 'has no max_budget; its monthly pool was set to 9,000,000 USD')
    add('Team', name, {
      budgetPoolUsd: isMonthly && typeof team.max_budget === 'number' ? team.max_budget : 9_000_000,
    })
    for (const field of Object.keys(team))
      if (!usedTeamFields.includes(field))
        report(
          `teams[${index}].${field}`,
          field === 'models' ? 'use a policy of kind model_allowlist for the team' : 'has no equivalent',
        )
  }
  for (const [index, key] of objectsOf(config.keys).entries()) convertKey(key, index, teams, conversion)
}

const settingReason = (field: string): string =>
  field.includes('callback')
    ? 'use traces by OTLP, webhooks, or the record'
    : field.startsWith('cache')
      ? 'set `cache` on routes'
      : field === 'drop_params'
        ? 'requests are forwarded as they were sent'
        : 'has no equivalent, or is built in'

function convertKey(key: Json, index: number, teams: Map<string, string>, conversion: Conversion): void {
  const { add, report } = conversion
  const path = `keys[${index}]`
  const name = stringOf(key.key_alias) || `key ${index + 1}`
  const teamId = teams.get(stringOf(key.team_alias) || stringOf(key.team_id))
  const models = stringsOf(key.models).filter((model) => model !== 'all-proxy-models')
  const metadata = Object.entries(isObject(key.metadata) ? key.metadata : {})
  const texts = metadata.filter(([, value]) => typeof value === 'string')
  if (texts.length < metadata.length) report(`${path}.metadata`, 'only texts were kept')
  add('Key', name, {
    ...(typeof key.user_id === 'string' && { userId: key.user_id }),
    ...(teamId !== undefined && { teamId }),
    ...(typeof key.rpm_limit === 'number' && { rpmLimit: key.rpm_limit }),
    ...(typeof key.tpm_limit === 'number' && { tpmLimit: key.tpm_limit }),
    ...(models.length > 0 && { allowedModels: models }),
    ...(texts.length > 0 && { metadata: Object.fromEntries(texts) }),
  })
  if (typeof key.max_budget === 'number')
    addBudget(`${name}, LiteLLM`, key, { type: 'key', id: name }, path, conversion)
  for (const field of Object.keys(key))
    if (!usedKeyFields.includes(field))
      report(
        `${path}.${field}`,
        field === 'key' ? 'values cannot be moved; apply makes a new one' : 'has no equivalent',
      )
}

function addBudget(
  name: string,
  { max_budget, budget_duration }: Json,
  scope: Json,
  path: string,
  { add, report }: Conversion,
) {
  const { period, isExact } = periodOf(budget_duration)
  if (!isExact)
    report(
      `${path}.budget_duration`,
      `"${String(budget_duration)}" is no calendar period; the budget is for the total`,
    )
  add('Budget', name, { amountUsd: max_budget, period, scope })
}
