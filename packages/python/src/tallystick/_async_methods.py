# Generated from openapi.json by `npm run openapi`. Do not edit.
from typing import Any, Dict, AsyncIterator, List, Literal, Optional, Union

from . import types
from ._request import fill, key_or_new
from ._async_transport import AsyncTransport
from ._async_streams import AsyncByteStream, AsyncPages


class AsyncMethods(AsyncTransport):
    """The methods of the client: one for each operation of the API reference."""

    async def get_health(self) -> types.Health:
        """Check that the process is alive.

        No key is required.
        """
        return await self._json('GET', '/healthz')  # type: ignore[no-any-return]

    async def get_readiness(self) -> types.Readiness:
        """Check that the service is ready.

        Returns 200 while the service is `ready` or `degraded`, and 503 while it is `unready`. Each check has its state, since when,
        and in words what is wrong and what to do. A load balancer needs only the status.

        No key is required.
        """
        return await self._json('GET', '/readyz')  # type: ignore[no-any-return]

    async def get_metrics(self) -> str:
        """Get metrics.

        No key is required.
        """
        return await self._text('GET', '/metrics')

    async def get_signing_keys(self) -> types.KeySet:
        """Get the public keys of the record.

        Returns every key that has ever signed a record, including retired keys, as a JSON Web Key Set.

        No key is required.
        """
        return await self._json('GET', '/.well-known/tallystick/jwks.json')  # type: ignore[no-any-return]

    async def get_api_description(self) -> Dict[str, Any]:
        """Get the OpenAPI document.

        Returns this API description as an OpenAPI 3.1 document. `GET /docs` shows it in a browser.

        No key is required.
        """
        return await self._json('GET', '/openapi.json')  # type: ignore[no-any-return]

    async def sign_in(self, body: types.SignIn) -> types.Caller:
        """Sign in with a key.

        Sets the cookie `tallystick_session`. The cookie replaces the key on every management route and on the event stream. The
        gateway never accepts it. Browsers hide the cookie from scripts and send it only to this service. Changes made with the
        cookie must come from a page of this service (`Origin`).

        The session ends after 12 hours without use, or after 7 days. It ends at once when its key is revoked or expires, or when its
        user is suspended, removed or demoted.

        An address with many failed sign-ins is refused with 429 for a while.

        No key is required.
        """
        return await self._json('POST', '/v1/session', body=body)  # type: ignore[no-any-return]

    async def get_caller(self) -> types.Caller:
        """Get the caller.

        Returns the user, role and key that the key or session of this request stands for.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/session')  # type: ignore[no-any-return]

    async def sign_out(self) -> None:
        """Sign out.

        Ends the session of the cookie and clears the cookie. The request also succeeds without a cookie, and when the session has already ended.

        No key is required.
        """
        await self._nothing('DELETE', '/v1/session')

    def list_sessions(self, *, limit: Optional[int] = None) -> AsyncPages[types.Session]:
        """List your sessions.

        Lists the sessions of the caller’s user, newest first. For a key without an owner, it lists the sessions of the key. Managers also see only their own sessions. To end the sessions of another person, suspend the user or revoke the key.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/sessions', query={'limit': limit})

    async def end_all_sessions(self) -> None:
        """Sign out everywhere.

        Ends every session of the caller, including the session of this request.

        Requires a valid key.
        """
        await self._nothing('DELETE', '/v1/sessions')

    async def end_session(self, id: str) -> None:
        """End a session.

        Ends one of the caller’s sessions at once, on every replica. The request also succeeds if the session has already ended.

        Requires a valid key.
        """
        await self._nothing('DELETE', fill('/v1/sessions/{}', id))

    async def get_sign_in_methods(self) -> types.SignInMethods:
        """List sign-in methods.

        Returns the ways to sign in, for the sign-in page. If an issuer is configured, `/v1/session/oidc?next=/path` sends a browser to
        it. The issuer sends the browser back to `/v1/session/oidc/callback`, where the session begins as with `POST /v1/session`. The session
        belongs to the person’s member, which the first sign-in creates.

        No key is required.
        """
        return await self._json('GET', '/v1/session/methods')  # type: ignore[no-any-return]

    def list_keys(self, *, limit: Optional[int] = None, status: Optional[Literal['active', 'revoked', 'expired']] = None, user_id: Optional[str] = None, team_id: Optional[str] = None, q: Optional[str] = None) -> AsyncPages[types.Key]:
        """List keys.

        Lists virtual keys, newest first. Managers and auditors see every key of the tenant. Members see only their own keys.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/keys', query={'limit': limit, 'status': status, 'userId': user_id, 'teamId': team_id, 'q': q})

    async def create_key(self, body: types.CreateKey, *, idempotency_key: Optional[str] = None) -> types.CreatedKey:
        """Create a key.

        Creates a virtual key. The response contains its value as `key`. The value is not shown again: only its SHA-256 is stored.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/keys', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_key(self, id: str) -> types.Key:
        """Get a key.

        Returns a key without its value. Members can read only their own keys.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/keys/{}', id))  # type: ignore[no-any-return]

    async def update_key(self, id: str, body: types.UpdateKey) -> types.Key:
        """Update a key.

        Updates the fields that are sent and leaves all others as they are. Null removes a limit. A revoked key cannot be updated.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/keys/{}', id), body=body)  # type: ignore[no-any-return]

    async def revoke_key(self, id: str) -> None:
        """Revoke a key.

        Revokes a key. Every replica refuses the key within a second of the response. Revoking a revoked key also succeeds.

        To rotate a key, create a new one, switch clients to it, then revoke the old key with the new one.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/keys/{}', id))

    async def update_key_limits(self, id: str, body: types.UpdateLimits) -> types.KeyLimits:
        """Set the rate limits of a key.

        Sets the rate limits of a key. They apply to the next call, and on every replica within a second.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/keys/{}/limits', id), body=body)  # type: ignore[no-any-return]

    async def get_policy_hits(self, *, time_zone: Optional[str] = None) -> types.PolicyHits:
        """Count the calls that policies acted on.

        Returns for each policy on how many calls it acted in the last seven days, today included: calls that it blocked, changed or
        flagged. Only calls that are still stored are counted. Only a few of these reports run at a time, together with
        usage reports.

        Requires a manager or auditor key.
        """
        return await self._json('GET', '/v1/policies/hits', query={'timeZone': time_zone})  # type: ignore[no-any-return]

    async def get_key_standing(self, id: str) -> types.KeyStanding:
        """Get the current limits of a key.

        Returns what the key has used of its rate limits in the last minute, and what is left of every spending limit that applies to its calls. The figures come from the same counters that admit calls; reading them does not count as a call. Members can read only their own keys.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/keys/{}/standing', id))  # type: ignore[no-any-return]

    def list_prompt_versions(self, id: str, *, limit: Optional[int] = None) -> AsyncPages[types.PromptVersion]:
        """List the versions of a prompt.

        Lists the versions of a prompt, newest first. A version never changes.

        Requires a valid key.
        """
        return self._pages('GET', fill('/v1/prompts/{}/versions', id), query={'limit': limit})

    async def append_prompt_version(self, body: types.AppendPromptVersion, *, idempotency_key: Optional[str] = None) -> types.PromptVersion:
        """Append a version to a prompt.

        Appends a version to a prompt. Versions are numbered 1, 2, 3 and so on, without gaps or repeats, even if several are appended
        at the same time. The label `latest` moves to the new version. Every other label stays until it is moved.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/prompts/versions', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def resolve_prompt_label(self, id: str, label: str) -> types.ResolvedLabel:
        """Get the version that a label points at.

        Returns the version that a label points at. `latest` always points at the newest version.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/prompts/{}/label/{}', id, label))  # type: ignore[no-any-return]

    async def delete_prompt_label(self, id: str, label: str) -> None:
        """Delete a label.

        Deletes a label and keeps the version that it points at. Deleting a deleted label also succeeds. `latest` cannot be deleted.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/prompts/{}/label/{}', id, label))

    async def set_prompt_label(self, body: types.SetPromptLabel) -> None:
        """Point a label at a version.

        Creates the label or moves it. Calls that use the label get the new version on every replica within a second, so releases and
        rollbacks take one step. `latest` is reserved and always points at the newest version.

        Requires a manager key.
        """
        await self._nothing('POST', '/v1/prompts/labels', body=body)

    async def list_prompts(self) -> List[types.Prompt]:
        """List prompts.

        Lists every prompt of the tenant, newest first, with the versions that its labels point at.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/prompts')  # type: ignore[no-any-return]

    async def create_prompt(self, body: types.CreatePrompt, *, idempotency_key: Optional[str] = None) -> types.Prompt:
        """Create a prompt.

        Creates a prompt. With `content`, the prompt starts with version 1. Without it, the prompt has no version until you append one.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/prompts', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_prompt(self, id: str) -> types.Prompt:
        """Get a prompt.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/prompts/{}', id))  # type: ignore[no-any-return]

    async def update_prompt(self, id: str, body: types.UpdatePrompt) -> types.Prompt:
        """Update a prompt.

        Updates the name or description that is sent and leaves the other as it is. To change the text, append a version.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/prompts/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_prompt(self, id: str, *, cascade: Optional[bool] = None) -> None:
        """Delete a prompt.

        Deletes a prompt and its versions. The name can be used again, and every replica refuses calls that refer to the prompt
        within a second.

        If the prompt has labels, it is in use, and the request fails with 409 and a list of the labels. With `cascade`, the labels
        are deleted first, each with an entry in the audit log. Deleting a deleted prompt also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/prompts/{}', id), query={'cascade': cascade})

    def list_policies(self, *, limit: Optional[int] = None, kind: Optional[Literal['model_allowlist', 'model_denylist', 'keywords', 'pattern', 'pii', 'secrets', 'limits', 'tools', 'expression', 'http']] = None) -> AsyncPages[types.Policy]:
        """List policies.

        Lists policies, newest first, including disabled ones.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/policies', query={'limit': limit, 'kind': kind})

    async def create_policy(self, body: types.CreatePolicy, *, idempotency_key: Optional[str] = None) -> types.CreatedPolicy:
        """Create a policy.

        Creates a policy. The contents of `config` depend on `kind`. The configuration is checked when it is saved: patterns are
        compiled, and expressions are checked for syntax, unknown names and types. An error includes the position of the mistake.

        Model lists, limits and expressions only check requests, so their phase is `input`. All other kinds support every phase. The
        kinds that find text support `redact`: keywords, pattern, pii and secrets. The defaults are the phase `input`, the action
        `block`, and the whole tenant as the scope.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/policies', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_policy(self, id: str) -> types.Policy:
        """Get a policy.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/policies/{}', id))  # type: ignore[no-any-return]

    async def update_policy(self, id: str, body: types.UpdatePolicy) -> types.Policy:
        """Update a policy.

        Updates the fields that are sent and leaves all others as they are. `config` and `scope` are replaced as a whole. The kind
        cannot be changed: create another policy instead. Every change increases `version` by one, including a change of the name. A
        request that changes nothing leaves the version as it is.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/policies/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_policy(self, id: str) -> None:
        """Delete a policy.

        Deletes a policy. Its name can be used again. Deleting a deleted policy also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/policies/{}', id))

    async def evaluate_policies(self, body: types.PolicyTrial) -> types.PolicyTrialResult:
        """Try policies on a call.

        Returns what the policies would decide on a call with these messages, for a key and a model. Nothing is sent to a provider,
        nothing is recorded, and rate limits and budgets do not apply. An `http` policy does call its guardrail service, with
        `dryRun: true`. Members can try only their own keys.

        Requires a valid key.
        """
        return await self._json('POST', '/v1/policies/evaluate', body=body)  # type: ignore[no-any-return]

    async def evaluate_draft_policy(self, body: types.PolicyDraftTrial) -> types.PolicyTrialResult:
        """Try a draft of a policy.

        Returns what the policies would decide on a call if a draft were in force: in addition to the others, in place of the policy
        whose `id` it has, or `alone`. The draft is validated like a policy that is saved, and is named `draft` in checks and
        findings. Nothing is saved, sent to a provider or recorded. The kind `http` is not supported, because its guardrail service
        is called only after the policy is saved.

        Requires a manager or auditor key.
        """
        return await self._json('POST', '/v1/policies/evaluate-draft', body=body)  # type: ignore[no-any-return]

    async def rotate_policy_secret(self, id: str, *, idempotency_key: Optional[str] = None) -> types.PolicyWithSecret:
        """Rotate the secret of an http policy.

        Creates a new secret for an `http` policy and returns it as `secret`. It signs all further requests, and the old secret signs none. This operation takes no body.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/policies/{}/rotate-secret', id), idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    def list_budgets(self, *, limit: Optional[int] = None) -> AsyncPages[types.Budget]:
        """List budgets.

        Lists budgets, newest first, with their current state: `spentUsd` is the sum of the current period’s receipts, and `reservedUsd` is held by calls in progress. Members see the budgets of the tenant, of teams, tags and sessions, and of their own user and keys.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/budgets', query={'limit': limit})

    async def create_budget(self, body: types.CreateBudget, *, idempotency_key: Optional[str] = None) -> types.Budget:
        """Create a budget.

        Creates a limit on what a tenant, team, user, key, tag or session may spend in a period. A budget with the action `block` is
        never exceeded: each call first reserves its maximum cost, and a call that does not fit is refused with 402. Spend from
        before the budget was created counts if it belongs to the current period.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/budgets', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_budget(self, id: str) -> types.Budget:
        """Get a budget.

        Returns a budget with its current state. Members cannot read the budgets of other users and their keys.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/budgets/{}', id))  # type: ignore[no-any-return]

    async def update_budget(self, id: str, body: types.UpdateBudget) -> types.Budget:
        """Update a budget.

        Updates the fields that are sent and leaves all others as they are. The change applies from the next call. If the amount of a `block` budget is below what is already spent, every further call in the period is refused.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/budgets/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_budget(self, id: str) -> None:
        """Delete a budget.

        Deletes a budget. It no longer limits calls. Deleting a deleted budget also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/budgets/{}', id))

    def list_budget_requests(self, *, limit: Optional[int] = None, status: Optional[Literal['pending', 'approved', 'denied']] = None, user_id: Optional[str] = None, budget_id: Optional[str] = None) -> AsyncPages[types.BudgetRequest]:
        """List budget requests.

        Lists requests for more budget, newest first. Managers and auditors see every request of the tenant. Members see only their own requests.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/budgets/requests', query={'limit': limit, 'status': status, 'userId': user_id, 'budgetId': budget_id})

    async def create_budget_request(self, body: types.CreateBudgetRequest, *, idempotency_key: Optional[str] = None) -> types.BudgetRequest:
        """Request more budget.

        Files a request for more budget. A manager can approve it, for the full amount or for less, or deny it.

        Requires a valid key that is not an auditor key.
        """
        return await self._json('POST', '/v1/budgets/requests', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def approve_budget_request(self, id: str, body: Optional[types.ApproveBudgetRequest] = None, *, idempotency_key: Optional[str] = None) -> types.BudgetRequest:
        """Approve a budget request.

        Approves a request and adds the granted amount to the current period of the budget. Without `amountUsd`, the full amount is granted. A request that is already decided fails with 409.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/budgets/requests/{}/approve', id), body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def deny_budget_request(self, id: str, *, idempotency_key: Optional[str] = None) -> types.BudgetRequest:
        """Deny a budget request.

        Denies a request. A request that is already decided fails with 409. This operation takes no body.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/budgets/requests/{}/deny', id), idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def list_teams(self) -> List[types.Team]:
        """List teams.

        Lists every team of the tenant, newest first.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/team/teams')  # type: ignore[no-any-return]

    async def create_team(self, body: types.CreateTeam, *, idempotency_key: Optional[str] = None) -> types.Team:
        """Create a team.

        Creates a team. Its pool is the maximum that the keys of the team may spend together in a calendar month. A call that does not fit is refused with 402.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/team/teams', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def update_team(self, id: str, body: types.UpdateTeam) -> types.Team:
        """Update a team.

        Updates the fields that are sent and leaves all others as they are. A new pool applies from the next call.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/team/teams/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_team(self, id: str, *, cascade: Optional[bool] = None) -> None:
        """Delete a team.

        Deletes a team. If the team has keys, members, budgets or policies, the request fails with 409 and a list of them. With `cascade`, its budgets and policies are deleted too, and its keys and members stay without a team. The audit log has an entry for each. Deleting a deleted team also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/team/teams/{}', id), query={'cascade': cascade})

    def list_members(self, *, limit: Optional[int] = None, team_id: Optional[str] = None, role: Optional[Literal['member', 'auditor', 'manager']] = None, status: Optional[Literal['active', 'suspended']] = None, q: Optional[str] = None) -> AsyncPages[types.Member]:
        """List members.

        Lists every user of the tenant, newest first.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/team/members', query={'limit': limit, 'teamId': team_id, 'role': role, 'status': status, 'q': q})

    async def create_member(self, body: types.CreateMember, *, idempotency_key: Optional[str] = None) -> types.Member:
        """Add a member.

        Adds a member to the tenant. A member is also created when its user id is first used as the owner of a key or in user limits.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/team/members', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_member(self, user_id: str) -> types.Member:
        """Get a member.

        Returns a member. A caller with the role `member` can read only itself.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/team/members/{}', user_id))  # type: ignore[no-any-return]

    async def update_member(self, user_id: str, body: types.UpdateMember) -> types.Member:
        """Update a member.

        Updates the fields that are sent and leaves all others as they are. A user belongs to at most one team. The user’s keys spend for this team unless they have their own team.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/team/members/{}', user_id), body=body)  # type: ignore[no-any-return]

    async def delete_member(self, user_id: str, *, cascade: Optional[bool] = None) -> None:
        """Remove a member.

        Removes a member, together with the user’s limits. If the user has keys, budgets or policies, the request fails with 409 and
        a list of them. With `cascade`, the user’s keys are revoked, and the user’s budgets and policies are deleted. The audit log
        has an entry for each. Removing a removed member also succeeds.

        To stop a user at once, suspend the user (`PATCH /v1/user-limits/{userId}`).

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/team/members/{}', user_id), query={'cascade': cascade})

    async def update_member_role(self, user_id: str, body: types.UpdateRole) -> types.Member:
        """Update the role of a member.

        Sets the role of a member. Demoting a user removes manager rights from the user’s keys at once. A change that would leave the tenant without a manager key fails with 409.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/team/members/{}/role', user_id), body=body)  # type: ignore[no-any-return]

    def list_user_limits(self, *, limit: Optional[int] = None, team_id: Optional[str] = None, role: Optional[Literal['member', 'auditor', 'manager']] = None, status: Optional[Literal['active', 'suspended']] = None, q: Optional[str] = None) -> AsyncPages[types.UserLimit]:
        """List user limits.

        Lists the limits of every member, in the order of the member list: newest first. Members see only their own limits.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/user-limits', query={'limit': limit, 'teamId': team_id, 'role': role, 'status': status, 'q': q})

    async def get_user_limit(self, user_id: str) -> types.UserLimit:
        """Get the limits of a user.

        Returns the limits of a user. Members can read only their own limits.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/user-limits/{}', user_id))  # type: ignore[no-any-return]

    async def update_user_limit(self, user_id: str, body: types.UpdateUserLimit) -> types.UserLimit:
        """Set the limits of a user.

        Sets the limits of a user across all keys of the user, in the gateway and in this API. They apply on every replica within a
        second. A suspended user is refused everywhere. An unknown user id creates that member.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/user-limits/{}', user_id), body=body)  # type: ignore[no-any-return]

    def list_routes(self, *, limit: Optional[int] = None) -> AsyncPages[types.Route]:
        """List routes.

        Lists routes, newest first, including disabled ones.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/routes', query={'limit': limit})

    async def create_route(self, body: types.CreateRoute, *, idempotency_key: Optional[str] = None) -> types.Route:
        """Create a route.

        Creates a name for one or more models. Every attempt at a target is admitted, checked by policies and recorded like a separate call, at the price of that target. Targets that the caller may not use are skipped.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/routes', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_route(self, id: str) -> types.Route:
        """Get a route.

        Returns a route with the state of each target. The states are those that the responding replica sees; replicas do not share them.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/routes/{}', id))  # type: ignore[no-any-return]

    async def update_route(self, id: str, body: types.UpdateRoute) -> types.Route:
        """Update a route.

        Updates the fields that are sent and leaves all others as they are. `targets`, `retry` and `cache` are replaced as a whole.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/routes/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_route(self, id: str) -> None:
        """Delete a route.

        Deletes a route. Its name can no longer be called. Deleting a deleted route also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/routes/{}', id))

    def list_providers(self, *, limit: Optional[int] = None) -> AsyncPages[types.Provider]:
        """List providers.

        Lists the providers of the tenant, newest first, followed by those from the configuration (`source: config`), by name. In a local trial, the latter include `mock`.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/providers', query={'limit': limit})

    async def create_provider(self, body: types.CreateProvider, *, idempotency_key: Optional[str] = None) -> types.Provider:
        """Create a provider.

        Creates a provider. Its models can be called as `provider/model` on every replica within a second. The values of headers and credentials are stored encrypted and never returned. A base URL that breaks the URL rules is refused with 400 and a message that names the rule.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/providers', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_provider(self, id: str) -> types.Provider:
        """Get a provider.

        Returns a provider. The states of its credentials are those that the responding replica sees. The id of a provider from the configuration is `prov_config_` followed by its name.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/providers/{}', id))  # type: ignore[no-any-return]

    async def update_provider(self, id: str, body: types.UpdateProvider) -> types.Provider:
        """Update a provider.

        Updates the fields that are sent and leaves all others as they are. `headers`, `timeouts`, `limits` and `options` are replaced as a whole. Calls in progress keep the old settings; later calls use the new ones, on every replica within a second. A provider from the configuration cannot be changed with the API (409).

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/providers/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_provider(self, id: str) -> None:
        """Delete a provider.

        Deletes a provider. Its credentials and the tenant’s prices for it are erased, and routes skip it. Calls in progress continue to their end. Deleting a deleted provider also succeeds. A provider from the configuration cannot be deleted with the API (409).

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/providers/{}', id))

    async def create_provider_credential(self, id: str, body: types.CreateProviderCredential, *, idempotency_key: Optional[str] = None) -> types.ProviderCredential:
        """Add a credential to a provider.

        Adds a credential to a provider. Calls use it at once, together with the other credentials and in proportion to its weight. To rotate a credential, add the new one, then delete the old one.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/providers/{}/credentials', id), body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def delete_provider_credential(self, id: str, cid: str) -> None:
        """Delete a credential of a provider.

        Deletes a credential and erases its value. Deleting a deleted credential also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/providers/{}/credentials/{}', id, cid))

    async def test_provider(self, id: str) -> types.ProviderTest:
        """Test a provider.

        Sends the provider a request that costs nothing with each of its credentials, and returns whether the provider was reached and accepted them. The test takes at most ten seconds. A credential that is refused is not used for a while. One that works is used again.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/providers/{}/test', id))  # type: ignore[no-any-return]

    def list_mcp_servers(self, *, limit: Optional[int] = None) -> AsyncPages[types.McpServer]:
        """List MCP servers.

        Lists the MCP servers of the tenant, newest first, followed by those from the configuration (`source: file`), by name. Members see the servers that they may use, with the tools that they may call.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/mcp-servers', query={'limit': limit})

    async def create_mcp_server(self, body: types.CreateMcpServer, *, idempotency_key: Optional[str] = None) -> types.McpServer:
        """Create an MCP server.

        Creates an MCP server. Its tools can be called after they are approved (`pinning`) and by callers who may use them (`open`, `allowedTools`, `tools` policies). Use `refresh` to list its tools. The values of headers are stored encrypted and never returned. A URL that breaks the URL rules is refused with 400 and a message that names the rule.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/mcp-servers', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_mcp_server(self, id: str) -> types.McpServer:
        """Get an MCP server.

        Returns an MCP server. Members can read only servers that they may use, and see only tools that they may call.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/mcp-servers/{}', id))  # type: ignore[no-any-return]

    async def update_mcp_server(self, id: str, body: types.UpdateMcpServer) -> types.McpServer:
        """Update an MCP server.

        Updates the fields that are sent and leaves all others as they are. `headers` and `auth` are replaced as a whole. A change of
        `auth`, or of the path of the URL, disconnects all users. Calls in progress keep the old settings; later calls use the new
        ones, on every replica within a second.

        The request fails with 409 if the URL has a new host while secrets are stored that were given for the old one, and for a
        server from the configuration.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/mcp-servers/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_mcp_server(self, id: str) -> None:
        """Delete an MCP server.

        Deletes an MCP server and erases its secrets, the credentials of its users and its approvals. Calls in progress continue to their end. Deleting a deleted server also succeeds. A server from the configuration cannot be deleted with the API (409).

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/mcp-servers/{}', id))

    async def refresh_mcp_server(self, id: str) -> types.McpServer:
        """Refresh the tools of an MCP server.

        Lists the tools of the server now. The service also does so every few minutes, and when the server reports a change.

        If the server cannot be reached, its status is `failing`, `statusMessage` says why, and the previous tools stay. A server
        that identifies users is asked on behalf of the caller: tools that it no longer lists for the caller stay for others, and its
        refusal is returned as 502.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/mcp-servers/{}/refresh', id))  # type: ignore[no-any-return]

    async def get_mcp_credential(self, id: str) -> types.McpCredential:
        """Get your connection to an MCP server.

        Returns whether the service can call this server on your behalf: for your user, or for your key if it has no owner. The credential itself is never returned.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/mcp-servers/{}/credential', id))  # type: ignore[no-any-return]

    async def set_mcp_credential(self, id: str, body: types.SetMcpCredential) -> types.McpCredential:
        """Store your credential for an MCP server.

        Stores the header value that your calls to this server send, for a server whose `auth` has the type `header`. Only your calls use it. The value is encrypted for you and for the current URL of this server.

        Requires a valid key that is not an auditor key.
        """
        return await self._json('PUT', fill('/v1/mcp-servers/{}/credential', id), body=body)  # type: ignore[no-any-return]

    async def delete_mcp_credential(self, id: str) -> None:
        """Delete your credential for an MCP server.

        Deletes your stored value or tokens at once. The authorization server still has your consent, so withdraw it there too. The request also succeeds if nothing is stored.

        Requires a valid key that is not an auditor key.
        """
        await self._nothing('DELETE', fill('/v1/mcp-servers/{}/credential', id))

    async def connect_mcp_server(self, id: str) -> types.McpConnection:
        """Connect your account to an MCP server.

        Returns the URL at which you give consent in a browser, for a server whose `auth` has the type `oauth`. Your calls then use your own tokens, which the service renews for as long as the consent lasts. This operation takes no body.

        Requires a valid key that is not an auditor key.
        """
        return await self._json('POST', fill('/v1/mcp-servers/{}/connect', id))  # type: ignore[no-any-return]

    async def list_mcp_tools(self, id: str) -> types.McpToolList:
        """List the tools of an MCP server.

        Lists the tools of an MCP server by name, each with its newest and its approved definition, their differences, and parts to review. Tools that the server no longer lists are included if they were approved or blocked.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/mcp-servers/{}/tools', id))  # type: ignore[no-any-return]

    async def approve_mcp_tool(self, id: str, name: str, body: Optional[types.ApproveMcpTool] = None) -> types.McpTool:
        """Approve a tool.

        Approves the newest definition of a tool. Callers get this definition within a second, and a later one must be approved again. Send the `hash` of the definition that you reviewed. The approval is added to the record. Approving an approved definition also succeeds.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/mcp-servers/{}/tools/{}/approve', id, name), body=body)  # type: ignore[no-any-return]

    async def block_mcp_tool(self, id: str, name: str) -> types.McpTool:
        """Block a tool.

        Blocks a tool. Nobody can call it until it is approved, whatever `pinning` is and even if its definition changes. The block is added to the record. Blocking a blocked tool also succeeds.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/mcp-servers/{}/tools/{}/block', id, name))  # type: ignore[no-any-return]

    async def approve_mcp_tools(self, id: str, body: types.ApproveMcpTools) -> types.McpToolList:
        """Approve several tools.

        Approves several tools, all or none. If a definition has changed since you reviewed it, the request fails with 409 and nothing is approved. Each approval is added to the record.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/mcp-servers/{}/approve', id), body=body)  # type: ignore[no-any-return]

    def list_catalogue(self, *, limit: Optional[int] = None, provider: Optional[str] = None, q: Optional[str] = None) -> AsyncPages[types.CatalogueModel]:
        """List models with their prices.

        Lists every model that can be called, by provider and name, with the prices that the tenant is charged. `GET /v1/models` lists the models that a key may use.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/catalogue', query={'limit': limit, 'provider': provider, 'q': q})

    async def set_model_price(self, provider: str, model: str, body: types.SetModelPrice) -> types.CatalogueModel:
        """Set the tenant’s own price of a model.

        Sets a price that applies only to this tenant, for a model of a provider of the tenant or of the configuration. The model need not be in a catalogue. The price applies to every name of the model, starting at `effectiveFrom`, and receipts name the price that they used. A price with a later start leaves the current price in force until then.

        Requires a manager key.
        """
        return await self._json('PUT', fill('/v1/catalogue/{}/{}', provider, model), body=body)  # type: ignore[no-any-return]

    async def delete_model_price(self, provider: str, model: str) -> None:
        """Delete the tenant’s own price of a model.

        Deletes the tenant’s own price of a model, including one that is not yet in force. The price that applies otherwise is in force again. Without one, the model cannot be called. The request also succeeds if there is no such price.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/catalogue/{}/{}', provider, model))

    def list_managed_resources(self, *, limit: Optional[int] = None, set: Optional[str] = None, kind: Optional[str] = None) -> AsyncPages[types.ManagedResource]:
        """List managed resources.

        Lists the objects that are described by files, newest first.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/managed-resources', query={'limit': limit, 'set': set, 'kind': kind})

    async def create_managed_resource(self, body: types.CreateManagedResource, *, idempotency_key: Optional[str] = None) -> types.ManagedResource:
        """Create a managed resource.

        Notes that an object is described by files. Add the entry before you create the object, and its id after that: an interrupted run can then be continued. An object has one entry; a second one fails with 409.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/managed-resources', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_managed_resource(self, id: str) -> types.ManagedResource:
        """Get a managed resource.

        Returns the entry of an object that is described by files.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/managed-resources/{}', id))  # type: ignore[no-any-return]

    async def update_managed_resource(self, id: str, body: types.UpdateManagedResource) -> types.ManagedResource:
        """Update a managed resource.

        Updates the fields that are sent and leaves all others as they are. With `ifRevision`, one of several concurrent changes succeeds and the others fail with 409.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/managed-resources/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_managed_resource(self, id: str) -> None:
        """Delete a managed resource.

        Deletes the entry. The object itself stays and is no longer described by files. Deleting a deleted entry also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/managed-resources/{}', id))

    def list_webhook_endpoints(self, *, limit: Optional[int] = None) -> AsyncPages[types.WebhookEndpoint]:
        """List webhook endpoints.

        Lists webhook endpoints, newest first, each with the delivery that was attempted last.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/webhook-endpoints', query={'limit': limit})

    async def create_webhook_endpoint(self, body: types.CreateWebhookEndpoint, *, idempotency_key: Optional[str] = None) -> types.WebhookEndpointWithSecret:
        """Create a webhook endpoint.

        Creates a webhook endpoint. The response contains the signing `secret`, which is not shown again. A URL that breaks the URL rules is refused with 400 (`invalid_webhook_url`) and a message that names the rule.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/webhook-endpoints', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_webhook_endpoint(self, id: str) -> types.WebhookEndpoint:
        """Get a webhook endpoint.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/webhook-endpoints/{}', id))  # type: ignore[no-any-return]

    async def update_webhook_endpoint(self, id: str, body: types.UpdateWebhookEndpoint) -> types.WebhookEndpoint:
        """Update a webhook endpoint.

        Updates the fields that are sent and leaves all others as they are. The change applies to every delivery that has not been sent yet.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/webhook-endpoints/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_webhook_endpoint(self, id: str) -> None:
        """Delete a webhook endpoint.

        Deletes a webhook endpoint. Its pending deliveries are not sent. Deleting a deleted endpoint also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/webhook-endpoints/{}', id))

    async def rotate_webhook_secret(self, id: str, body: Optional[types.RotateWebhookSecret] = None, *, idempotency_key: Optional[str] = None) -> types.WebhookEndpointWithSecret:
        """Rotate the secret of a webhook endpoint.

        Creates a new signing secret and returns it as `secret`. For `overlapHours`, both secrets sign: each delivery has two signatures, and the receiver has to verify only one of them.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/webhook-endpoints/{}/rotate-secret', id), body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def test_webhook_endpoint(self, id: str) -> types.WebhookTest:
        """Send a test to a webhook endpoint.

        Sends a `webhook.test` event once and returns its outcome. It also works for a disabled endpoint. This operation takes no body.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/webhook-endpoints/{}/test', id))  # type: ignore[no-any-return]

    def list_webhook_deliveries(self, id: str, *, limit: Optional[int] = None, status: Optional[Literal['pending', 'retrying', 'delivered', 'dead']] = None) -> AsyncPages[types.WebhookDelivery]:
        """List the deliveries to a webhook endpoint.

        Lists the deliveries to a webhook endpoint, newest first. Finished deliveries are kept for 30 days by default.

        Requires a manager or auditor key.
        """
        return self._pages('GET', fill('/v1/webhook-endpoints/{}/deliveries', id), query={'limit': limit, 'status': status})

    async def get_webhook_delivery(self, id: str, delivery_id: str) -> types.WebhookDeliveryDetail:
        """Get a delivery.

        Returns a delivery with the body that is sent and the outcome of each attempt. Only the status of the receiver’s response is stored.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/webhook-endpoints/{}/deliveries/{}', id, delivery_id))  # type: ignore[no-any-return]

    async def retry_webhook_delivery(self, id: str, delivery_id: str) -> types.WebhookDelivery:
        """Retry a delivery.

        Sends a delivery again at once, with the same id. A delivery that is `delivered` or `dead` starts over with its full number of attempts. A test cannot be retried (409). This operation takes no body.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/webhook-endpoints/{}/deliveries/{}/retry', id, delivery_id))  # type: ignore[no-any-return]

    def list_sinks(self, *, limit: Optional[int] = None) -> AsyncPages[types.Sink]:
        """List sinks.

        Lists sinks, newest first, each with how far it is.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/sinks', query={'limit': limit})

    async def create_sink(self, body: types.CreateSink, *, idempotency_key: Optional[str] = None) -> types.Sink:
        """Create a sink.

        Creates a sink, which exports everything that is stored already and then what is added. Secrets are stored encrypted and never returned.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/sinks', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def get_sink(self, id: str) -> types.Sink:
        """Get a sink.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/sinks/{}', id))  # type: ignore[no-any-return]

    async def update_sink(self, id: str, body: types.UpdateSink) -> types.Sink:
        """Update a sink.

        Updates the fields that are sent and leaves all others as they are. `destination` is replaced as a whole. Secrets that are not sent are kept, if the address stays the same; otherwise the request fails with 409.

        Requires a manager key.
        """
        return await self._json('PATCH', fill('/v1/sinks/{}', id), body=body)  # type: ignore[no-any-return]

    async def delete_sink(self, id: str) -> None:
        """Delete a sink.

        Deletes a sink and erases its secrets. What was exported stays where it is. Deleting a deleted sink also succeeds.

        Requires a manager key.
        """
        await self._nothing('DELETE', fill('/v1/sinks/{}', id))

    async def test_sink(self, id: str) -> types.SinkTest:
        """Test a sink.

        Sends a test to the destination once and returns what came of it. `s3` gets the object `test/{id}.json` below the prefix, `http` the line `{"test":true}`. It also works for a disabled sink. This operation takes no body.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/sinks/{}/test', id))  # type: ignore[no-any-return]

    def list_audit_log(self, *, limit: Optional[int] = None, actor_type: Optional[Literal['key', 'session', 'operator']] = None, actor_id: Optional[str] = None, user_id: Optional[str] = None, action: Optional[str] = None, subject_type: Optional[str] = None, subject_id: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None) -> AsyncPages[types.AuditEntry]:
        """List audit log entries.

        Lists every change made through this API or by the operator, newest first: who made it, when, and the object before and after. Every read of captured content (`content.read`) is included, because content can contain personal data. An entry must match all given filters.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/audit-log', query={'limit': limit, 'actorType': actor_type, 'actorId': actor_id, 'userId': user_id, 'action': action, 'subjectType': subject_type, 'subjectId': subject_id, 'from': from_, 'to': to})

    async def adjust_receipt(self, seq: int, body: types.AdjustReceipt) -> types.Receipt:
        """Correct the cost of a call.

        Corrects the cost of a call whose `usage` is `counted` or `reserved`, because the provider did not report it. The receipt does not change: the correction is a new entry of the record, which is returned. Budgets and usage reflect it at once.

        Requires a manager key.
        """
        return await self._json('POST', fill('/v1/compliance/receipts/{}/adjust', seq), body=body)  # type: ignore[no-any-return]

    def list_receipts(self, *, limit: Optional[int] = None) -> AsyncPages[types.Receipt]:
        """List receipts.

        Lists the entries of the tenant’s record, newest first. Every governed call leaves exactly one receipt. Members see the receipts of their own calls. Managers and auditors also see control entries and corrections.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/compliance/receipts', query={'limit': limit})

    async def get_receipt(self, seq: int) -> types.Receipt:
        """Get a receipt.

        Returns an entry of the record. Members can read only receipts of their own calls.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/compliance/receipts/{}', seq))  # type: ignore[no-any-return]

    async def get_inclusion_proof(self, seq: int) -> types.InclusionProof:
        """Prove that a receipt is in the record.

        Returns an RFC 6962 inclusion proof for the newest checkpoint. `tallystick verify` checks it offline, with the receipt and the public keys. Members can prove only receipts of their own calls.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/compliance/receipts/{}/proof', seq))  # type: ignore[no-any-return]

    async def get_checkpoint(self) -> str:
        """Get the newest checkpoint.

        Returns a C2SP signed note over the size and root of the record. Keep a copy: it reveals whether earlier entries were later changed or removed.

        Requires a valid key.
        """
        return await self._text('GET', '/v1/compliance/checkpoint')

    async def get_consistency_proof(self, *, from_: int, to: Optional[int] = None) -> types.ConsistencyProof:
        """Prove that the record was only appended to.

        Returns an RFC 6962 consistency proof that the record of `to` entries begins with the record of `from` entries. `to` defaults to the newest checkpoint.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/compliance/consistency', query={'from': from_, 'to': to})  # type: ignore[no-any-return]

    async def get_attestation(self, *, days: Optional[int] = None, period: Optional[str] = None, reuse: Optional[bool] = None) -> types.Attestation:
        """Attest a period.

        Returns a signed attestation of a period. It reads every entry of the period again, verifies hashes, chain, tree and seals, and counts only verified entries. A million entries take some seconds. Concurrent requests for the same period share the work. With `reuse=true` it returns the last attestation of the period, as it was signed, unless there is none or the record has an exception that it does not list.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/compliance/attestation', query={'days': days, 'period': period, 'reuse': reuse})  # type: ignore[no-any-return]

    async def get_content_capture(self) -> types.ContentCapture:
        """Get content capture.

        Returns the setting for content capture, which is off by default. The record has an entry for each change.

        Requires a manager or auditor key.
        """
        return await self._json('GET', '/v1/settings/content-capture')  # type: ignore[no-any-return]

    async def set_content_capture(self, body: types.ContentCaptureChange) -> types.ContentCapture:
        """Set content capture.

        Sets content capture for later calls, on every replica within a second. A call that is in progress while the mode changes leaves no content. Turning capture off keeps stored content until it expires. If `retentionDays` is omitted, it does not change. The change adds a `control` entry to the record.

        Requires a manager key.
        """
        return await self._json('PUT', '/v1/settings/content-capture', body=body)  # type: ignore[no-any-return]

    async def get_call_content(self, request_id: str) -> types.CallContent:
        """Get the content of a call.

        Returns the request and the answer of a call, if content capture was on when the call was made. Every read adds an entry `content.read` to the audit log.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/calls/{}/content', request_id))  # type: ignore[no-any-return]

    async def list_packs(self) -> List[types.Pack]:
        """List packs.

        Lists compliance packs. A pack maps checks and fields of receipts to the controls of a framework, and states what the record can and cannot show for each control.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/compliance/packs')  # type: ignore[no-any-return]

    async def set_pack_status(self, framework: str, body: types.PackStatus) -> types.Pack:
        """Activate or deactivate a pack.

        Activates or deactivates a pack, and adds a `control` entry to the record. While a pack is active, receipts list it with its version. Activating an active pack updates it to the newest version.

        Requires a manager key.
        """
        return await self._json('PUT', fill('/v1/compliance/packs/{}', framework), body=body)  # type: ignore[no-any-return]

    async def create_erasure(self, body: types.CreateErasure, *, idempotency_key: Optional[str] = None) -> types.Erasure:
        """Erase a person.

        Erases the personal data of a user. The response is sent when everything is erased. If the caller disconnects, the erasure
        continues.

        This deletes the keys to the commitments of all receipts of the user so far, so that nobody can check what those calls
        contained, not even by guessing. It also deletes captured content and stored answers of those calls, including calls in
        progress. It removes the name and email address of the member, the names and metadata of the user’s keys, the addresses and
        browsers of the user’s sign-ins, and the texts of budget requests, and removes all of these from the audit log.

        The user id, tags and session names stay, because they are part of receipts. Receipts, chain, proofs and totals do not
        change. The erasure adds a `control` entry to the record.

        Requires a manager key.
        """
        return await self._json('POST', '/v1/compliance/erasures', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    def list_erasures(self, *, limit: Optional[int] = None) -> AsyncPages[types.Erasure]:
        """List erasures.

        Lists erasures, newest first.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/compliance/erasures', query={'limit': limit})

    def list_anchors(self, *, limit: Optional[int] = None) -> AsyncPages[types.Anchor]:
        """List anchors.

        Lists checkpoints that were given to a third party, newest first. They are the last checkpoints of each day on which the record grew.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/compliance/anchors', query={'limit': limit})

    def list_checkpoints(self, *, limit: Optional[int] = None) -> AsyncPages[types.Checkpoint]:
        """List checkpoints.

        Lists the signed notes over the record, newest first. There is one for each group of entries that was committed together.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/compliance/checkpoints', query={'limit': limit})

    async def list_signing_keys(self) -> List[types.SigningKey]:
        """List signing keys.

        Lists every key that can seal, or has sealed, records of this service, newest first. Their public keys are in `/.well-known/tallystick/jwks.json`. The operator rotates them with `tallystick signing-key`.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/compliance/signing-keys')  # type: ignore[no-any-return]

    async def export_record(self, *, from_seq: Optional[int] = None, to_seq: Optional[int] = None) -> AsyncByteStream:
        """Export the record.

        Streams entries, seals and public keys as JSON lines. `fromSeq` defaults to the first stored entry and `toSeq` to the newest. A span ends where a seal covers it: if `toSeq` is inside a group of entries that was sealed together, the rest of the group is included and the header says so. An export without an `end` line is incomplete.

        Requires a manager or auditor key.
        """
        return await self._bytes('GET', '/v1/compliance/export', query={'fromSeq': from_seq, 'toSeq': to_seq})

    async def create_attestation_job(self, body: Optional[types.AttestationJobRequest] = None, *, idempotency_key: Optional[str] = None) -> types.ComplianceJob:
        """Attest a period as a job.

        Starts a job that creates the same attestation as `GET /v1/compliance/attestation` in the background. Use it for periods with millions of entries. It attests the record as of the request. The result is kept for 7 days. A tenant can have at most 5 jobs that are waiting or running, and 20 results.

        Requires a manager or auditor key.
        """
        return await self._json('POST', '/v1/compliance/attestations', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    async def create_export_job(self, body: Optional[types.ExportJobRequest] = None, *, idempotency_key: Optional[str] = None) -> types.ComplianceJob:
        """Export the record as a job.

        Starts a job that creates the same file as `GET /v1/compliance/export` in the background. Use it for spans with millions of entries. The export ends at the newest entry at the time of the request. The result is kept for 7 days. A tenant can have at most 5 jobs that are waiting or running, and 20 results.

        Requires a manager or auditor key.
        """
        return await self._json('POST', '/v1/compliance/exports', body=body, idempotency_key=key_or_new(idempotency_key))  # type: ignore[no-any-return]

    def list_compliance_jobs(self, *, limit: Optional[int] = None) -> AsyncPages[types.ComplianceJob]:
        """List jobs.

        Lists attestation and export jobs, newest first.

        Requires a manager or auditor key.
        """
        return self._pages('GET', '/v1/compliance/jobs', query={'limit': limit})

    async def get_compliance_job(self, id: str) -> types.ComplianceJob:
        """Get a job.

        Returns the status and the progress of a job.

        Requires a manager or auditor key.
        """
        return await self._json('GET', fill('/v1/compliance/jobs/{}', id))  # type: ignore[no-any-return]

    async def delete_compliance_job(self, id: str) -> None:
        """Cancel or remove a job.

        Cancels a job that is waiting or running; it stays in the list for 7 days. A job that has ended is removed together with its result. Auditors can cancel and remove only jobs that they requested themselves.

        Requires a manager or auditor key.
        """
        await self._nothing('DELETE', fill('/v1/compliance/jobs/{}', id))

    async def get_compliance_job_result(self, id: str) -> AsyncByteStream:
        """Get the result of a job.

        Streams the attestation, or the export as JSON lines. The request fails with 409 until the job is done. A result that is removed while it is read ends without an `end` line.

        Requires a manager or auditor key.
        """
        return await self._bytes('GET', fill('/v1/compliance/jobs/{}/result', id))

    def list_calls(self, *, limit: Optional[int] = None, from_: Optional[str] = None, to: Optional[str] = None, key_id: Optional[str] = None, user_id: Optional[str] = None, team_id: Optional[str] = None, provider: Optional[str] = None, model: Optional[str] = None, kind: Optional[Literal['model', 'tool']] = None, server: Optional[str] = None, tool: Optional[str] = None, outcome: Optional[Literal['ok', 'blocked', 'redacted', 'upstream_error', 'aborted', 'interrupted', 'failed']] = None, policy_id: Optional[str] = None, session: Optional[str] = None, route: Optional[str] = None, agent: Optional[str] = None, cache: Optional[Literal['hit']] = None, batch: Optional[str] = None, min_cost_usd: Optional[float] = None, request_id: Optional[str] = None) -> AsyncPages[types.Call]:
        """Search calls.

        Lists every call that left a receipt, newest first. Members see only their own calls. A call must match all given filters.
        `tag.<name>=<value>`, such as `tag.project=alpha`, filters by a tag and can be given for several names.

        A page can have fewer items than `limit`, even none, while `nextCursor` is not null: the next page continues the search. Only
        a `nextCursor` of null means that there are no more calls.

        Requires a valid key.
        """
        return self._pages('GET', '/v1/calls', query={'limit': limit, 'from': from_, 'to': to, 'keyId': key_id, 'userId': user_id, 'teamId': team_id, 'provider': provider, 'model': model, 'kind': kind, 'server': server, 'tool': tool, 'outcome': outcome, 'policyId': policy_id, 'session': session, 'route': route, 'agent': agent, 'cache': cache, 'batch': batch, 'minCostUsd': min_cost_usd, 'requestId': request_id})

    async def get_call_density(self, *, buckets: Optional[int] = None, from_: Optional[str] = None, to: Optional[str] = None, key_id: Optional[str] = None, user_id: Optional[str] = None, team_id: Optional[str] = None, provider: Optional[str] = None, model: Optional[str] = None, kind: Optional[Literal['model', 'tool']] = None, server: Optional[str] = None, tool: Optional[str] = None, outcome: Optional[Literal['ok', 'blocked', 'redacted', 'upstream_error', 'aborted', 'interrupted', 'failed']] = None, policy_id: Optional[str] = None, session: Optional[str] = None, route: Optional[str] = None, agent: Optional[str] = None, cache: Optional[Literal['hit']] = None, batch: Optional[str] = None, min_cost_usd: Optional[float] = None, request_id: Optional[str] = None) -> types.CallDensity:
        """Count calls over time.

        Returns the number of calls that a search would find, by outcome, in equal parts of its span: the data of a histogram. It
        accepts the filters of the list, and its counts are exact. Without `from`, the span begins with the first stored call.
        Without `to`, it ends now.

        Only a few of these reports run at a time, together with usage reports, and a span with too many calls is refused.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/calls/density', query={'buckets': buckets, 'from': from_, 'to': to, 'keyId': key_id, 'userId': user_id, 'teamId': team_id, 'provider': provider, 'model': model, 'kind': kind, 'server': server, 'tool': tool, 'outcome': outcome, 'policyId': policy_id, 'session': session, 'route': route, 'agent': agent, 'cache': cache, 'batch': batch, 'minCostUsd': min_cost_usd, 'requestId': request_id})  # type: ignore[no-any-return]

    async def get_call(self, request_id: str, *, content: Optional[bool] = None) -> types.CallDetail:
        """Get a call.

        Returns a call with its checks, attempts, price, corrections and, if captured, content. Members can read only their own calls, without content. If the receipt was dropped from the record, the call is returned without the fields that only the receipt contains.

        Requires a valid key.
        """
        return await self._json('GET', fill('/v1/calls/{}', request_id), query={'content': content})  # type: ignore[no-any-return]

    async def get_usage(self, *, range: Optional[Literal['1h', '24h', '7d', '30d', '90d', 'today', 'yesterday', 'wtd', 'last-week', 'mtd', 'last-month', 'qtd', 'last-quarter', 'ytd', 'last-year']] = None, from_: Optional[str] = None, to: Optional[str] = None, time_zone: Optional[str] = None, interval: Optional[Literal['minute', 'hour', 'day', 'week', 'month']] = None, group_by: Optional[str] = None, group_series: Optional[int] = None, compare: Optional[Literal['previous']] = None, key_id: Optional[str] = None, user_id: Optional[str] = None, team_id: Optional[str] = None, provider: Optional[str] = None, model: Optional[str] = None, outcome: Optional[Literal['ok', 'blocked', 'redacted', 'upstream_error', 'aborted', 'interrupted', 'failed']] = None, policy_id: Optional[str] = None, session: Optional[str] = None, route: Optional[str] = None, agent: Optional[str] = None, cache: Optional[Literal['hit']] = None, batch: Optional[str] = None, kind: Optional[Literal['model', 'tool']] = None, server: Optional[str] = None, tool: Optional[str] = None, request_id: Optional[str] = None, min_cost_usd: Optional[float] = None) -> types.Usage:
        """Get usage and spend.

        Returns requests, tokens, spend and latency: in total, over time and by one or two dimensions. Managers and auditors see the
        whole tenant. Members see the usage of their user or, for a key without an owner, of the key.

        The report covers the calls admitted from `from` up to, but not including, `to`. It equals the sum of their receipts to the
        token and the nano-dollar, whatever the filters. Calls in progress are not included. Without `from`, the range `1h` has 60
        points of a minute, `24h` has 24 points of an hour, and every other range has one point per day. The last point is the
        current minute, hour or day.

        The filters are those of calls, and a call must match all of them. A tag has its own parameter, `tag.<name>=<value>`, such as
        `tag.project=alpha`. Filters and dimensions by session, route, agent, cache, batch, policy, request or cost only work for as
        long as calls are stored. So do tags in an hour with more than 1,000 different combinations of them.

        `format=csv` returns one table in the time zone of the report, with a line for each group or, if `interval` is given, for
        each interval and group. Filters are columns as well, and part of the file name.

        For managers and auditors, an id of a key, user, team or policy that never existed is refused with 400. Those that were
        deleted can be asked for. Only a few reports run at a time, and a key can have 32 open.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/usage', query={'range': range, 'from': from_, 'to': to, 'timeZone': time_zone, 'interval': interval, 'groupBy': group_by, 'groupSeries': group_series, 'compare': compare, 'keyId': key_id, 'userId': user_id, 'teamId': team_id, 'provider': provider, 'model': model, 'outcome': outcome, 'policyId': policy_id, 'session': session, 'route': route, 'agent': agent, 'cache': cache, 'batch': batch, 'kind': kind, 'server': server, 'tool': tool, 'requestId': request_id, 'minCostUsd': min_cost_usd})  # type: ignore[no-any-return]

    async def get_usage_latency(self, *, range: Optional[Literal['1h', '24h', '7d', '30d', '90d', 'today', 'yesterday', 'wtd', 'last-week', 'mtd', 'last-month', 'qtd', 'last-quarter', 'ytd', 'last-year']] = None, from_: Optional[str] = None, to: Optional[str] = None, time_zone: Optional[str] = None, interval: Optional[Literal['minute', 'hour', 'day', 'week', 'month']] = None, group_series: Optional[int] = None, key_id: Optional[str] = None, user_id: Optional[str] = None, team_id: Optional[str] = None, provider: Optional[str] = None, model: Optional[str] = None, outcome: Optional[Literal['ok', 'blocked', 'redacted', 'upstream_error', 'aborted', 'interrupted', 'failed']] = None, policy_id: Optional[str] = None, session: Optional[str] = None, route: Optional[str] = None, agent: Optional[str] = None, cache: Optional[Literal['hit']] = None, batch: Optional[str] = None, kind: Optional[Literal['model', 'tool']] = None, server: Optional[str] = None, tool: Optional[str] = None, request_id: Optional[str] = None, min_cost_usd: Optional[float] = None, group_by: Optional[str] = None) -> types.UsageLatency:
        """Get latency percentiles.

        Returns percentiles of the latency and of the time to the first token: in total, over time and by one or two dimensions, with
        the spans, intervals and filters of usage. They are computed from individual calls, for as long as these are stored, and are
        within 3 % of the exact percentiles. Blocked calls and calls that failed in this service are excluded, unless
        `outcome=blocked` or `outcome=failed` selects them. Interrupted calls are excluded, because they have no latency.

        These reports share the limits of usage reports. A report over too many calls is refused: choose a shorter span.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/usage/latency', query={'range': range, 'from': from_, 'to': to, 'timeZone': time_zone, 'interval': interval, 'groupSeries': group_series, 'keyId': key_id, 'userId': user_id, 'teamId': team_id, 'provider': provider, 'model': model, 'outcome': outcome, 'policyId': policy_id, 'session': session, 'route': route, 'agent': agent, 'cache': cache, 'batch': batch, 'kind': kind, 'server': server, 'tool': tool, 'requestId': request_id, 'minCostUsd': min_cost_usd, 'groupBy': group_by})  # type: ignore[no-any-return]

    async def get_usage_forecast(self, *, time_zone: Optional[str] = None) -> types.UsageForecast:
        """Forecast the month.

        Returns the expected spend of this calendar month, in total and by day. The forecast of a remaining day is the mean of the
        same weekday in the previous four weeks; for today, it is the remaining part of that mean. Managers and auditors see the
        whole tenant, members only their own spend.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/usage/forecast', query={'timeZone': time_zone})  # type: ignore[no-any-return]

    def stream_events(self, *, types: Optional[str] = None, last_event_id: Optional[str] = None, max_seconds: Optional[int] = None) -> AsyncIterator[types.StreamEvent]:
        """Stream events.

        Streams server-sent events of all replicas:

        - `call`: a call has ended. The data is an item of `GET /v1/calls`.
        - `alert`: an event of webhooks, such as a budget threshold, a policy violation, a usage spike or a failing provider.
        - `budget`: the state of a budget, when it changes by a percent.
        - `provider`: whether a provider answers, based on this tenant’s calls of the last minute.

        The stream starts with `hello`, followed by the current states of budgets and providers. A comment is sent every 15 seconds.

        Calls are sent in the order of the record, each exactly once. Every `call` and `alert` has an id. Send it as `Last-Event-ID`
        to resume the stream after that event, on any replica. Events that are too old are skipped with a `gap`, which says where to
        read them. The last event is `bye`, or `error` if the client reads too slowly or loses its access.

        Members see their own calls and alerts, and the budgets that `GET /v1/budgets` lists for them. Only managers and auditors get
        `provider` events. On each replica, a key can have at most 20 open streams and a tenant 250.

        Requires a valid key.
        """
        return self._events('GET', '/v1/events/stream', query={'types': types, 'lastEventId': last_event_id, 'maxSeconds': max_seconds})

    async def get_attention(self) -> types.Attention:
        """Get what needs attention.

        Returns what somebody has to decide or repair: a record that is not signed, pending budget requests, limits that are nearly or fully used, providers that fail or refuse a credential, tools that wait for approval, and webhooks that are not delivered. Every list is bounded, so you can poll this operation every few seconds.

        Requires a manager or auditor key.
        """
        return await self._json('GET', '/v1/attention')  # type: ignore[no-any-return]

    async def get_about(self) -> types.About:
        """Get information about this service.

        Returns the version, the state of the database and Redis, the size of the record, and the configuration. The response contains no secrets and no data of other tenants.

        Requires a valid key.
        """
        return await self._json('GET', '/v1/about')  # type: ignore[no-any-return]
