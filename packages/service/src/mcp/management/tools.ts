import { asArray, asObject, asText, type JsonObject } from '@tallystick/record/json'
import type { Principal } from '../../http/index.js'

/** A tool: one operation of the management API, described for a model. */
export interface ManagementTool {
  name: string
  title: string
  description: string
  /** The id of the operation that it calls. The operation declares its inputs and access. */
  operation: string
  /** Clearer names of inputs for a model, by the names of the operation. */
  rename?: Readonly<Record<string, string>>
  /** Descriptions where the operation has none that stands alone, by the names that the model sees. */
  describe?: Readonly<Record<string, string>>
  /** The inputs of the operation that the tool leaves out. */
  without?: readonly string[]
  /** Default values, by the names of the operation. */
  defaults?(principal: Principal): Readonly<Record<string, unknown>>
  /** Inputs that the operation does not have. They are passed to `present`. */
  extras?: Readonly<Record<string, JsonObject>>
  /** Returns the part of the answer that the model receives. */
  present?(answer: JsonObject, extras: JsonObject): JsonObject
  /** The effects of a tool that changes something. Missing for tools that only read. */
  changes?: { destructive: boolean; idempotent: boolean }
}

// Smaller than the API's page of 50 rows, because a model pays for what it reads.
const shortPage = () => ({ limit: 20 })

const topGroups = {
  top: { type: 'integer', minimum: 1, maximum: 100, default: 10, description: 'How many groups, by spend' },
}

/** Returns the report with the first groups and the number of groups that are left out. */
function presentUsage(answer: JsonObject, extras: JsonObject): JsonObject {
  const groups = asArray(answer.groups)
  const shown = groups.slice(0, Number(extras.top ?? topGroups.top.default))
  const rest = Number(asObject(answer.rest).groups ?? 0)
  const { rest: _, ...report } = answer
  return { ...report, groups: shown, groupsNotShown: groups.length - shown.length + rest }
}

function presentTop(answer: JsonObject, extras: JsonObject): JsonObject {
  const { series: _, ...report } = presentUsage(answer, extras)
  return report
}

function presentModels({ data }: JsonObject, { search }: JsonObject): JsonObject {
  const wanted = asText(search).toLowerCase()
  const names = asArray(data)
    .map((model) => asText(asObject(model).id))
    .filter((name) => name.toLowerCase().includes(wanted))
  return { models: names, total: names.length }
}

/** The management tools. Operations that return secrets are left out, because a new key would end up in the transcript of a model. */
export const managementTools: readonly ManagementTool[] = [
  {
    name: 'whoami',
    title: 'Who am I',
    description:
      'Says who you are to this service: the tenant, your role (member, auditor or manager), your user and your key. What the other tools show and allow follows from the role.',
    operation: 'getCaller',
  },
  {
    name: 'budget_left',
    title: 'Budget left',
    description:
      'How much money and how many requests and tokens per minute are left for your key: every limit that your next call must fit into, the tightest first in `money`, with `remainingUsd` and when it resets. An empty `money` means that no limit on money holds. For an entry of type `budget`, more can be asked for with file_budget_request and its `id`; pools of teams and caps of users are changed by a manager.',
    operation: 'getKeyStanding',
    rename: { id: 'keyId' },
    describe: { keyId: 'Another key that you may see, such as key_…; your own without it' },
    defaults: ({ keyId }) => ({ id: keyId }),
  },
  {
    name: 'list_budgets',
    title: 'List budgets',
    description:
      'The budgets that you may see, with what is spent, reserved and left in the current period. For what your own key has left, budget_left is shorter.',
    operation: 'listBudgets',
    defaults: shortPage,
  },
  {
    name: 'file_budget_request',
    title: 'Request more budget',
    description:
      'Asks the managers for more money in a budget. Nothing is granted until one of them approves it; list_budget_requests shows what became of it. Say in `reason` what the money is for: a person reads it. File it once.',
    operation: 'createBudgetRequest',
    describe: {
      budgetId: 'The budget, such as bud_…: from budget_left or list_budgets',
      amountUsd: 'How much more, in US dollars',
      reason: 'What it is for, in words for the manager who decides',
    },
    changes: { destructive: false, idempotent: false },
  },
  {
    name: 'list_budget_requests',
    title: 'List budget requests',
    description:
      'Requests for more budget, newest first, with their status: pending, approved or denied. Managers and auditors see all of the tenant, others their own.',
    operation: 'listBudgetRequests',
    defaults: shortPage,
  },
  {
    name: 'approve_budget_request',
    title: 'Approve a budget request',
    description:
      'Grants a pending budget request, in whole or in part, for the current period. It cannot be taken back here: do it only when the person you work for decided so.',
    operation: 'approveBudgetRequest',
    rename: { id: 'requestId' },
    describe: { requestId: 'The request, such as breq_…: from list_budget_requests' },
    changes: { destructive: false, idempotent: false },
  },
  {
    name: 'deny_budget_request',
    title: 'Deny a budget request',
    description:
      'Denies a pending budget request, for good. Do it only when the person you work for decided so.',
    operation: 'denyBudgetRequest',
    rename: { id: 'requestId' },
    describe: { requestId: 'The request, such as breq_…: from list_budget_requests' },
    changes: { destructive: true, idempotent: false },
  },
  {
    name: 'usage',
    title: 'Read usage and spend',
    description:
      'Requests, tokens, spend and latency of a span: in total, over time (`series`) and by one or two dimensions (`groups`, by spend). A member reads its own, managers and auditors that of the tenant. For a ranking alone, spend_top is shorter.',
    operation: 'getUsage',
    without: ['format', 'groupSeries'],
    extras: topGroups,
    present: presentUsage,
  },
  {
    name: 'spend_top',
    title: 'What costs most',
    description:
      'The models, users, teams, keys, sessions or other groups that spent most in a span, without the course over time.',
    operation: 'getUsage',
    without: [
      ...['format', 'groupSeries', 'interval', 'policyId', 'session', 'route', 'agent', 'cache', 'batch'],
      ...['requestId', 'minCostUsd', 'outcome'],
    ],
    extras: topGroups,
    present: presentTop,
  },
  {
    name: 'forecast',
    title: 'Forecast the month',
    description:
      'What will be spent by the end of this calendar month if nothing changes, and day by day. Of a member its own, of managers and auditors that of the tenant.',
    operation: 'getUsageForecast',
  },
  {
    name: 'search_calls',
    title: 'Search calls',
    description:
      'Calls to models and tools that left a receipt, newest first: who, which model, outcome, tokens, cost, latency, policies that acted. All filters that are given must hold. A page may be short or empty while `nextCursor` is not null: go on from there.',
    operation: 'listCalls',
    defaults: shortPage,
  },
  {
    name: 'get_call',
    title: 'Read a call',
    description:
      'One call with its checks, attempts, price and corrections, by its request id: from search_calls, or the header x-tallystick-request-id of an answer. With `content`, also what was said in it, where that is kept and your role may read it; reading it is noted in the audit log.',
    operation: 'getCall',
    describe: { requestId: 'Such as req_…' },
    defaults: () => ({ content: false }),
  },
  {
    name: 'list_models',
    title: 'List models',
    description: 'The names of the models and routes that your key may call.',
    operation: 'listModels',
    without: ['limit', 'after_id', 'before_id'],
    extras: { search: { type: 'string', description: 'Only names that contain this text' } },
    present: presentModels,
  },
  {
    name: 'list_mcp_servers',
    title: 'List MCP servers',
    description:
      'The servers with tools that are reached through this gateway: what they list, how they do, and in `connected` whether you have given those that want an account of yours what they need. You call their tools at /mcp, where they are named server__tool.',
    operation: 'listMcpServers',
    defaults: shortPage,
  },
  {
    name: 'connect_mcp_server',
    title: 'Connect an account',
    description:
      'For a server whose `auth` is `oauth` and that is not connected: a link at which the person you work for gives consent, in a browser. Show them the link; do not open it yourself. It is good for 15 minutes.',
    operation: 'connectMcpServer',
    rename: { id: 'serverId' },
    describe: { serverId: 'The server, such as mcp_…: from list_mcp_servers' },
    changes: { destructive: false, idempotent: true },
  },
  {
    name: 'list_keys',
    title: 'List keys',
    description:
      'Virtual keys with their limits, owner, team and when they were used last, newest first; never their values. A member sees its own.',
    operation: 'listKeys',
    defaults: shortPage,
  },
  {
    name: 'list_policies',
    title: 'List policies',
    description: 'The rules for what may be asked and answered: kind, scope, action and configuration.',
    operation: 'listPolicies',
    defaults: shortPage,
  },
  {
    name: 'list_prompts',
    title: 'List prompts',
    description:
      'Prompts of the tenant with their labels, which a call can name instead of carrying the text.',
    operation: 'listPrompts',
    without: ['limit', 'cursor'],
  },
  {
    name: 'attention',
    title: 'What needs a decision',
    description:
      'What somebody has to decide or repair: pending budget requests, limits that are nearly or fully used, providers that fail or refuse a credential, tools that wait for approval, and webhooks that are not delivered.',
    operation: 'getAttention',
  },
]
