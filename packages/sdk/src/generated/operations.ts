// Generated from openapi.json by `npm run openapi`. Do not edit.

import type { EventStream } from '../client/events.js'
import type { Pages } from '../client/pages.js'
import type { RequestOptions } from '../client/request.js'
import type { components, operations } from './api.js'

type Schemas = components['schemas']
type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

/** The methods of the client: one for each operation of the API, named by its `operationId`. */
export interface Operations {
  /**
   * Check that the process is alive.
   *
   * No key is required.
   */
  getHealth(options?: RequestOptions): Promise<Schemas['Health']>

  /**
   * Check that the service is ready.
   *
   * Returns 200 while the service is `ready` or `degraded`, and 503 while it is `unready`. Each check has its state, since when,
   * and in words what is wrong and what to do. A load balancer needs only the status.
   *
   * No key is required.
   */
  getReadiness(options?: RequestOptions): Promise<Schemas['Readiness']>

  /**
   * Get metrics.
   *
   * No key is required.
   */
  getMetrics(options?: RequestOptions): Promise<string>

  /**
   * Get the public keys of the record.
   *
   * Returns every key that has ever signed a record, including retired keys, as a JSON Web Key Set.
   *
   * No key is required.
   */
  getSigningKeys(options?: RequestOptions): Promise<Schemas['KeySet']>

  /**
   * Get the OpenAPI document.
   *
   * Returns this API description as an OpenAPI 3.1 document. `GET /docs` shows it in a browser.
   *
   * No key is required.
   */
  getApiDescription(options?: RequestOptions): Promise<Record<string, unknown>>

  /**
   * Sign in with a key.
   *
   * Sets the cookie `tallystick_session`. The cookie replaces the key on every management route and on the event stream. The
   * gateway never accepts it. Browsers hide the cookie from scripts and send it only to this service. Changes made with the
   * cookie must come from a page of this service (`Origin`).
   *
   * The session ends after 12 hours without use, or after 7 days. It ends at once when its key is revoked or expires, or when its
   * user is suspended, removed or demoted.
   *
   * An address with many failed sign-ins is refused with 429 for a while.
   *
   * No key is required.
   */
  signIn(body: Schemas['SignIn'], options?: RequestOptions): Promise<Schemas['Caller']>

  /**
   * Get the caller.
   *
   * Returns the user, role and key that the key or session of this request stands for.
   *
   * Requires a valid key.
   */
  getCaller(options?: RequestOptions): Promise<Schemas['Caller']>

  /**
   * Sign out.
   *
   * Ends the session of the cookie and clears the cookie. The request also succeeds without a cookie, and when the session has already ended.
   *
   * No key is required.
   */
  signOut(options?: RequestOptions): Promise<void>

  /**
   * List your sessions.
   *
   * Lists the sessions of the caller’s user, newest first. For a key without an owner, it lists the sessions of the key. Managers also see only their own sessions. To end the sessions of another person, suspend the user or revoke the key.
   *
   * Requires a valid key.
   */
  listSessions(query?: Omit<Query<'listSessions'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Session']>

  /**
   * Sign out everywhere.
   *
   * Ends every session of the caller, including the session of this request.
   *
   * Requires a valid key.
   */
  endAllSessions(options?: RequestOptions): Promise<void>

  /**
   * End a session.
   *
   * Ends one of the caller’s sessions at once, on every replica. The request also succeeds if the session has already ended.
   *
   * Requires a valid key.
   */
  endSession(id: string, options?: RequestOptions): Promise<void>

  /**
   * List sign-in methods.
   *
   * Returns the ways to sign in, for the sign-in page. If an issuer is configured, `/v1/session/oidc?next=/path` sends a browser to
   * it. The issuer sends the browser back to `/v1/session/oidc/callback`, where the session begins as with `POST /v1/session`. The session
   * belongs to the person’s member, which the first sign-in creates.
   *
   * No key is required.
   */
  getSignInMethods(options?: RequestOptions): Promise<Schemas['SignInMethods']>

  /**
   * List keys.
   *
   * Lists virtual keys, newest first. Managers and auditors see every key of the tenant. Members see only their own keys.
   *
   * Requires a valid key.
   */
  listKeys(query?: Omit<Query<'listKeys'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Key']>

  /**
   * Create a key.
   *
   * Creates a virtual key. The response contains its value as `key`. The value is not shown again: only its SHA-256 is stored.
   *
   * Requires a manager key.
   */
  createKey(body: Schemas['CreateKey'], options?: RequestOptions): Promise<Schemas['CreatedKey']>

  /**
   * Get a key.
   *
   * Returns a key without its value. Members can read only their own keys.
   *
   * Requires a valid key.
   */
  getKey(id: string, options?: RequestOptions): Promise<Schemas['Key']>

  /**
   * Update a key.
   *
   * Updates the fields that are sent and leaves all others as they are. Null removes a limit. A revoked key cannot be updated.
   *
   * Requires a manager key.
   */
  updateKey(id: string, body: Schemas['UpdateKey'], options?: RequestOptions): Promise<Schemas['Key']>

  /**
   * Revoke a key.
   *
   * Revokes a key. Every replica refuses the key within a second of the response. Revoking a revoked key also succeeds.
   *
   * To rotate a key, create a new one, switch clients to it, then revoke the old key with the new one.
   *
   * Requires a manager key.
   */
  revokeKey(id: string, options?: RequestOptions): Promise<void>

  /**
   * Set the rate limits of a key.
   *
   * Sets the rate limits of a key. They apply to the next call, and on every replica within a second.
   *
   * Requires a manager key.
   */
  updateKeyLimits(id: string, body: Schemas['UpdateLimits'], options?: RequestOptions): Promise<Schemas['KeyLimits']>

  /**
   * Count the calls that policies acted on.
   *
   * Returns for each policy on how many calls it acted in the last seven days, today included: calls that it blocked, changed or
   * flagged. Only calls that are still stored are counted. Only a few of these reports run at a time, together with
   * usage reports.
   *
   * Requires a manager or auditor key.
   */
  getPolicyHits(query?: Query<'getPolicyHits'>, options?: RequestOptions): Promise<Schemas['PolicyHits']>

  /**
   * Get the current limits of a key.
   *
   * Returns what the key has used of its rate limits in the last minute, and what is left of every spending limit that applies to its calls. The figures come from the same counters that admit calls; reading them does not count as a call. Members can read only their own keys.
   *
   * Requires a valid key.
   */
  getKeyStanding(id: string, options?: RequestOptions): Promise<Schemas['KeyStanding']>

  /**
   * List the versions of a prompt.
   *
   * Lists the versions of a prompt, newest first. A version never changes.
   *
   * Requires a valid key.
   */
  listPromptVersions(id: string, query?: Omit<Query<'listPromptVersions'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['PromptVersion']>

  /**
   * Append a version to a prompt.
   *
   * Appends a version to a prompt. Versions are numbered 1, 2, 3 and so on, without gaps or repeats, even if several are appended
   * at the same time. The label `latest` moves to the new version. Every other label stays until it is moved.
   *
   * Requires a manager key.
   */
  appendPromptVersion(body: Schemas['AppendPromptVersion'], options?: RequestOptions): Promise<Schemas['PromptVersion']>

  /**
   * Get the version that a label points at.
   *
   * Returns the version that a label points at. `latest` always points at the newest version.
   *
   * Requires a valid key.
   */
  resolvePromptLabel(id: string, label: string, options?: RequestOptions): Promise<Schemas['ResolvedLabel']>

  /**
   * Delete a label.
   *
   * Deletes a label and keeps the version that it points at. Deleting a deleted label also succeeds. `latest` cannot be deleted.
   *
   * Requires a manager key.
   */
  deletePromptLabel(id: string, label: string, options?: RequestOptions): Promise<void>

  /**
   * Point a label at a version.
   *
   * Creates the label or moves it. Calls that use the label get the new version on every replica within a second, so releases and
   * rollbacks take one step. `latest` is reserved and always points at the newest version.
   *
   * Requires a manager key.
   */
  setPromptLabel(body: Schemas['SetPromptLabel'], options?: RequestOptions): Promise<void>

  /**
   * List prompts.
   *
   * Lists every prompt of the tenant, newest first, with the versions that its labels point at.
   *
   * Requires a valid key.
   */
  listPrompts(options?: RequestOptions): Promise<Schemas['Prompt'][]>

  /**
   * Create a prompt.
   *
   * Creates a prompt. With `content`, the prompt starts with version 1. Without it, the prompt has no version until you append one.
   *
   * Requires a manager key.
   */
  createPrompt(body: Schemas['CreatePrompt'], options?: RequestOptions): Promise<Schemas['Prompt']>

  /**
   * Get a prompt.
   *
   * Requires a valid key.
   */
  getPrompt(id: string, options?: RequestOptions): Promise<Schemas['Prompt']>

  /**
   * Update a prompt.
   *
   * Updates the name or description that is sent and leaves the other as it is. To change the text, append a version.
   *
   * Requires a manager key.
   */
  updatePrompt(id: string, body: Schemas['UpdatePrompt'], options?: RequestOptions): Promise<Schemas['Prompt']>

  /**
   * Delete a prompt.
   *
   * Deletes a prompt and its versions. The name can be used again, and every replica refuses calls that refer to the prompt
   * within a second.
   *
   * If the prompt has labels, it is in use, and the request fails with 409 and a list of the labels. With `cascade`, the labels
   * are deleted first, each with an entry in the audit log. Deleting a deleted prompt also succeeds.
   *
   * Requires a manager key.
   */
  deletePrompt(id: string, query?: Query<'deletePrompt'>, options?: RequestOptions): Promise<void>

  /**
   * List policies.
   *
   * Lists policies, newest first, including disabled ones.
   *
   * Requires a manager or auditor key.
   */
  listPolicies(query?: Omit<Query<'listPolicies'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Policy']>

  /**
   * Create a policy.
   *
   * Creates a policy. The contents of `config` depend on `kind`. The configuration is checked when it is saved: patterns are
   * compiled, and expressions are checked for syntax, unknown names and types. An error includes the position of the mistake.
   *
   * Model lists, limits and expressions only check requests, so their phase is `input`. All other kinds support every phase. The
   * kinds that find text support `redact`: keywords, pattern, pii and secrets. The defaults are the phase `input`, the action
   * `block`, and the whole tenant as the scope.
   *
   * Requires a manager key.
   */
  createPolicy(body: Schemas['CreatePolicy'], options?: RequestOptions): Promise<Schemas['CreatedPolicy']>

  /**
   * Get a policy.
   *
   * Requires a manager or auditor key.
   */
  getPolicy(id: string, options?: RequestOptions): Promise<Schemas['Policy']>

  /**
   * Update a policy.
   *
   * Updates the fields that are sent and leaves all others as they are. `config` and `scope` are replaced as a whole. The kind
   * cannot be changed: create another policy instead. Every change increases `version` by one, including a change of the name. A
   * request that changes nothing leaves the version as it is.
   *
   * Requires a manager key.
   */
  updatePolicy(id: string, body: Schemas['UpdatePolicy'], options?: RequestOptions): Promise<Schemas['Policy']>

  /**
   * Delete a policy.
   *
   * Deletes a policy. Its name can be used again. Deleting a deleted policy also succeeds.
   *
   * Requires a manager key.
   */
  deletePolicy(id: string, options?: RequestOptions): Promise<void>

  /**
   * Try policies on a call.
   *
   * Returns what the policies would decide on a call with these messages, for a key and a model. Nothing is sent to a provider,
   * nothing is recorded, and rate limits and budgets do not apply. An `http` policy does call its guardrail service, with
   * `dryRun: true`. Members can try only their own keys.
   *
   * Requires a valid key.
   */
  evaluatePolicies(body: Schemas['PolicyTrial'], options?: RequestOptions): Promise<Schemas['PolicyTrialResult']>

  /**
   * Try a draft of a policy.
   *
   * Returns what the policies would decide on a call if a draft were in force: in addition to the others, in place of the policy
   * whose `id` it has, or `alone`. The draft is validated like a policy that is saved, and is named `draft` in checks and
   * findings. Nothing is saved, sent to a provider or recorded. The kind `http` is not supported, because its guardrail service
   * is called only after the policy is saved.
   *
   * Requires a manager or auditor key.
   */
  evaluateDraftPolicy(body: Schemas['PolicyDraftTrial'], options?: RequestOptions): Promise<Schemas['PolicyTrialResult']>

  /**
   * Rotate the secret of an http policy.
   *
   * Creates a new secret for an `http` policy and returns it as `secret`. It signs all further requests, and the old secret signs none. This operation takes no body.
   *
   * Requires a manager key.
   */
  rotatePolicySecret(id: string, options?: RequestOptions): Promise<Schemas['PolicyWithSecret']>

  /**
   * List budgets.
   *
   * Lists budgets, newest first, with their current state: `spentUsd` is the sum of the current period’s receipts, and `reservedUsd` is held by calls in progress. Members see the budgets of the tenant, of teams, tags and sessions, and of their own user and keys.
   *
   * Requires a valid key.
   */
  listBudgets(query?: Omit<Query<'listBudgets'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Budget']>

  /**
   * Create a budget.
   *
   * Creates a limit on what a tenant, team, user, key, tag or session may spend in a period. A budget with the action `block` is
   * never exceeded: each call first reserves its maximum cost, and a call that does not fit is refused with 402. Spend from
   * before the budget was created counts if it belongs to the current period.
   *
   * Requires a manager key.
   */
  createBudget(body: Schemas['CreateBudget'], options?: RequestOptions): Promise<Schemas['Budget']>

  /**
   * Get a budget.
   *
   * Returns a budget with its current state. Members cannot read the budgets of other users and their keys.
   *
   * Requires a valid key.
   */
  getBudget(id: string, options?: RequestOptions): Promise<Schemas['Budget']>

  /**
   * Update a budget.
   *
   * Updates the fields that are sent and leaves all others as they are. The change applies from the next call. If the amount of a `block` budget is below what is already spent, every further call in the period is refused.
   *
   * Requires a manager key.
   */
  updateBudget(id: string, body: Schemas['UpdateBudget'], options?: RequestOptions): Promise<Schemas['Budget']>

  /**
   * Delete a budget.
   *
   * Deletes a budget. It no longer limits calls. Deleting a deleted budget also succeeds.
   *
   * Requires a manager key.
   */
  deleteBudget(id: string, options?: RequestOptions): Promise<void>

  /**
   * List budget requests.
   *
   * Lists requests for more budget, newest first. Managers and auditors see every request of the tenant. Members see only their own requests.
   *
   * Requires a valid key.
   */
  listBudgetRequests(query?: Omit<Query<'listBudgetRequests'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['BudgetRequest']>

  /**
   * Request more budget.
   *
   * Files a request for more budget. A manager can approve it, for the full amount or for less, or deny it.
   *
   * Requires a valid key that is not an auditor key.
   */
  createBudgetRequest(body: Schemas['CreateBudgetRequest'], options?: RequestOptions): Promise<Schemas['BudgetRequest']>

  /**
   * Approve a budget request.
   *
   * Approves a request and adds the granted amount to the current period of the budget. Without `amountUsd`, the full amount is granted. A request that is already decided fails with 409.
   *
   * Requires a manager key.
   */
  approveBudgetRequest(id: string, body?: Schemas['ApproveBudgetRequest'], options?: RequestOptions): Promise<Schemas['BudgetRequest']>

  /**
   * Deny a budget request.
   *
   * Denies a request. A request that is already decided fails with 409. This operation takes no body.
   *
   * Requires a manager key.
   */
  denyBudgetRequest(id: string, options?: RequestOptions): Promise<Schemas['BudgetRequest']>

  /**
   * List teams.
   *
   * Lists every team of the tenant, newest first.
   *
   * Requires a valid key.
   */
  listTeams(options?: RequestOptions): Promise<Schemas['Team'][]>

  /**
   * Create a team.
   *
   * Creates a team. Its pool is the maximum that the keys of the team may spend together in a calendar month. A call that does not fit is refused with 402.
   *
   * Requires a manager key.
   */
  createTeam(body: Schemas['CreateTeam'], options?: RequestOptions): Promise<Schemas['Team']>

  /**
   * Update a team.
   *
   * Updates the fields that are sent and leaves all others as they are. A new pool applies from the next call.
   *
   * Requires a manager key.
   */
  updateTeam(id: string, body: Schemas['UpdateTeam'], options?: RequestOptions): Promise<Schemas['Team']>

  /**
   * Delete a team.
   *
   * Deletes a team. If the team has keys, members, budgets or policies, the request fails with 409 and a list of them. With `cascade`, its budgets and policies are deleted too, and its keys and members stay without a team. The audit log has an entry for each. Deleting a deleted team also succeeds.
   *
   * Requires a manager key.
   */
  deleteTeam(id: string, query?: Query<'deleteTeam'>, options?: RequestOptions): Promise<void>

  /**
   * List members.
   *
   * Lists every user of the tenant, newest first.
   *
   * Requires a manager or auditor key.
   */
  listMembers(query?: Omit<Query<'listMembers'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Member']>

  /**
   * Add a member.
   *
   * Adds a member to the tenant. A member is also created when its user id is first used as the owner of a key or in user limits.
   *
   * Requires a manager key.
   */
  createMember(body: Schemas['CreateMember'], options?: RequestOptions): Promise<Schemas['Member']>

  /**
   * Get a member.
   *
   * Returns a member. A caller with the role `member` can read only itself.
   *
   * Requires a valid key.
   */
  getMember(userId: string, options?: RequestOptions): Promise<Schemas['Member']>

  /**
   * Update a member.
   *
   * Updates the fields that are sent and leaves all others as they are. A user belongs to at most one team. The user’s keys spend for this team unless they have their own team.
   *
   * Requires a manager key.
   */
  updateMember(userId: string, body: Schemas['UpdateMember'], options?: RequestOptions): Promise<Schemas['Member']>

  /**
   * Remove a member.
   *
   * Removes a member, together with the user’s limits. If the user has keys, budgets or policies, the request fails with 409 and
   * a list of them. With `cascade`, the user’s keys are revoked, and the user’s budgets and policies are deleted. The audit log
   * has an entry for each. Removing a removed member also succeeds.
   *
   * To stop a user at once, suspend the user (`PATCH /v1/user-limits/{userId}`).
   *
   * Requires a manager key.
   */
  deleteMember(userId: string, query?: Query<'deleteMember'>, options?: RequestOptions): Promise<void>

  /**
   * Update the role of a member.
   *
   * Sets the role of a member. Demoting a user removes manager rights from the user’s keys at once. A change that would leave the tenant without a manager key fails with 409.
   *
   * Requires a manager key.
   */
  updateMemberRole(userId: string, body: Schemas['UpdateRole'], options?: RequestOptions): Promise<Schemas['Member']>

  /**
   * List user limits.
   *
   * Lists the limits of every member, in the order of the member list: newest first. Members see only their own limits.
   *
   * Requires a valid key.
   */
  listUserLimits(query?: Omit<Query<'listUserLimits'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['UserLimit']>

  /**
   * Get the limits of a user.
   *
   * Returns the limits of a user. Members can read only their own limits.
   *
   * Requires a valid key.
   */
  getUserLimit(userId: string, options?: RequestOptions): Promise<Schemas['UserLimit']>

  /**
   * Set the limits of a user.
   *
   * Sets the limits of a user across all keys of the user, in the gateway and in this API. They apply on every replica within a
   * second. A suspended user is refused everywhere. An unknown user id creates that member.
   *
   * Requires a manager key.
   */
  updateUserLimit(userId: string, body: Schemas['UpdateUserLimit'], options?: RequestOptions): Promise<Schemas['UserLimit']>

  /**
   * List routes.
   *
   * Lists routes, newest first, including disabled ones.
   *
   * Requires a manager or auditor key.
   */
  listRoutes(query?: Omit<Query<'listRoutes'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Route']>

  /**
   * Create a route.
   *
   * Creates a name for one or more models. Every attempt at a target is admitted, checked by policies and recorded like a separate call, at the price of that target. Targets that the caller may not use are skipped.
   *
   * Requires a manager key.
   */
  createRoute(body: Schemas['CreateRoute'], options?: RequestOptions): Promise<Schemas['Route']>

  /**
   * Get a route.
   *
   * Returns a route with the state of each target. The states are those that the responding replica sees; replicas do not share them.
   *
   * Requires a manager or auditor key.
   */
  getRoute(id: string, options?: RequestOptions): Promise<Schemas['Route']>

  /**
   * Update a route.
   *
   * Updates the fields that are sent and leaves all others as they are. `targets`, `retry` and `cache` are replaced as a whole.
   *
   * Requires a manager key.
   */
  updateRoute(id: string, body: Schemas['UpdateRoute'], options?: RequestOptions): Promise<Schemas['Route']>

  /**
   * Delete a route.
   *
   * Deletes a route. Its name can no longer be called. Deleting a deleted route also succeeds.
   *
   * Requires a manager key.
   */
  deleteRoute(id: string, options?: RequestOptions): Promise<void>

  /**
   * List providers.
   *
   * Lists the providers of the tenant, newest first, followed by those from the configuration (`source: config`), by name. In a local trial, the latter include `mock`.
   *
   * Requires a manager or auditor key.
   */
  listProviders(query?: Omit<Query<'listProviders'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Provider']>

  /**
   * Create a provider.
   *
   * Creates a provider. Its models can be called as `provider/model` on every replica within a second. The values of headers and credentials are stored encrypted and never returned. A base URL that breaks the URL rules is refused with 400 and a message that names the rule.
   *
   * Requires a manager key.
   */
  createProvider(body: Schemas['CreateProvider'], options?: RequestOptions): Promise<Schemas['Provider']>

  /**
   * Get a provider.
   *
   * Returns a provider. The states of its credentials are those that the responding replica sees. The id of a provider from the configuration is `prov_config_` followed by its name.
   *
   * Requires a manager or auditor key.
   */
  getProvider(id: string, options?: RequestOptions): Promise<Schemas['Provider']>

  /**
   * Update a provider.
   *
   * Updates the fields that are sent and leaves all others as they are. `headers`, `timeouts`, `limits` and `options` are replaced as a whole. Calls in progress keep the old settings; later calls use the new ones, on every replica within a second. A provider from the configuration cannot be changed with the API (409).
   *
   * Requires a manager key.
   */
  updateProvider(id: string, body: Schemas['UpdateProvider'], options?: RequestOptions): Promise<Schemas['Provider']>

  /**
   * Delete a provider.
   *
   * Deletes a provider. Its credentials and the tenant’s prices for it are erased, and routes skip it. Calls in progress continue to their end. Deleting a deleted provider also succeeds. A provider from the configuration cannot be deleted with the API (409).
   *
   * Requires a manager key.
   */
  deleteProvider(id: string, options?: RequestOptions): Promise<void>

  /**
   * Add a credential to a provider.
   *
   * Adds a credential to a provider. Calls use it at once, together with the other credentials and in proportion to its weight. To rotate a credential, add the new one, then delete the old one.
   *
   * Requires a manager key.
   */
  createProviderCredential(id: string, body: Schemas['CreateProviderCredential'], options?: RequestOptions): Promise<Schemas['ProviderCredential']>

  /**
   * Delete a credential of a provider.
   *
   * Deletes a credential and erases its value. Deleting a deleted credential also succeeds.
   *
   * Requires a manager key.
   */
  deleteProviderCredential(id: string, cid: string, options?: RequestOptions): Promise<void>

  /**
   * Test a provider.
   *
   * Sends the provider a request that costs nothing with each of its credentials, and returns whether the provider was reached and accepted them. The test takes at most ten seconds. A credential that is refused is not used for a while. One that works is used again.
   *
   * Requires a manager key.
   */
  testProvider(id: string, options?: RequestOptions): Promise<Schemas['ProviderTest']>

  /**
   * List MCP servers.
   *
   * Lists the MCP servers of the tenant, newest first, followed by those from the configuration (`source: file`), by name. Members see the servers that they may use, with the tools that they may call.
   *
   * Requires a valid key.
   */
  listMcpServers(query?: Omit<Query<'listMcpServers'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['McpServer']>

  /**
   * Create an MCP server.
   *
   * Creates an MCP server. Its tools can be called after they are approved (`pinning`) and by callers who may use them (`open`, `allowedTools`, `tools` policies). Use `refresh` to list its tools. The values of headers are stored encrypted and never returned. A URL that breaks the URL rules is refused with 400 and a message that names the rule.
   *
   * Requires a manager key.
   */
  createMcpServer(body: Schemas['CreateMcpServer'], options?: RequestOptions): Promise<Schemas['McpServer']>

  /**
   * Get an MCP server.
   *
   * Returns an MCP server. Members can read only servers that they may use, and see only tools that they may call.
   *
   * Requires a valid key.
   */
  getMcpServer(id: string, options?: RequestOptions): Promise<Schemas['McpServer']>

  /**
   * Update an MCP server.
   *
   * Updates the fields that are sent and leaves all others as they are. `headers` and `auth` are replaced as a whole. A change of
   * `auth`, or of the path of the URL, disconnects all users. Calls in progress keep the old settings; later calls use the new
   * ones, on every replica within a second.
   *
   * The request fails with 409 if the URL has a new host while secrets are stored that were given for the old one, and for a
   * server from the configuration.
   *
   * Requires a manager key.
   */
  updateMcpServer(id: string, body: Schemas['UpdateMcpServer'], options?: RequestOptions): Promise<Schemas['McpServer']>

  /**
   * Delete an MCP server.
   *
   * Deletes an MCP server and erases its secrets, the credentials of its users and its approvals. Calls in progress continue to their end. Deleting a deleted server also succeeds. A server from the configuration cannot be deleted with the API (409).
   *
   * Requires a manager key.
   */
  deleteMcpServer(id: string, options?: RequestOptions): Promise<void>

  /**
   * Refresh the tools of an MCP server.
   *
   * Lists the tools of the server now. The service also does so every few minutes, and when the server reports a change.
   *
   * If the server cannot be reached, its status is `failing`, `statusMessage` says why, and the previous tools stay. A server
   * that identifies users is asked on behalf of the caller: tools that it no longer lists for the caller stay for others, and its
   * refusal is returned as 502.
   *
   * Requires a manager key.
   */
  refreshMcpServer(id: string, options?: RequestOptions): Promise<Schemas['McpServer']>

  /**
   * Get your connection to an MCP server.
   *
   * Returns whether the service can call this server on your behalf: for your user, or for your key if it has no owner. The credential itself is never returned.
   *
   * Requires a valid key.
   */
  getMcpCredential(id: string, options?: RequestOptions): Promise<Schemas['McpCredential']>

  /**
   * Store your credential for an MCP server.
   *
   * Stores the header value that your calls to this server send, for a server whose `auth` has the type `header`. Only your calls use it. The value is encrypted for you and for the current URL of this server.
   *
   * Requires a valid key that is not an auditor key.
   */
  setMcpCredential(id: string, body: Schemas['SetMcpCredential'], options?: RequestOptions): Promise<Schemas['McpCredential']>

  /**
   * Delete your credential for an MCP server.
   *
   * Deletes your stored value or tokens at once. The authorization server still has your consent, so withdraw it there too. The request also succeeds if nothing is stored.
   *
   * Requires a valid key that is not an auditor key.
   */
  deleteMcpCredential(id: string, options?: RequestOptions): Promise<void>

  /**
   * Connect your account to an MCP server.
   *
   * Returns the URL at which you give consent in a browser, for a server whose `auth` has the type `oauth`. Your calls then use your own tokens, which the service renews for as long as the consent lasts. This operation takes no body.
   *
   * Requires a valid key that is not an auditor key.
   */
  connectMcpServer(id: string, options?: RequestOptions): Promise<Schemas['McpConnection']>

  /**
   * List the tools of an MCP server.
   *
   * Lists the tools of an MCP server by name, each with its newest and its approved definition, their differences, and parts to review. Tools that the server no longer lists are included if they were approved or blocked.
   *
   * Requires a manager or auditor key.
   */
  listMcpTools(id: string, options?: RequestOptions): Promise<Schemas['McpToolList']>

  /**
   * Approve a tool.
   *
   * Approves the newest definition of a tool. Callers get this definition within a second, and a later one must be approved again. Send the `hash` of the definition that you reviewed. The approval is added to the record. Approving an approved definition also succeeds.
   *
   * Requires a manager key.
   */
  approveMcpTool(id: string, name: string, body?: Schemas['ApproveMcpTool'], options?: RequestOptions): Promise<Schemas['McpTool']>

  /**
   * Block a tool.
   *
   * Blocks a tool. Nobody can call it until it is approved, whatever `pinning` is and even if its definition changes. The block is added to the record. Blocking a blocked tool also succeeds.
   *
   * Requires a manager key.
   */
  blockMcpTool(id: string, name: string, options?: RequestOptions): Promise<Schemas['McpTool']>

  /**
   * Approve several tools.
   *
   * Approves several tools, all or none. If a definition has changed since you reviewed it, the request fails with 409 and nothing is approved. Each approval is added to the record.
   *
   * Requires a manager key.
   */
  approveMcpTools(id: string, body: Schemas['ApproveMcpTools'], options?: RequestOptions): Promise<Schemas['McpToolList']>

  /**
   * List models with their prices.
   *
   * Lists every model that can be called, by provider and name, with the prices that the tenant is charged. `GET /v1/models` lists the models that a key may use.
   *
   * Requires a manager or auditor key.
   */
  listCatalogue(query?: Omit<Query<'listCatalogue'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['CatalogueModel']>

  /**
   * Set the tenant’s own price of a model.
   *
   * Sets a price that applies only to this tenant, for a model of a provider of the tenant or of the configuration. The model need not be in a catalogue. The price applies to every name of the model, starting at `effectiveFrom`, and receipts name the price that they used. A price with a later start leaves the current price in force until then.
   *
   * Requires a manager key.
   */
  setModelPrice(provider: string, model: string, body: Schemas['SetModelPrice'], options?: RequestOptions): Promise<Schemas['CatalogueModel']>

  /**
   * Delete the tenant’s own price of a model.
   *
   * Deletes the tenant’s own price of a model, including one that is not yet in force. The price that applies otherwise is in force again. Without one, the model cannot be called. The request also succeeds if there is no such price.
   *
   * Requires a manager key.
   */
  deleteModelPrice(provider: string, model: string, options?: RequestOptions): Promise<void>

  /**
   * List managed resources.
   *
   * Lists the objects that are described by files, newest first.
   *
   * Requires a manager or auditor key.
   */
  listManagedResources(query?: Omit<Query<'listManagedResources'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['ManagedResource']>

  /**
   * Create a managed resource.
   *
   * Notes that an object is described by files. Add the entry before you create the object, and its id after that: an interrupted run can then be continued. An object has one entry; a second one fails with 409.
   *
   * Requires a manager key.
   */
  createManagedResource(body: Schemas['CreateManagedResource'], options?: RequestOptions): Promise<Schemas['ManagedResource']>

  /**
   * Get a managed resource.
   *
   * Returns the entry of an object that is described by files.
   *
   * Requires a manager or auditor key.
   */
  getManagedResource(id: string, options?: RequestOptions): Promise<Schemas['ManagedResource']>

  /**
   * Update a managed resource.
   *
   * Updates the fields that are sent and leaves all others as they are. With `ifRevision`, one of several concurrent changes succeeds and the others fail with 409.
   *
   * Requires a manager key.
   */
  updateManagedResource(id: string, body: Schemas['UpdateManagedResource'], options?: RequestOptions): Promise<Schemas['ManagedResource']>

  /**
   * Delete a managed resource.
   *
   * Deletes the entry. The object itself stays and is no longer described by files. Deleting a deleted entry also succeeds.
   *
   * Requires a manager key.
   */
  deleteManagedResource(id: string, options?: RequestOptions): Promise<void>

  /**
   * List webhook endpoints.
   *
   * Lists webhook endpoints, newest first, each with the delivery that was attempted last.
   *
   * Requires a manager or auditor key.
   */
  listWebhookEndpoints(query?: Omit<Query<'listWebhookEndpoints'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['WebhookEndpoint']>

  /**
   * Create a webhook endpoint.
   *
   * Creates a webhook endpoint. The response contains the signing `secret`, which is not shown again. A URL that breaks the URL rules is refused with 400 (`invalid_webhook_url`) and a message that names the rule.
   *
   * Requires a manager key.
   */
  createWebhookEndpoint(body: Schemas['CreateWebhookEndpoint'], options?: RequestOptions): Promise<Schemas['WebhookEndpointWithSecret']>

  /**
   * Get a webhook endpoint.
   *
   * Requires a manager or auditor key.
   */
  getWebhookEndpoint(id: string, options?: RequestOptions): Promise<Schemas['WebhookEndpoint']>

  /**
   * Update a webhook endpoint.
   *
   * Updates the fields that are sent and leaves all others as they are. The change applies to every delivery that has not been sent yet.
   *
   * Requires a manager key.
   */
  updateWebhookEndpoint(id: string, body: Schemas['UpdateWebhookEndpoint'], options?: RequestOptions): Promise<Schemas['WebhookEndpoint']>

  /**
   * Delete a webhook endpoint.
   *
   * Deletes a webhook endpoint. Its pending deliveries are not sent. Deleting a deleted endpoint also succeeds.
   *
   * Requires a manager key.
   */
  deleteWebhookEndpoint(id: string, options?: RequestOptions): Promise<void>

  /**
   * Rotate the secret of a webhook endpoint.
   *
   * Creates a new signing secret and returns it as `secret`. For `overlapHours`, both secrets sign: each delivery has two signatures, and the receiver has to verify only one of them.
   *
   * Requires a manager key.
   */
  rotateWebhookSecret(id: string, body?: Schemas['RotateWebhookSecret'], options?: RequestOptions): Promise<Schemas['WebhookEndpointWithSecret']>

  /**
   * Send a test to a webhook endpoint.
   *
   * Sends a `webhook.test` event once and returns its outcome. It also works for a disabled endpoint. This operation takes no body.
   *
   * Requires a manager key.
   */
  testWebhookEndpoint(id: string, options?: RequestOptions): Promise<Schemas['WebhookTest']>

  /**
   * List the deliveries to a webhook endpoint.
   *
   * Lists the deliveries to a webhook endpoint, newest first. Finished deliveries are kept for 30 days by default.
   *
   * Requires a manager or auditor key.
   */
  listWebhookDeliveries(id: string, query?: Omit<Query<'listWebhookDeliveries'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['WebhookDelivery']>

  /**
   * Get a delivery.
   *
   * Returns a delivery with the body that is sent and the outcome of each attempt. Only the status of the receiver’s response is stored.
   *
   * Requires a manager or auditor key.
   */
  getWebhookDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<Schemas['WebhookDeliveryDetail']>

  /**
   * Retry a delivery.
   *
   * Sends a delivery again at once, with the same id. A delivery that is `delivered` or `dead` starts over with its full number of attempts. A test cannot be retried (409). This operation takes no body.
   *
   * Requires a manager key.
   */
  retryWebhookDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<Schemas['WebhookDelivery']>

  /**
   * List sinks.
   *
   * Lists sinks, newest first, each with how far it is.
   *
   * Requires a manager or auditor key.
   */
  listSinks(query?: Omit<Query<'listSinks'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Sink']>

  /**
   * Create a sink.
   *
   * Creates a sink, which exports everything that is stored already and then what is added. Secrets are stored encrypted and never returned.
   *
   * Requires a manager key.
   */
  createSink(body: Schemas['CreateSink'], options?: RequestOptions): Promise<Schemas['Sink']>

  /**
   * Get a sink.
   *
   * Requires a manager or auditor key.
   */
  getSink(id: string, options?: RequestOptions): Promise<Schemas['Sink']>

  /**
   * Update a sink.
   *
   * Updates the fields that are sent and leaves all others as they are. `destination` is replaced as a whole. Secrets that are not sent are kept, if the address stays the same; otherwise the request fails with 409.
   *
   * Requires a manager key.
   */
  updateSink(id: string, body: Schemas['UpdateSink'], options?: RequestOptions): Promise<Schemas['Sink']>

  /**
   * Delete a sink.
   *
   * Deletes a sink and erases its secrets. What was exported stays where it is. Deleting a deleted sink also succeeds.
   *
   * Requires a manager key.
   */
  deleteSink(id: string, options?: RequestOptions): Promise<void>

  /**
   * Test a sink.
   *
   * Sends a test to the destination once and returns what came of it. `s3` gets the object `test/{id}.json` below the prefix, `http` the line `{"test":true}`. It also works for a disabled sink. This operation takes no body.
   *
   * Requires a manager key.
   */
  testSink(id: string, options?: RequestOptions): Promise<Schemas['SinkTest']>

  /**
   * List audit log entries.
   *
   * Lists every change made through this API or by the operator, newest first: who made it, when, and the object before and after. Every read of captured content (`content.read`) is included, because content can contain personal data. An entry must match all given filters.
   *
   * Requires a manager or auditor key.
   */
  listAuditLog(query?: Omit<Query<'listAuditLog'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['AuditEntry']>

  /**
   * Correct the cost of a call.
   *
   * Corrects the cost of a call whose `usage` is `counted` or `reserved`, because the provider did not report it. The receipt does not change: the correction is a new entry of the record, which is returned. Budgets and usage reflect it at once.
   *
   * Requires a manager key.
   */
  adjustReceipt(seq: number, body: Schemas['AdjustReceipt'], options?: RequestOptions): Promise<Schemas['Receipt']>

  /**
   * List receipts.
   *
   * Lists the entries of the tenant’s record, newest first. Every governed call leaves exactly one receipt. Members see the receipts of their own calls. Managers and auditors also see control entries and corrections.
   *
   * Requires a valid key.
   */
  listReceipts(query?: Omit<Query<'listReceipts'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Receipt']>

  /**
   * Get a receipt.
   *
   * Returns an entry of the record. Members can read only receipts of their own calls.
   *
   * Requires a valid key.
   */
  getReceipt(seq: number, options?: RequestOptions): Promise<Schemas['Receipt']>

  /**
   * Prove that a receipt is in the record.
   *
   * Returns an RFC 6962 inclusion proof for the newest checkpoint. `tallystick verify` checks it offline, with the receipt and the public keys. Members can prove only receipts of their own calls.
   *
   * Requires a valid key.
   */
  getInclusionProof(seq: number, options?: RequestOptions): Promise<Schemas['InclusionProof']>

  /**
   * Get the newest checkpoint.
   *
   * Returns a C2SP signed note over the size and root of the record. Keep a copy: it reveals whether earlier entries were later changed or removed.
   *
   * Requires a valid key.
   */
  getCheckpoint(options?: RequestOptions): Promise<string>

  /**
   * Prove that the record was only appended to.
   *
   * Returns an RFC 6962 consistency proof that the record of `to` entries begins with the record of `from` entries. `to` defaults to the newest checkpoint.
   *
   * Requires a valid key.
   */
  getConsistencyProof(query: Query<'getConsistencyProof'>, options?: RequestOptions): Promise<Schemas['ConsistencyProof']>

  /**
   * Attest a period.
   *
   * Returns a signed attestation of a period. It reads every entry of the period again, verifies hashes, chain, tree and seals, and counts only verified entries. A million entries take some seconds. Concurrent requests for the same period share the work. With `reuse=true` it returns the last attestation of the period, as it was signed, unless there is none or the record has an exception that it does not list.
   *
   * Requires a valid key.
   */
  getAttestation(query?: Query<'getAttestation'>, options?: RequestOptions): Promise<Schemas['Attestation']>

  /**
   * Get content capture.
   *
   * Returns the setting for content capture, which is off by default. The record has an entry for each change.
   *
   * Requires a manager or auditor key.
   */
  getContentCapture(options?: RequestOptions): Promise<Schemas['ContentCapture']>

  /**
   * Set content capture.
   *
   * Sets content capture for later calls, on every replica within a second. A call that is in progress while the mode changes leaves no content. Turning capture off keeps stored content until it expires. If `retentionDays` is omitted, it does not change. The change adds a `control` entry to the record.
   *
   * Requires a manager key.
   */
  setContentCapture(body: Schemas['ContentCaptureChange'], options?: RequestOptions): Promise<Schemas['ContentCapture']>

  /**
   * Get the content of a call.
   *
   * Returns the request and the answer of a call, if content capture was on when the call was made. Every read adds an entry `content.read` to the audit log.
   *
   * Requires a manager or auditor key.
   */
  getCallContent(requestId: string, options?: RequestOptions): Promise<Schemas['CallContent']>

  /**
   * List packs.
   *
   * Lists compliance packs. A pack maps checks and fields of receipts to the controls of a framework, and states what the record can and cannot show for each control.
   *
   * Requires a valid key.
   */
  listPacks(options?: RequestOptions): Promise<Schemas['Pack'][]>

  /**
   * Activate or deactivate a pack.
   *
   * Activates or deactivates a pack, and adds a `control` entry to the record. While a pack is active, receipts list it with its version. Activating an active pack updates it to the newest version.
   *
   * Requires a manager key.
   */
  setPackStatus(framework: string, body: Schemas['PackStatus'], options?: RequestOptions): Promise<Schemas['Pack']>

  /**
   * Erase a person.
   *
   * Erases the personal data of a user. The response is sent when everything is erased. If the caller disconnects, the erasure
   * continues.
   *
   * This deletes the keys to the commitments of all receipts of the user so far, so that nobody can check what those calls
   * contained, not even by guessing. It also deletes captured content and stored answers of those calls, including calls in
   * progress. It removes the name and email address of the member, the names and metadata of the user’s keys, the addresses and
   * browsers of the user’s sign-ins, and the texts of budget requests, and removes all of these from the audit log.
   *
   * The user id, tags and session names stay, because they are part of receipts. Receipts, chain, proofs and totals do not
   * change. The erasure adds a `control` entry to the record.
   *
   * Requires a manager key.
   */
  createErasure(body: Schemas['CreateErasure'], options?: RequestOptions): Promise<Schemas['Erasure']>

  /**
   * List erasures.
   *
   * Lists erasures, newest first.
   *
   * Requires a manager or auditor key.
   */
  listErasures(query?: Omit<Query<'listErasures'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Erasure']>

  /**
   * List anchors.
   *
   * Lists checkpoints that were given to a third party, newest first. They are the last checkpoints of each day on which the record grew.
   *
   * Requires a valid key.
   */
  listAnchors(query?: Omit<Query<'listAnchors'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Anchor']>

  /**
   * List checkpoints.
   *
   * Lists the signed notes over the record, newest first. There is one for each group of entries that was committed together.
   *
   * Requires a valid key.
   */
  listCheckpoints(query?: Omit<Query<'listCheckpoints'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Checkpoint']>

  /**
   * List signing keys.
   *
   * Lists every key that can seal, or has sealed, records of this service, newest first. Their public keys are in `/.well-known/tallystick/jwks.json`. The operator rotates them with `tallystick signing-key`.
   *
   * Requires a valid key.
   */
  listSigningKeys(options?: RequestOptions): Promise<Schemas['SigningKey'][]>

  /**
   * Export the record.
   *
   * Streams entries, seals and public keys as JSON lines. `fromSeq` defaults to the first stored entry and `toSeq` to the newest. A span ends where a seal covers it: if `toSeq` is inside a group of entries that was sealed together, the rest of the group is included and the header says so. An export without an `end` line is incomplete.
   *
   * Requires a manager or auditor key.
   */
  exportRecord(query?: Query<'exportRecord'>, options?: RequestOptions): Promise<ReadableStream<Uint8Array>>

  /**
   * Attest a period as a job.
   *
   * Starts a job that creates the same attestation as `GET /v1/compliance/attestation` in the background. Use it for periods with millions of entries. It attests the record as of the request. The result is kept for 7 days. A tenant can have at most 5 jobs that are waiting or running, and 20 results.
   *
   * Requires a manager or auditor key.
   */
  createAttestationJob(body?: Schemas['AttestationJobRequest'], options?: RequestOptions): Promise<Schemas['ComplianceJob']>

  /**
   * Export the record as a job.
   *
   * Starts a job that creates the same file as `GET /v1/compliance/export` in the background. Use it for spans with millions of entries. The export ends at the newest entry at the time of the request. The result is kept for 7 days. A tenant can have at most 5 jobs that are waiting or running, and 20 results.
   *
   * Requires a manager or auditor key.
   */
  createExportJob(body?: Schemas['ExportJobRequest'], options?: RequestOptions): Promise<Schemas['ComplianceJob']>

  /**
   * List jobs.
   *
   * Lists attestation and export jobs, newest first.
   *
   * Requires a manager or auditor key.
   */
  listComplianceJobs(query?: Omit<Query<'listComplianceJobs'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['ComplianceJob']>

  /**
   * Get a job.
   *
   * Returns the status and the progress of a job.
   *
   * Requires a manager or auditor key.
   */
  getComplianceJob(id: string, options?: RequestOptions): Promise<Schemas['ComplianceJob']>

  /**
   * Cancel or remove a job.
   *
   * Cancels a job that is waiting or running; it stays in the list for 7 days. A job that has ended is removed together with its result. Auditors can cancel and remove only jobs that they requested themselves.
   *
   * Requires a manager or auditor key.
   */
  deleteComplianceJob(id: string, options?: RequestOptions): Promise<void>

  /**
   * Get the result of a job.
   *
   * Streams the attestation, or the export as JSON lines. The request fails with 409 until the job is done. A result that is removed while it is read ends without an `end` line.
   *
   * Requires a manager or auditor key.
   */
  getComplianceJobResult(id: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>>

  /**
   * Search calls.
   *
   * Lists every call that left a receipt, newest first. Members see only their own calls. A call must match all given filters.
   * `tag.<name>=<value>`, such as `tag.project=alpha`, filters by a tag and can be given for several names.
   *
   * A page can have fewer items than `limit`, even none, while `nextCursor` is not null: the next page continues the search. Only
   * a `nextCursor` of null means that there are no more calls.
   *
   * Requires a valid key.
   */
  listCalls(query?: Omit<Query<'listCalls'>, 'cursor'>, options?: RequestOptions): Pages<Schemas['Call']>

  /**
   * Count calls over time.
   *
   * Returns the number of calls that a search would find, by outcome, in equal parts of its span: the data of a histogram. It
   * accepts the filters of the list, and its counts are exact. Without `from`, the span begins with the first stored call.
   * Without `to`, it ends now.
   *
   * Only a few of these reports run at a time, together with usage reports, and a span with too many calls is refused.
   *
   * Requires a valid key.
   */
  getCallDensity(query?: Query<'getCallDensity'>, options?: RequestOptions): Promise<Schemas['CallDensity']>

  /**
   * Get a call.
   *
   * Returns a call with its checks, attempts, price, corrections and, if captured, content. Members can read only their own calls, without content. If the receipt was dropped from the record, the call is returned without the fields that only the receipt contains.
   *
   * Requires a valid key.
   */
  getCall(requestId: string, query?: Query<'getCall'>, options?: RequestOptions): Promise<Schemas['CallDetail']>

  /**
   * Get usage and spend.
   *
   * Returns requests, tokens, spend and latency: in total, over time and by one or two dimensions. Managers and auditors see the
   * whole tenant. Members see the usage of their user or, for a key without an owner, of the key.
   *
   * The report covers the calls admitted from `from` up to, but not including, `to`. It equals the sum of their receipts to the
   * token and the nano-dollar, whatever the filters. Calls in progress are not included. Without `from`, the range `1h` has 60
   * points of a minute, `24h` has 24 points of an hour, and every other range has one point per day. The last point is the
   * current minute, hour or day.
   *
   * The filters are those of calls, and a call must match all of them. A tag has its own parameter, `tag.<name>=<value>`, such as
   * `tag.project=alpha`. Filters and dimensions by session, route, agent, cache, batch, policy, request or cost only work for as
   * long as calls are stored. So do tags in an hour with more than 1,000 different combinations of them.
   *
   * `format=csv` returns one table in the time zone of the report, with a line for each group or, if `interval` is given, for
   * each interval and group. Filters are columns as well, and part of the file name.
   *
   * For managers and auditors, an id of a key, user, team or policy that never existed is refused with 400. Those that were
   * deleted can be asked for. Only a few reports run at a time, and a key can have 32 open.
   *
   * Requires a valid key.
   */
  getUsage(query?: Omit<Query<'getUsage'>, 'format'>, options?: RequestOptions): Promise<Schemas['Usage']>

  /**
   * Get latency percentiles.
   *
   * Returns percentiles of the latency and of the time to the first token: in total, over time and by one or two dimensions, with
   * the spans, intervals and filters of usage. They are computed from individual calls, for as long as these are stored, and are
   * within 3 % of the exact percentiles. Blocked calls and calls that failed in this service are excluded, unless
   * `outcome=blocked` or `outcome=failed` selects them. Interrupted calls are excluded, because they have no latency.
   *
   * These reports share the limits of usage reports. A report over too many calls is refused: choose a shorter span.
   *
   * Requires a valid key.
   */
  getUsageLatency(query?: Query<'getUsageLatency'>, options?: RequestOptions): Promise<Schemas['UsageLatency']>

  /**
   * Forecast the month.
   *
   * Returns the expected spend of this calendar month, in total and by day. The forecast of a remaining day is the mean of the
   * same weekday in the previous four weeks; for today, it is the remaining part of that mean. Managers and auditors see the
   * whole tenant, members only their own spend.
   *
   * Requires a valid key.
   */
  getUsageForecast(query?: Query<'getUsageForecast'>, options?: RequestOptions): Promise<Schemas['UsageForecast']>

  /**
   * Stream events.
   *
   * Streams server-sent events of all replicas:
   *
   * - `call`: a call has ended. The data is an item of `GET /v1/calls`.
   * - `alert`: an event of webhooks, such as a budget threshold, a policy violation, a usage spike or a failing provider.
   * - `budget`: the state of a budget, when it changes by a percent.
   * - `provider`: whether a provider answers, based on this tenant’s calls of the last minute.
   *
   * The stream starts with `hello`, followed by the current states of budgets and providers. A comment is sent every 15 seconds.
   *
   * Calls are sent in the order of the record, each exactly once. Every `call` and `alert` has an id. Send it as `Last-Event-ID`
   * to resume the stream after that event, on any replica. Events that are too old are skipped with a `gap`, which says where to
   * read them. The last event is `bye`, or `error` if the client reads too slowly or loses its access.
   *
   * Members see their own calls and alerts, and the budgets that `GET /v1/budgets` lists for them. Only managers and auditors get
   * `provider` events. On each replica, a key can have at most 20 open streams and a tenant 250.
   *
   * Requires a valid key.
   */
  streamEvents(query?: Query<'streamEvents'>, options?: RequestOptions): EventStream<Schemas['StreamEvent']>

  /**
   * Get what needs attention.
   *
   * Returns what somebody has to decide or repair: a record that is not signed, pending budget requests, limits that are nearly or fully used, providers that fail or refuse a credential, tools that wait for approval, and webhooks that are not delivered. Every list is bounded, so you can poll this operation every few seconds.
   *
   * Requires a manager or auditor key.
   */
  getAttention(options?: RequestOptions): Promise<Schemas['Attention']>

  /**
   * Get information about this service.
   *
   * Returns the version, the state of the database and Redis, the size of the record, and the configuration. The response contains no secrets and no data of other tenants.
   *
   * Requires a valid key.
   */
  getAbout(options?: RequestOptions): Promise<Schemas['About']>
}

export const operationTable = {
  getHealth: { method: 'GET', path: '/healthz', returns: 'json' },
  getReadiness: { method: 'GET', path: '/readyz', returns: 'json' },
  getMetrics: { method: 'GET', path: '/metrics', returns: 'text' },
  getSigningKeys: { method: 'GET', path: '/.well-known/tallystick/jwks.json', returns: 'json' },
  getApiDescription: { method: 'GET', path: '/openapi.json', returns: 'json' },
  signIn: { method: 'POST', path: '/v1/session', returns: 'json', input: 'body' },
  getCaller: { method: 'GET', path: '/v1/session', returns: 'json' },
  signOut: { method: 'DELETE', path: '/v1/session', returns: 'nothing' },
  listSessions: { method: 'GET', path: '/v1/sessions', returns: 'pages', input: 'query' },
  endAllSessions: { method: 'DELETE', path: '/v1/sessions', returns: 'nothing' },
  endSession: { method: 'DELETE', path: '/v1/sessions/{id}', returns: 'nothing' },
  getSignInMethods: { method: 'GET', path: '/v1/session/methods', returns: 'json' },
  listKeys: { method: 'GET', path: '/v1/keys', returns: 'pages', input: 'query' },
  createKey: { method: 'POST', path: '/v1/keys', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getKey: { method: 'GET', path: '/v1/keys/{id}', returns: 'json' },
  updateKey: { method: 'PATCH', path: '/v1/keys/{id}', returns: 'json', input: 'body' },
  revokeKey: { method: 'DELETE', path: '/v1/keys/{id}', returns: 'nothing' },
  updateKeyLimits: { method: 'PATCH', path: '/v1/keys/{id}/limits', returns: 'json', input: 'body' },
  getPolicyHits: { method: 'GET', path: '/v1/policies/hits', returns: 'json', input: 'query' },
  getKeyStanding: { method: 'GET', path: '/v1/keys/{id}/standing', returns: 'json' },
  listPromptVersions: { method: 'GET', path: '/v1/prompts/{id}/versions', returns: 'pages', input: 'query' },
  appendPromptVersion: { method: 'POST', path: '/v1/prompts/versions', returns: 'json', input: 'body', hasIdempotencyKey: true },
  resolvePromptLabel: { method: 'GET', path: '/v1/prompts/{id}/label/{label}', returns: 'json' },
  deletePromptLabel: { method: 'DELETE', path: '/v1/prompts/{id}/label/{label}', returns: 'nothing' },
  setPromptLabel: { method: 'POST', path: '/v1/prompts/labels', returns: 'nothing', input: 'body' },
  listPrompts: { method: 'GET', path: '/v1/prompts', returns: 'json' },
  createPrompt: { method: 'POST', path: '/v1/prompts', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getPrompt: { method: 'GET', path: '/v1/prompts/{id}', returns: 'json' },
  updatePrompt: { method: 'PATCH', path: '/v1/prompts/{id}', returns: 'json', input: 'body' },
  deletePrompt: { method: 'DELETE', path: '/v1/prompts/{id}', returns: 'nothing', input: 'query' },
  listPolicies: { method: 'GET', path: '/v1/policies', returns: 'pages', input: 'query' },
  createPolicy: { method: 'POST', path: '/v1/policies', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getPolicy: { method: 'GET', path: '/v1/policies/{id}', returns: 'json' },
  updatePolicy: { method: 'PATCH', path: '/v1/policies/{id}', returns: 'json', input: 'body' },
  deletePolicy: { method: 'DELETE', path: '/v1/policies/{id}', returns: 'nothing' },
  evaluatePolicies: { method: 'POST', path: '/v1/policies/evaluate', returns: 'json', input: 'body' },
  evaluateDraftPolicy: { method: 'POST', path: '/v1/policies/evaluate-draft', returns: 'json', input: 'body' },
  rotatePolicySecret: { method: 'POST', path: '/v1/policies/{id}/rotate-secret', returns: 'json', hasIdempotencyKey: true },
  listBudgets: { method: 'GET', path: '/v1/budgets', returns: 'pages', input: 'query' },
  createBudget: { method: 'POST', path: '/v1/budgets', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getBudget: { method: 'GET', path: '/v1/budgets/{id}', returns: 'json' },
  updateBudget: { method: 'PATCH', path: '/v1/budgets/{id}', returns: 'json', input: 'body' },
  deleteBudget: { method: 'DELETE', path: '/v1/budgets/{id}', returns: 'nothing' },
  listBudgetRequests: { method: 'GET', path: '/v1/budgets/requests', returns: 'pages', input: 'query' },
  createBudgetRequest: { method: 'POST', path: '/v1/budgets/requests', returns: 'json', input: 'body', hasIdempotencyKey: true },
  approveBudgetRequest: { method: 'POST', path: '/v1/budgets/requests/{id}/approve', returns: 'json', input: 'body', hasIdempotencyKey: true },
  denyBudgetRequest: { method: 'POST', path: '/v1/budgets/requests/{id}/deny', returns: 'json', hasIdempotencyKey: true },
  listTeams: { method: 'GET', path: '/v1/team/teams', returns: 'json' },
  createTeam: { method: 'POST', path: '/v1/team/teams', returns: 'json', input: 'body', hasIdempotencyKey: true },
  updateTeam: { method: 'PATCH', path: '/v1/team/teams/{id}', returns: 'json', input: 'body' },
  deleteTeam: { method: 'DELETE', path: '/v1/team/teams/{id}', returns: 'nothing', input: 'query' },
  listMembers: { method: 'GET', path: '/v1/team/members', returns: 'pages', input: 'query' },
  createMember: { method: 'POST', path: '/v1/team/members', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getMember: { method: 'GET', path: '/v1/team/members/{userId}', returns: 'json' },
  updateMember: { method: 'PATCH', path: '/v1/team/members/{userId}', returns: 'json', input: 'body' },
  deleteMember: { method: 'DELETE', path: '/v1/team/members/{userId}', returns: 'nothing', input: 'query' },
  updateMemberRole: { method: 'PATCH', path: '/v1/team/members/{userId}/role', returns: 'json', input: 'body' },
  listUserLimits: { method: 'GET', path: '/v1/user-limits', returns: 'pages', input: 'query' },
  getUserLimit: { method: 'GET', path: '/v1/user-limits/{userId}', returns: 'json' },
  updateUserLimit: { method: 'PATCH', path: '/v1/user-limits/{userId}', returns: 'json', input: 'body' },
  listRoutes: { method: 'GET', path: '/v1/routes', returns: 'pages', input: 'query' },
  createRoute: { method: 'POST', path: '/v1/routes', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getRoute: { method: 'GET', path: '/v1/routes/{id}', returns: 'json' },
  updateRoute: { method: 'PATCH', path: '/v1/routes/{id}', returns: 'json', input: 'body' },
  deleteRoute: { method: 'DELETE', path: '/v1/routes/{id}', returns: 'nothing' },
  listProviders: { method: 'GET', path: '/v1/providers', returns: 'pages', input: 'query' },
  createProvider: { method: 'POST', path: '/v1/providers', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getProvider: { method: 'GET', path: '/v1/providers/{id}', returns: 'json' },
  updateProvider: { method: 'PATCH', path: '/v1/providers/{id}', returns: 'json', input: 'body' },
  deleteProvider: { method: 'DELETE', path: '/v1/providers/{id}', returns: 'nothing' },
  createProviderCredential: { method: 'POST', path: '/v1/providers/{id}/credentials', returns: 'json', input: 'body', hasIdempotencyKey: true },
  deleteProviderCredential: { method: 'DELETE', path: '/v1/providers/{id}/credentials/{cid}', returns: 'nothing' },
  testProvider: { method: 'POST', path: '/v1/providers/{id}/test', returns: 'json' },
  listMcpServers: { method: 'GET', path: '/v1/mcp-servers', returns: 'pages', input: 'query' },
  createMcpServer: { method: 'POST', path: '/v1/mcp-servers', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getMcpServer: { method: 'GET', path: '/v1/mcp-servers/{id}', returns: 'json' },
  updateMcpServer: { method: 'PATCH', path: '/v1/mcp-servers/{id}', returns: 'json', input: 'body' },
  deleteMcpServer: { method: 'DELETE', path: '/v1/mcp-servers/{id}', returns: 'nothing' },
  refreshMcpServer: { method: 'POST', path: '/v1/mcp-servers/{id}/refresh', returns: 'json' },
  getMcpCredential: { method: 'GET', path: '/v1/mcp-servers/{id}/credential', returns: 'json' },
  setMcpCredential: { method: 'PUT', path: '/v1/mcp-servers/{id}/credential', returns: 'json', input: 'body' },
  deleteMcpCredential: { method: 'DELETE', path: '/v1/mcp-servers/{id}/credential', returns: 'nothing' },
  connectMcpServer: { method: 'POST', path: '/v1/mcp-servers/{id}/connect', returns: 'json' },
  listMcpTools: { method: 'GET', path: '/v1/mcp-servers/{id}/tools', returns: 'json' },
  approveMcpTool: { method: 'POST', path: '/v1/mcp-servers/{id}/tools/{name}/approve', returns: 'json', input: 'body' },
  blockMcpTool: { method: 'POST', path: '/v1/mcp-servers/{id}/tools/{name}/block', returns: 'json' },
  approveMcpTools: { method: 'POST', path: '/v1/mcp-servers/{id}/approve', returns: 'json', input: 'body' },
  listCatalogue: { method: 'GET', path: '/v1/catalogue', returns: 'pages', input: 'query' },
  setModelPrice: { method: 'PUT', path: '/v1/catalogue/{provider}/{model}', returns: 'json', input: 'body' },
  deleteModelPrice: { method: 'DELETE', path: '/v1/catalogue/{provider}/{model}', returns: 'nothing' },
  listManagedResources: { method: 'GET', path: '/v1/managed-resources', returns: 'pages', input: 'query' },
  createManagedResource: { method: 'POST', path: '/v1/managed-resources', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getManagedResource: { method: 'GET', path: '/v1/managed-resources/{id}', returns: 'json' },
  updateManagedResource: { method: 'PATCH', path: '/v1/managed-resources/{id}', returns: 'json', input: 'body' },
  deleteManagedResource: { method: 'DELETE', path: '/v1/managed-resources/{id}', returns: 'nothing' },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints', returns: 'pages', input: 'query' },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getWebhookEndpoint: { method: 'GET', path: '/v1/webhook-endpoints/{id}', returns: 'json' },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v1/webhook-endpoints/{id}', returns: 'json', input: 'body' },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v1/webhook-endpoints/{id}', returns: 'nothing' },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhook-endpoints/{id}/rotate-secret', returns: 'json', input: 'body', hasIdempotencyKey: true },
  testWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints/{id}/test', returns: 'json' },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhook-endpoints/{id}/deliveries', returns: 'pages', input: 'query' },
  getWebhookDelivery: { method: 'GET', path: '/v1/webhook-endpoints/{id}/deliveries/{deliveryId}', returns: 'json' },
  retryWebhookDelivery: { method: 'POST', path: '/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/retry', returns: 'json' },
  listSinks: { method: 'GET', path: '/v1/sinks', returns: 'pages', input: 'query' },
  createSink: { method: 'POST', path: '/v1/sinks', returns: 'json', input: 'body', hasIdempotencyKey: true },
  getSink: { method: 'GET', path: '/v1/sinks/{id}', returns: 'json' },
  updateSink: { method: 'PATCH', path: '/v1/sinks/{id}', returns: 'json', input: 'body' },
  deleteSink: { method: 'DELETE', path: '/v1/sinks/{id}', returns: 'nothing' },
  testSink: { method: 'POST', path: '/v1/sinks/{id}/test', returns: 'json' },
  listAuditLog: { method: 'GET', path: '/v1/audit-log', returns: 'pages', input: 'query' },
  adjustReceipt: { method: 'POST', path: '/v1/compliance/receipts/{seq}/adjust', returns: 'json', input: 'body' },
  listReceipts: { method: 'GET', path: '/v1/compliance/receipts', returns: 'pages', input: 'query' },
  getReceipt: { method: 'GET', path: '/v1/compliance/receipts/{seq}', returns: 'json' },
  getInclusionProof: { method: 'GET', path: '/v1/compliance/receipts/{seq}/proof', returns: 'json' },
  getCheckpoint: { method: 'GET', path: '/v1/compliance/checkpoint', returns: 'text' },
  getConsistencyProof: { method: 'GET', path: '/v1/compliance/consistency', returns: 'json', input: 'query' },
  getAttestation: { method: 'GET', path: '/v1/compliance/attestation', returns: 'json', input: 'query' },
  getContentCapture: { method: 'GET', path: '/v1/settings/content-capture', returns: 'json' },
  setContentCapture: { method: 'PUT', path: '/v1/settings/content-capture', returns: 'json', input: 'body' },
  getCallContent: { method: 'GET', path: '/v1/calls/{requestId}/content', returns: 'json' },
  listPacks: { method: 'GET', path: '/v1/compliance/packs', returns: 'json' },
  setPackStatus: { method: 'PUT', path: '/v1/compliance/packs/{framework}', returns: 'json', input: 'body' },
  createErasure: { method: 'POST', path: '/v1/compliance/erasures', returns: 'json', input: 'body', hasIdempotencyKey: true },
  listErasures: { method: 'GET', path: '/v1/compliance/erasures', returns: 'pages', input: 'query' },
  listAnchors: { method: 'GET', path: '/v1/compliance/anchors', returns: 'pages', input: 'query' },
  listCheckpoints: { method: 'GET', path: '/v1/compliance/checkpoints', returns: 'pages', input: 'query' },
  listSigningKeys: { method: 'GET', path: '/v1/compliance/signing-keys', returns: 'json' },
  exportRecord: { method: 'GET', path: '/v1/compliance/export', returns: 'bytes', input: 'query' },
  createAttestationJob: { method: 'POST', path: '/v1/compliance/attestations', returns: 'json', input: 'body', hasIdempotencyKey: true },
  createExportJob: { method: 'POST', path: '/v1/compliance/exports', returns: 'json', input: 'body', hasIdempotencyKey: true },
  listComplianceJobs: { method: 'GET', path: '/v1/compliance/jobs', returns: 'pages', input: 'query' },
  getComplianceJob: { method: 'GET', path: '/v1/compliance/jobs/{id}', returns: 'json' },
  deleteComplianceJob: { method: 'DELETE', path: '/v1/compliance/jobs/{id}', returns: 'nothing' },
  getComplianceJobResult: { method: 'GET', path: '/v1/compliance/jobs/{id}/result', returns: 'bytes' },
  listCalls: { method: 'GET', path: '/v1/calls', returns: 'pages', input: 'query' },
  getCallDensity: { method: 'GET', path: '/v1/calls/density', returns: 'json', input: 'query' },
  getCall: { method: 'GET', path: '/v1/calls/{requestId}', returns: 'json', input: 'query' },
  getUsage: { method: 'GET', path: '/v1/usage', returns: 'json', input: 'query' },
  getUsageLatency: { method: 'GET', path: '/v1/usage/latency', returns: 'json', input: 'query' },
  getUsageForecast: { method: 'GET', path: '/v1/usage/forecast', returns: 'json', input: 'query' },
  streamEvents: { method: 'GET', path: '/v1/events/stream', returns: 'events', input: 'query' },
  getAttention: { method: 'GET', path: '/v1/attention', returns: 'json' },
  getAbout: { method: 'GET', path: '/v1/about', returns: 'json' },
} as const
