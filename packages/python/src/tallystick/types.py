# Generated from openapi.json by `npm run openapi`. Do not edit.
"""The objects of the API. Each is a dictionary with the members that the API reference describes."""

import sys
from typing import Any, Dict, List, Literal, Optional, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict

__all__ = [
    'About',
    'AboutDatabase',
    'AboutFeatures',
    'AboutRecord',
    'AboutRedis',
    'AboutRetention',
    'AboutTenant',
    'AdjustReceipt',
    'Anchor',
    'AnchorPage',
    'AnomalyUsageSpikeEvent',
    'AnomalyUsageSpikeEventData',
    'AnthropicModel',
    'AnthropicModelList',
    'AppendPromptVersion',
    'ApproveBudgetRequest',
    'ApproveMcpTool',
    'ApproveMcpTools',
    'ApproveMcpToolsToolsItem',
    'Attention',
    'AttentionBudgetRequests',
    'AttentionCredentialsItem',
    'AttentionLimitsItem',
    'AttentionProvidersItem',
    'AttentionRecord',
    'AttentionToolsItem',
    'AttentionWebhooksItem',
    'Attestation',
    'AttestationAnchor',
    'AttestationCheckCoverageItem',
    'AttestationErasures',
    'AttestationExceptionsItem',
    'AttestationExceptionsItemRestore',
    'AttestationJobRequest',
    'AttestationMerkle',
    'AttestationPacksInForceItem',
    'AttestationPeriod',
    'AttestationSignature',
    'AttestationTotals',
    'AuditEntry',
    'AuditEntryActor',
    'AuditEntrySubject',
    'AuditPage',
    'Batch',
    'BatchErrors',
    'BatchErrorsDataItem',
    'BatchOrder',
    'BatchRequestCounts',
    'Budget',
    'BudgetPage',
    'BudgetRequest',
    'BudgetRequestDecidedBy',
    'BudgetRequestFiledEvent',
    'BudgetRequestFiledEventData',
    'BudgetRequestFiledEventDataBudget',
    'BudgetRequestFiledEventDataBudgetScope',
    'BudgetRequestPage',
    'BudgetRequestRequestedBy',
    'BudgetScope',
    'BudgetThresholdReachedEvent',
    'BudgetThresholdReachedEventData',
    'BudgetThresholdReachedEventDataBudget',
    'BudgetThresholdReachedEventDataBudgetScope',
    'Call',
    'CallAttempt',
    'CallCheck',
    'CallContent',
    'CallContentAttemptsItem',
    'CallContentAttemptsItemAnswer',
    'CallContentAttemptsItemRequest',
    'CallCorrection',
    'CallDensity',
    'CallDensityBucketsItem',
    'CallDetail',
    'CallDetailPoliciesItem',
    'CallDetailPrice',
    'CallDetailPrompt',
    'CallDetailReceipt',
    'CallPage',
    'CallPoliciesItem',
    'CallStage',
    'Caller',
    'CallerTenant',
    'CatalogueModel',
    'CatalogueModelCapabilities',
    'CatalogueModelLimits',
    'CatalogueModelUpcoming',
    'CataloguePage',
    'ChatMessage',
    'Checkpoint',
    'CheckpointPage',
    'ComplianceJob',
    'ComplianceJobPage',
    'ComplianceJobProgress',
    'ComplianceJobRequestedBy',
    'ConsistencyProof',
    'ContentCapture',
    'ContentCaptureChange',
    'CostLine',
    'CreateBudget',
    'CreateBudgetRequest',
    'CreateBudgetScope',
    'CreateErasure',
    'CreateKey',
    'CreateManagedResource',
    'CreateMcpServer',
    'CreateMcpServerAuth',
    'CreateMember',
    'CreatePolicy',
    'CreatePolicyScope',
    'CreatePrompt',
    'CreateProvider',
    'CreateProviderCredential',
    'CreateProviderLimits',
    'CreateProviderTimeouts',
    'CreateRoute',
    'CreateRouteCache',
    'CreateRouteRetry',
    'CreateSink',
    'CreateTeam',
    'CreateWebhookEndpoint',
    'CreatedKey',
    'CreatedPolicy',
    'CreatedPolicyScope',
    'DeliveryCounts',
    'Erasure',
    'ErasurePage',
    'Error',
    'ErrorError',
    'ErrorErrorBudget',
    'ErrorErrorBudgetScope',
    'ErrorErrorDependentsItem',
    'ErrorErrorDetailsItem',
    'ExportJobRequest',
    'ExpressionConfig',
    'File',
    'FileForm',
    'GatewayCall',
    'Health',
    'HttpConfig',
    'InclusionProof',
    'Key',
    'KeyLimits',
    'KeyPage',
    'KeySet',
    'KeyStanding',
    'KeywordsConfig',
    'LastDelivery',
    'LatencyFigures',
    'LatencyGroup',
    'LatencyGroupSecond',
    'LatencyPoint',
    'LimitsConfig',
    'ManagedResource',
    'ManagedResourcePage',
    'McpClient',
    'McpConnection',
    'McpCredential',
    'McpMessage',
    'McpResponse',
    'McpResponseError',
    'McpServer',
    'McpServerAuth',
    'McpServerPage',
    'McpServerServerInfo',
    'McpServerToolCounts',
    'McpServerToolsItem',
    'McpTool',
    'McpToolApprovedBy',
    'McpToolChangedEvent',
    'McpToolChangedEventData',
    'McpToolChangedEventDataServer',
    'McpToolDiffItem',
    'McpToolFlagsItem',
    'McpToolList',
    'Member',
    'MemberPage',
    'Model',
    'ModelList',
    'ModelListConfig',
    'MoneyStanding',
    'MoneyStandingScope',
    'NewRouteTarget',
    'NewSinkDestination',
    'Pack',
    'PackControl',
    'PackStatus',
    'PatternConfig',
    'PatternConfigPatternsItem',
    'Percentiles',
    'PiiConfig',
    'Policy',
    'PolicyDraftTrial',
    'PolicyDraftTrialDraft',
    'PolicyHits',
    'PolicyHitsPoliciesItem',
    'PolicyPage',
    'PolicyScope',
    'PolicyTrial',
    'PolicyTrialResult',
    'PolicyTrialResultChecksItem',
    'PolicyTrialResultError',
    'PolicyTrialResultFindingsItem',
    'PolicyViolationEvent',
    'PolicyViolationEventData',
    'PolicyWithSecret',
    'PolicyWithSecretScope',
    'Prompt',
    'PromptLabelsValue',
    'PromptVersion',
    'PromptVersionPage',
    'Provider',
    'ProviderCredential',
    'ProviderCredentialLastError',
    'ProviderError',
    'ProviderFailingEvent',
    'ProviderFailingEventData',
    'ProviderHeadersItem',
    'ProviderLimits',
    'ProviderPage',
    'ProviderTest',
    'ProviderTimeouts',
    'Readiness',
    'ReadinessChecks',
    'ReadinessChecksDatabase',
    'ReadinessChecksDisk',
    'ReadinessChecksLimits',
    'ReadinessChecksRecord',
    'ReadinessChecksSpool',
    'ReadinessChecksWorkers',
    'Receipt',
    'ReceiptChecksItem',
    'ReceiptCounts',
    'ReceiptPage',
    'ReceiptRestore',
    'RecordRefusedEvent',
    'RecordRefusedEventData',
    'ResolvedLabel',
    'RotateWebhookSecret',
    'Route',
    'RouteCache',
    'RoutePage',
    'RouteRetry',
    'RouteTarget',
    'SecretsConfig',
    'Session',
    'SessionPage',
    'SetMcpCredential',
    'SetModelPrice',
    'SetModelPricePrice2',
    'SetModelPricePrice2LongerItem',
    'SetModelPricePrice2TiersValue',
    'SetModelPricePrice2TiersValueLongerItem',
    'SetPromptLabel',
    'SignIn',
    'SignInMethods',
    'SignInMethodsOidc',
    'SigningKey',
    'Sink',
    'SinkDestination',
    'SinkPage',
    'SinkState',
    'SinkTest',
    'StreamAlert',
    'StreamAlertEvent',
    'StreamBudget',
    'StreamBudgetEvent',
    'StreamBudgetScope',
    'StreamByeEvent',
    'StreamCallEvent',
    'StreamErrorEvent',
    'StreamEvent',
    'StreamFarewell',
    'StreamGap',
    'StreamGapEvent',
    'StreamHello',
    'StreamHelloEvent',
    'StreamProvider',
    'StreamProviderEvent',
    'Team',
    'ToolsConfig',
    'UpdateBudget',
    'UpdateKey',
    'UpdateLimits',
    'UpdateManagedResource',
    'UpdateMcpServer',
    'UpdateMcpServerAuth',
    'UpdateMember',
    'UpdatePolicy',
    'UpdatePolicyScope',
    'UpdatePrompt',
    'UpdateProvider',
    'UpdateProviderLimits',
    'UpdateProviderTimeouts',
    'UpdateRole',
    'UpdateRoute',
    'UpdateRouteCache',
    'UpdateRouteRetry',
    'UpdateSink',
    'UpdateTeam',
    'UpdateUserLimit',
    'UpdateWebhookEndpoint',
    'Usage',
    'UsageBefore',
    'UsageChange',
    'UsageFigures',
    'UsageForecast',
    'UsageForecastDay',
    'UsageGroup',
    'UsageGroupPoint',
    'UsageGroupPrevious',
    'UsageGroupSecond',
    'UsageLatency',
    'UsagePoint',
    'UsageRest',
    'UsageRestPrevious',
    'UserLimit',
    'UserLimitPage',
    'WebhookDelivery',
    'WebhookDeliveryDetail',
    'WebhookDeliveryDetailHistoryItem',
    'WebhookDeliveryPage',
    'WebhookEndpoint',
    'WebhookEndpointPage',
    'WebhookEndpointWithSecret',
    'WebhookTest',
    'WebhookTestEvent',
    'WebhookTestEventData',
    'WindowStanding',
]


class Health(TypedDict):
    status: Literal['ok']


class Error(TypedDict):
    error: 'ErrorError'


class ErrorError(TypedDict):
    type: Literal['invalid_request', 'invalid_webhook_url', 'unauthorized', 'budget_exceeded', 'forbidden', 'model_not_allowed', 'policy_violation', 'user_suspended', 'not_found', 'model_not_found', 'conflict', 'payload_too_large', 'unsupported_media_type', 'upgrade_refused', 'rate_limit_exceeded', 'internal_error', 'upstream_error', 'unavailable', 'upstream_timeout']
    message: str
    """A sentence for people that says what is wrong and what to do about it"""
    code: int
    """The HTTP status code"""
    details: NotRequired[List['ErrorErrorDetailsItem']]
    """For `invalid_request`: every validation error, with the path of the invalid value"""
    retry_after: NotRequired[int]
    """For `rate_limit_exceeded`: the number of seconds to wait before the next attempt"""
    policy_id: NotRequired[str]
    """For `policy_violation`: the id of the policy"""
    check: NotRequired[str]
    """For `policy_violation`: the check that failed"""
    limit_usd: NotRequired[float]
    """For `budget_exceeded`: the limit in USD"""
    spent_usd: NotRequired[float]
    """For `budget_exceeded`: the amount spent, in USD"""
    resets_at: NotRequired[Optional[str]]
    """For `budget_exceeded`: when the next period begins. Null if there is no next period"""
    budget: NotRequired['ErrorErrorBudget']
    """For `budget_exceeded`: the limit that was reached"""
    dependents: NotRequired[List['ErrorErrorDependentsItem']]
    """For `conflict`: the objects that refer to the object to be deleted, at most 50"""
    dependents_total: NotRequired[int]
    """For `conflict`: the total number of objects that refer to the object to be deleted"""


class ErrorErrorDetailsItem(TypedDict):
    path: str
    message: str


class ErrorErrorBudget(TypedDict):
    """For `budget_exceeded`: the limit that was reached"""

    id: Optional[str]
    """Null if the limit is the pool of a team or the cap of a user"""
    name: str
    scope: 'ErrorErrorBudgetScope'


class ErrorErrorBudgetScope(TypedDict):
    type: str
    id: str


class ErrorErrorDependentsItem(TypedDict):
    type: str
    id: str
    name: str


class Readiness(TypedDict):
    status: Literal['ready', 'degraded', 'unready']
    """The worst state of all checks"""
    checks: 'ReadinessChecks'


class ReadinessChecks(TypedDict):
    database: 'ReadinessChecksDatabase'
    """Whether the database answers and can be written"""
    limits: 'ReadinessChecksLimits'
    """Whether limits and budgets can be counted, in Redis where it is used"""
    record: 'ReadinessChecksRecord'
    """Whether receipts can be recorded"""
    spool: 'ReadinessChecksSpool'
    """Receipts that wait on this disk for the database"""
    disk: 'ReadinessChecksDisk'
    """The data directory"""
    workers: 'ReadinessChecksWorkers'
    """The processes of this service"""


class ReadinessChecksDatabase(TypedDict):
    """Whether the database answers and can be written"""

    state: Literal['ready', 'degraded', 'unready']
    """`degraded`: calls are carried out, but some are refused, or something needs repair. `unready`: this replica can carry out no call"""
    since: str
    """When this state, with this cause, was first seen"""
    cause: NotRequired[str]
    """The cause, as in the metric `tallystick_fault`. Absent when the state is `ready`"""
    message: NotRequired[str]
    """What is wrong, and what to do"""


class ReadinessChecksLimits(TypedDict):
    """Whether limits and budgets can be counted, in Redis where it is used"""

    state: Literal['ready', 'degraded', 'unready']
    """`degraded`: calls are carried out, but some are refused, or something needs repair. `unready`: this replica can carry out no call"""
    since: str
    """When this state, with this cause, was first seen"""
    cause: NotRequired[str]
    """The cause, as in the metric `tallystick_fault`. Absent when the state is `ready`"""
    message: NotRequired[str]
    """What is wrong, and what to do"""


class ReadinessChecksRecord(TypedDict):
    """Whether receipts can be recorded"""

    state: Literal['ready', 'degraded', 'unready']
    """`degraded`: calls are carried out, but some are refused, or something needs repair. `unready`: this replica can carry out no call"""
    since: str
    """When this state, with this cause, was first seen"""
    cause: NotRequired[str]
    """The cause, as in the metric `tallystick_fault`. Absent when the state is `ready`"""
    message: NotRequired[str]
    """What is wrong, and what to do"""


class ReadinessChecksSpool(TypedDict):
    """Receipts that wait on this disk for the database"""

    state: Literal['ready', 'degraded', 'unready']
    """`degraded`: calls are carried out, but some are refused, or something needs repair. `unready`: this replica can carry out no call"""
    since: str
    """When this state, with this cause, was first seen"""
    cause: NotRequired[str]
    """The cause, as in the metric `tallystick_fault`. Absent when the state is `ready`"""
    message: NotRequired[str]
    """What is wrong, and what to do"""


class ReadinessChecksDisk(TypedDict):
    """The data directory"""

    state: Literal['ready', 'degraded', 'unready']
    """`degraded`: calls are carried out, but some are refused, or something needs repair. `unready`: this replica can carry out no call"""
    since: str
    """When this state, with this cause, was first seen"""
    cause: NotRequired[str]
    """The cause, as in the metric `tallystick_fault`. Absent when the state is `ready`"""
    message: NotRequired[str]
    """What is wrong, and what to do"""


class ReadinessChecksWorkers(TypedDict):
    """The processes of this service"""

    state: Literal['ready', 'degraded', 'unready']
    """`degraded`: calls are carried out, but some are refused, or something needs repair. `unready`: this replica can carry out no call"""
    since: str
    """When this state, with this cause, was first seen"""
    cause: NotRequired[str]
    """The cause, as in the metric `tallystick_fault`. Absent when the state is `ready`"""
    message: NotRequired[str]
    """What is wrong, and what to do"""


class KeySet(TypedDict):
    keys: List[Dict[str, Any]]


class SignIn(TypedDict):
    key: str
    """The value of a virtual key. The service checks it and does not store it"""


class Caller(TypedDict):
    tenant: 'CallerTenant'
    role: Literal['member', 'auditor', 'manager']
    """A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data"""
    userId: Optional[str]
    """The id of the user. Null for a key without an owner"""
    name: Optional[str]
    """The display name of the user"""
    email: Optional[str]
    """The email address of the user"""
    keyId: Optional[str]
    """The key that authenticates the request, or that the session was opened with. Null for a session opened by OpenID Connect"""
    keyName: Optional[str]
    """The name of that key"""
    via: Literal['key', 'session', 'oidc']
    """How the request is authenticated: by a key in the request, by a session that was opened with a key, or by a session that was opened by OpenID Connect"""
    sessionId: Optional[str]
    """The id of the session, as in `GET /v1/sessions`"""
    expiresAt: Optional[str]
    """When the session ends if it is not used before then, or when the key expires. Null for a key that does not expire"""


class CallerTenant(TypedDict):
    id: str
    name: str


class Session(TypedDict):
    id: str
    via: Literal['session', 'oidc']
    """How the session was opened: with a key, or by OpenID Connect"""
    keyId: Optional[str]
    """The key that the session was opened with"""
    current: bool
    """True for the session that this request uses"""
    ip: str
    """The IP address of the sign-in"""
    userAgent: str
    """The browser and operating system of the sign-in"""
    createdAt: str
    lastSeenAt: str
    """When the session was last used, to the minute"""
    expiresAt: str
    """When the session ends if it is not used before then"""


class SessionPage(TypedDict):
    data: List['Session']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class SignInMethods(TypedDict):
    key: Literal[True]
    """Sign-in with a key. Always available"""
    oidc: Optional['SignInMethodsOidc']
    """Sign-in by OpenID Connect: the display name of the issuer. Null if it is not configured"""


class SignInMethodsOidc(TypedDict):
    name: str


class Key(TypedDict):
    id: str
    name: str
    role: Literal['member', 'auditor', 'manager']
    """A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data"""
    userId: Optional[str]
    """The user who owns the key"""
    teamId: Optional[str]
    """The team that the key spends for. Null means the team of its owner"""
    rpmLimit: Optional[int]
    """The maximum number of requests in any rolling minute. Null means no limit"""
    tpmLimit: Optional[int]
    """The maximum number of tokens in any rolling minute. Null means no limit. A single call that can use more than the limit is refused with 400"""
    allowedModels: Optional[List[str]]
    """The models that may be used: names, or prefixes that end in `*`. Null allows all models, `[]` allows none"""
    allowedTools: Optional[List[str]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""
    status: Literal['active', 'revoked', 'expired']
    hint: str
    """The last four characters of the key’s value"""
    metadata: Dict[str, str]
    """Key-value pairs of your choice"""
    createdAt: str
    createdBy: str
    """The id of the key that created this one, or `operator`"""
    expiresAt: Optional[str]
    """When the key expires. It is refused from then on"""
    lastUsedAt: Optional[str]
    """When the key was last used, to within a few seconds"""
    revokedAt: Optional[str]
    """When the key was revoked. Null for a key that is not revoked"""


class KeyPage(TypedDict):
    data: List['Key']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreateKey(TypedDict):
    name: str
    """A name that says what the key is for"""
    role: NotRequired[Literal['member', 'auditor', 'manager']]
    """A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data"""
    userId: NotRequired[Optional[str]]
    """The user who owns the key. An unknown user id creates that member"""
    teamId: NotRequired[Optional[str]]
    """The team that the key spends for"""
    rpmLimit: NotRequired[Optional[int]]
    """The maximum number of requests in any rolling minute. Null means no limit"""
    tpmLimit: NotRequired[Optional[int]]
    """The maximum number of tokens in any rolling minute. Null means no limit. A single call that can use more than the limit is refused with 400"""
    allowedModels: NotRequired[Optional[List[str]]]
    """The models that may be used: names, or prefixes that end in `*`. Null allows all models, `[]` allows none"""
    allowedTools: NotRequired[Optional[List[str]]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""
    expiresAt: NotRequired[Optional[str]]
    """When the key expires: a time in the future. Null means never"""
    metadata: NotRequired[Dict[str, str]]
    """Key-value pairs of your choice"""


class CreatedKey(TypedDict):
    id: str
    name: str
    role: Literal['member', 'auditor', 'manager']
    """A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data"""
    userId: Optional[str]
    """The user who owns the key"""
    teamId: Optional[str]
    """The team that the key spends for. Null means the team of its owner"""
    rpmLimit: Optional[int]
    """The maximum number of requests in any rolling minute. Null means no limit"""
    tpmLimit: Optional[int]
    """The maximum number of tokens in any rolling minute. Null means no limit. A single call that can use more than the limit is refused with 400"""
    allowedModels: Optional[List[str]]
    """The models that may be used: names, or prefixes that end in `*`. Null allows all models, `[]` allows none"""
    allowedTools: Optional[List[str]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""
    status: Literal['active', 'revoked', 'expired']
    hint: str
    """The last four characters of the key’s value"""
    metadata: Dict[str, str]
    """Key-value pairs of your choice"""
    createdAt: str
    createdBy: str
    """The id of the key that created this one, or `operator`"""
    expiresAt: Optional[str]
    """When the key expires. It is refused from then on"""
    lastUsedAt: Optional[str]
    """When the key was last used, to within a few seconds"""
    revokedAt: Optional[str]
    """When the key was revoked. Null for a key that is not revoked"""
    key: str
    """The value of the key. Returned only in this response and not stored"""


class UpdateKey(TypedDict):
    name: NotRequired[str]
    """A name that says what the key is for"""
    role: NotRequired[Literal['member', 'auditor', 'manager']]
    """A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data"""
    userId: NotRequired[Optional[str]]
    """The user who owns the key. An unknown user id creates that member"""
    teamId: NotRequired[Optional[str]]
    """The team that the key spends for"""
    rpmLimit: NotRequired[Optional[int]]
    """The maximum number of requests in any rolling minute. Null means no limit"""
    tpmLimit: NotRequired[Optional[int]]
    """The maximum number of tokens in any rolling minute. Null means no limit. A single call that can use more than the limit is refused with 400"""
    allowedModels: NotRequired[Optional[List[str]]]
    """The models that may be used: names, or prefixes that end in `*`. Null allows all models, `[]` allows none"""
    allowedTools: NotRequired[Optional[List[str]]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""
    expiresAt: NotRequired[Optional[str]]
    """When the key expires: a time in the future. Null means never"""
    metadata: NotRequired[Dict[str, str]]
    """Key-value pairs of your choice"""


class UpdateLimits(TypedDict):
    rpmLimit: NotRequired[Optional[int]]
    """The maximum number of requests in any rolling minute. Null means no limit"""
    tpmLimit: NotRequired[Optional[int]]
    """The maximum number of tokens in any rolling minute. Null means no limit. A single call that can use more than the limit is refused with 400"""


class KeyLimits(TypedDict):
    id: str
    rpmLimit: Optional[int]
    """The maximum number of requests in any rolling minute. Null means no limit"""
    tpmLimit: Optional[int]
    """The maximum number of tokens in any rolling minute. Null means no limit. A single call that can use more than the limit is refused with 400"""


class PolicyHits(TypedDict):
    days: List[str]
    """The start of each of the seven days, oldest first"""
    to: str
    policies: List['PolicyHitsPoliciesItem']
    """The policies that acted on at least one call. A policy that is not listed acted on none"""


class PolicyHitsPoliciesItem(TypedDict):
    policyId: str
    calls: List[int]
    """The number of calls on each day"""


class WindowStanding(TypedDict):
    limit: int
    """The maximum in any rolling minute"""
    used: int
    """The amount used in the last minute, at most the limit"""
    remaining: int
    resetMs: int
    """Milliseconds until the whole limit is available again, if no other call is admitted"""


class MoneyStanding(TypedDict):
    type: Literal['budget', 'pool', 'cap']
    """The kind of limit: a blocking budget, the pool of a team, or the cap of a user"""
    id: str
    """The id of the budget, the team or the user"""
    name: str
    scope: 'MoneyStandingScope'
    limitUsd: float
    """The limit in USD, including amounts granted for this period"""
    spentUsd: float
    reservedUsd: float
    """The amount in USD that is reserved by calls in progress"""
    remainingUsd: float
    resetsAt: Optional[str]
    """When the next period begins. Null if there is no next period"""


class MoneyStandingScope(TypedDict):
    type: str
    id: str


class KeyStanding(TypedDict):
    keyId: str
    at: str
    usable: bool
    """True if the key is active and its owner is not suspended. Limits are reported in either case"""
    requests: Optional['WindowStanding']
    """Null if the key has no such limit"""
    tokens: Optional['WindowStanding']
    """Null if the key has no such limit"""
    money: List['MoneyStanding']
    """Every spending limit that applies to the calls of this key, least remaining first. Further limits can apply to calls with their own tags or session"""


class PromptVersion(TypedDict):
    id: str
    promptId: str
    version: int
    content: str
    createdAt: str


class PromptVersionPage(TypedDict):
    data: List['PromptVersion']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class AppendPromptVersion(TypedDict):
    promptId: str
    content: str
    """The text of the prompt, up to 256 KiB of UTF-8. `{{name}}` marks a variable"""


class ResolvedLabel(TypedDict):
    promptId: str
    versionId: str
    version: int
    content: str


class SetPromptLabel(TypedDict):
    promptId: str
    label: str
    """Any name except `latest`"""
    versionId: str


class Prompt(TypedDict):
    id: str
    name: str
    description: str
    """Empty if no description was given"""
    labels: Dict[str, 'PromptLabelsValue']
    """The version that each label points at. `latest` is not included, because it always points at the newest version"""
    createdAt: str


class PromptLabelsValue(TypedDict):
    versionId: str
    version: int


class CreatePrompt(TypedDict):
    name: str
    """A name that is unique in the tenant"""
    description: NotRequired[str]
    """What the prompt is for"""
    content: NotRequired[str]
    """The text of the prompt, up to 256 KiB of UTF-8. `{{name}}` marks a variable"""


class UpdatePrompt(TypedDict):
    name: NotRequired[str]
    """A name that is unique in the tenant"""
    description: NotRequired[str]
    """What the prompt is for"""


class ModelListConfig(TypedDict):
    models: List[str]
    """Names of models, or prefixes that end in `*`"""


class KeywordsConfig(TypedDict):
    words: List[str]
    """Words or phrases to find. Only whole words match: `ass` is not found in `class`"""
    caseSensitive: bool
    restore: NotRequired[bool]
    """Restore redacted text of the request where it occurs in the answer to the caller. Requires `action: redact` and the input phase"""


class PatternConfig(TypedDict):
    patterns: List['PatternConfigPatternsItem']
    restore: NotRequired[bool]
    """Restore redacted text of the request where it occurs in the answer to the caller. Requires `action: redact` and the input phase"""


class PatternConfigPatternsItem(TypedDict):
    name: str
    """A name for what the pattern finds. It is included in violations"""
    regex: str
    """A regular expression in RE2 syntax, which has no backreferences and no lookaround. Start it with `(?i)` to ignore case"""


class PiiConfig(TypedDict):
    entities: List[Literal['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address']]
    """The kinds of personal data to look for. Card numbers and IBANs must also have valid check digits"""
    restore: NotRequired[bool]
    """Restore redacted text of the request where it occurs in the answer to the caller. Requires `action: redact` and the input phase"""


class SecretsConfig(TypedDict):
    restore: NotRequired[bool]
    """Restore redacted text of the request where it occurs in the answer to the caller. Requires `action: redact` and the input phase"""


class LimitsConfig(TypedDict):
    maxInputTokens: NotRequired[int]
    """The maximum number of tokens in the whole request, as counted by this service"""
    maxOutputTokens: NotRequired[int]
    """The maximum number of output tokens that a request may ask for. A request without a maximum asks for as many as the model can produce"""
    maxMessages: NotRequired[int]
    """The maximum number of messages in the conversation"""


class ToolsConfig(TypedDict):
    allow: NotRequired[List[str]]
    """The only tools that are allowed. Every name of a tool must match the list. `*` matches any characters. An empty list allows no tools"""
    deny: NotRequired[List[str]]
    """Tools that are never allowed, even if `allow` includes them. Capitalization, full-width letters and invisible characters are ignored. `*` matches any characters"""


class ExpressionConfig(TypedDict):
    cel: str
    """A CEL expression. The policy matches calls for which it is true. It can use these variables:

    - `request.model` (string), `request.provider` (string), `request.dialect` (string), `request.stream` (bool), `request.inputTokens` (int), `request.maxOutputTokens` (int), `request.messages` (int), `request.tools` (list<string>), `request.tags` (map<string, string>), `request.session` (string)
    - `tool.name` (string), `tool.arguments` (map<string, string>)
    - `key.id` (string), `key.name` (string), `key.role` (string), `key.metadata` (map<string, string>)
    - `user.id` (string), `user.name` (string), `user.email` (string), `user.role` (string)
    - `team.id` (string), `team.name` (string)
    - `now` (timestamp)
    """


class HttpConfig(TypedDict):
    url: str
    """The URL of your guardrail service. The same rules apply as for webhook URLs"""
    timeoutMs: int
    onError: Literal['block', 'allow']
    """What to do if the service cannot be reached, is too slow, or returns 429 or 5xx. The call is always blocked if there is no verdict for another reason: another status, an invalid response, a text that is too long, or a failed request of more than 64 KiB"""


class Policy(TypedDict):
    id: str
    name: str
    """A name that is unique in the tenant"""
    description: str
    kind: Literal['model_allowlist', 'model_denylist', 'keywords', 'pattern', 'pii', 'secrets', 'limits', 'tools', 'expression', 'http']
    """- `model_allowlist`: Allows only these models
    - `model_denylist`: Refuses these models
    - `keywords`: Finds text that contains one of these words or phrases
    - `pattern`: Finds text that matches one of these regular expressions
    - `pii`: Finds text that contains personal data
    - `secrets`: Finds text that contains provider or cloud keys, private keys or tokens
    - `limits`: Matches requests that are larger than these limits
    - `tools`: Restricts the tools that the model may be given and may call
    - `expression`: Matches calls for which a CEL expression is true
    - `http`: Asks your own guardrail service
    """
    config: Union['ModelListConfig', 'KeywordsConfig', 'PatternConfig', 'PiiConfig', 'SecretsConfig', 'LimitsConfig', 'ToolsConfig', 'ExpressionConfig', 'HttpConfig']
    """The configuration, as the kind defines it, with all defaults filled in"""
    scope: 'PolicyScope'
    """Whose calls the policy applies to"""
    phase: Literal['input', 'output', 'both']
    """Whether the policy checks the request, the answer, or both"""
    action: Literal['block', 'redact', 'flag']
    """What to do on a match: refuse the call, redact the text that was found, or only record it. Only kinds that find text support `redact`"""
    enabled: bool
    version: int
    """The version of the policy. It starts at 1 and increases by one with every change, including a change of the name"""
    secretStatus: NotRequired[Literal['ok', 'undecryptable']]
    """For an `http` policy: the state of its secret. `undecryptable` means that the service does not have the master key that the secret is encrypted with. The guardrail service is then not called, and everything that the policy applies to is refused. Rotate the secret to fix this"""
    createdAt: str
    updatedAt: str


class PolicyScope(TypedDict):
    """Whose calls the policy applies to"""

    type: Literal['tenant', 'team', 'user', 'key']
    id: str


class PolicyPage(TypedDict):
    data: List['Policy']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreatePolicy(TypedDict):
    name: str
    """A name that is unique in the tenant"""
    kind: Literal['model_allowlist', 'model_denylist', 'keywords', 'pattern', 'pii', 'secrets', 'limits', 'tools', 'expression', 'http']
    """- `model_allowlist`: Allows only these models
    - `model_denylist`: Refuses these models
    - `keywords`: Finds text that contains one of these words or phrases
    - `pattern`: Finds text that matches one of these regular expressions
    - `pii`: Finds text that contains personal data
    - `secrets`: Finds text that contains provider or cloud keys, private keys or tokens
    - `limits`: Matches requests that are larger than these limits
    - `tools`: Restricts the tools that the model may be given and may call
    - `expression`: Matches calls for which a CEL expression is true
    - `http`: Asks your own guardrail service
    """
    description: NotRequired[str]
    config: NotRequired[Dict[str, Any]]
    """The configuration, as defined by the kind. It is always replaced as a whole"""
    scope: NotRequired['CreatePolicyScope']
    """Whose calls the policy applies to. Defaults to the whole tenant"""
    phase: NotRequired[Literal['input', 'output', 'both']]
    """Whether the policy checks the request, the answer, or both"""
    action: NotRequired[Literal['block', 'redact', 'flag']]
    """What to do on a match: refuse the call, redact the text that was found, or only record it. Only kinds that find text support `redact`"""
    enabled: NotRequired[bool]


class CreatePolicyScope(TypedDict):
    """Whose calls the policy applies to. Defaults to the whole tenant"""

    type: Literal['tenant', 'team', 'user', 'key']
    id: NotRequired[str]
    """The id of the team, user or key. Omit it for `tenant`"""


class CreatedPolicy(TypedDict):
    id: str
    name: str
    """A name that is unique in the tenant"""
    description: str
    kind: Literal['model_allowlist', 'model_denylist', 'keywords', 'pattern', 'pii', 'secrets', 'limits', 'tools', 'expression', 'http']
    """- `model_allowlist`: Allows only these models
    - `model_denylist`: Refuses these models
    - `keywords`: Finds text that contains one of these words or phrases
    - `pattern`: Finds text that matches one of these regular expressions
    - `pii`: Finds text that contains personal data
    - `secrets`: Finds text that contains provider or cloud keys, private keys or tokens
    - `limits`: Matches requests that are larger than these limits
    - `tools`: Restricts the tools that the model may be given and may call
    - `expression`: Matches calls for which a CEL expression is true
    - `http`: Asks your own guardrail service
    """
    config: Union['ModelListConfig', 'KeywordsConfig', 'PatternConfig', 'PiiConfig', 'SecretsConfig', 'LimitsConfig', 'ToolsConfig', 'ExpressionConfig', 'HttpConfig']
    """The configuration, as the kind defines it, with all defaults filled in"""
    scope: 'CreatedPolicyScope'
    """Whose calls the policy applies to"""
    phase: Literal['input', 'output', 'both']
    """Whether the policy checks the request, the answer, or both"""
    action: Literal['block', 'redact', 'flag']
    """What to do on a match: refuse the call, redact the text that was found, or only record it. Only kinds that find text support `redact`"""
    enabled: bool
    version: int
    """The version of the policy. It starts at 1 and increases by one with every change, including a change of the name"""
    secretStatus: NotRequired[Literal['ok', 'undecryptable']]
    """For an `http` policy: the state of its secret. `undecryptable` means that the service does not have the master key that the secret is encrypted with. The guardrail service is then not called, and everything that the policy applies to is refused. Rotate the secret to fix this"""
    createdAt: str
    updatedAt: str
    secret: NotRequired[str]
    """For an `http` policy: the secret that signs requests to the guardrail service. Returned only in this response. If you lose it, rotate it"""


class CreatedPolicyScope(TypedDict):
    """Whose calls the policy applies to"""

    type: Literal['tenant', 'team', 'user', 'key']
    id: str


class UpdatePolicy(TypedDict):
    name: NotRequired[str]
    """A name that is unique in the tenant"""
    description: NotRequired[str]
    config: NotRequired[Dict[str, Any]]
    """The configuration, as defined by the kind. It is always replaced as a whole"""
    scope: NotRequired['UpdatePolicyScope']
    """Whose calls the policy applies to. Defaults to the whole tenant"""
    phase: NotRequired[Literal['input', 'output', 'both']]
    """Whether the policy checks the request, the answer, or both"""
    action: NotRequired[Literal['block', 'redact', 'flag']]
    """What to do on a match: refuse the call, redact the text that was found, or only record it. Only kinds that find text support `redact`"""
    enabled: NotRequired[bool]


class UpdatePolicyScope(TypedDict):
    """Whose calls the policy applies to. Defaults to the whole tenant"""

    type: Literal['tenant', 'team', 'user', 'key']
    id: NotRequired[str]
    """The id of the team, user or key. Omit it for `tenant`"""


class PolicyTrial(TypedDict):
    model: str
    messages: List[Dict[str, Any]]
    """Messages as in a chat completion: those of the request or, for `output`, the model’s answer"""
    tools: NotRequired[List[Dict[str, Any]]]
    """The tools that the request offers"""
    maxOutputTokens: NotRequired[int]
    stream: NotRequired[bool]
    keyId: NotRequired[str]
    """The key that would make the call. Defaults to your own key"""
    tags: NotRequired[Dict[str, str]]
    """The tags of the call, in addition to the metadata of the key"""
    session: NotRequired[str]
    phase: NotRequired[Literal['input', 'output']]


class PolicyTrialResult(TypedDict):
    outcome: Literal['ok', 'redacted', 'blocked']
    """The outcome, as in a receipt"""
    error: Optional['PolicyTrialResultError']
    """The error that the caller would get. Null unless the call would be blocked"""
    checks: List['PolicyTrialResultChecksItem']
    """Every check of the call, as in a receipt"""
    findings: List['PolicyTrialResultFindingsItem']
    """The text that policies found, and where. A policy that blocks or flags checks no further texts after the first one with a finding"""
    messages: List[Dict[str, Any]]
    """The messages after redaction: those that would be sent to the provider or, for `output`, returned to the caller"""


class PolicyTrialResultError(TypedDict):
    type: str
    message: str
    code: int
    policy_id: NotRequired[str]
    check: NotRequired[str]


class PolicyTrialResultChecksItem(TypedDict):
    name: str
    applicable: bool
    result: Literal['pass', 'fail', 'error', 'skip']
    action: NotRequired[str]
    policy: NotRequired[str]
    """The id and version of the policy"""


class PolicyTrialResultFindingsItem(TypedDict):
    policy: str
    """The id and version of the policy, or `draft` for a draft"""
    entity: str
    """What the text was recognised as"""
    path: Optional[str]
    """The path of the string in the trial that contains the text. Null if the string is not part of the trial"""
    start: int
    """The start of the text in that string, in UTF-16 code units"""
    end: int
    """The end, exclusive"""
    replacement: Optional[str]
    """The text that replaces it. Null unless it is redacted"""


class PolicyDraftTrial(TypedDict):
    model: str
    messages: List[Dict[str, Any]]
    """Messages as in a chat completion: those of the request or, for `output`, the model’s answer"""
    tools: NotRequired[List[Dict[str, Any]]]
    """The tools that the request offers"""
    maxOutputTokens: NotRequired[int]
    stream: NotRequired[bool]
    keyId: NotRequired[str]
    """The key that would make the call. Defaults to your own key"""
    tags: NotRequired[Dict[str, str]]
    """The tags of the call, in addition to the metadata of the key"""
    session: NotRequired[str]
    phase: NotRequired[Literal['input', 'output']]
    draft: 'PolicyDraftTrialDraft'
    """The policy as it would be saved. Its scope is ignored: the draft always applies to this call"""
    alone: NotRequired[bool]
    """Evaluate only the draft, without the policies that are in force"""


class PolicyDraftTrialDraft(TypedDict):
    """The policy as it would be saved. Its scope is ignored: the draft always applies to this call"""

    id: NotRequired[str]
    """The policy that the draft replaces. Omit it for a new policy"""
    name: NotRequired[str]
    """A name that is unique in the tenant"""
    kind: Literal['model_allowlist', 'model_denylist', 'keywords', 'pattern', 'pii', 'secrets', 'limits', 'tools', 'expression', 'http']
    """- `model_allowlist`: Allows only these models
    - `model_denylist`: Refuses these models
    - `keywords`: Finds text that contains one of these words or phrases
    - `pattern`: Finds text that matches one of these regular expressions
    - `pii`: Finds text that contains personal data
    - `secrets`: Finds text that contains provider or cloud keys, private keys or tokens
    - `limits`: Matches requests that are larger than these limits
    - `tools`: Restricts the tools that the model may be given and may call
    - `expression`: Matches calls for which a CEL expression is true
    - `http`: Asks your own guardrail service
    """
    config: NotRequired[Dict[str, Any]]
    """The configuration, as defined by the kind. It is always replaced as a whole"""
    phase: NotRequired[Literal['input', 'output', 'both']]
    """Whether the policy checks the request, the answer, or both"""
    action: NotRequired[Literal['block', 'redact', 'flag']]
    """What to do on a match: refuse the call, redact the text that was found, or only record it. Only kinds that find text support `redact`"""


class PolicyWithSecret(TypedDict):
    id: str
    name: str
    """A name that is unique in the tenant"""
    description: str
    kind: Literal['model_allowlist', 'model_denylist', 'keywords', 'pattern', 'pii', 'secrets', 'limits', 'tools', 'expression', 'http']
    """- `model_allowlist`: Allows only these models
    - `model_denylist`: Refuses these models
    - `keywords`: Finds text that contains one of these words or phrases
    - `pattern`: Finds text that matches one of these regular expressions
    - `pii`: Finds text that contains personal data
    - `secrets`: Finds text that contains provider or cloud keys, private keys or tokens
    - `limits`: Matches requests that are larger than these limits
    - `tools`: Restricts the tools that the model may be given and may call
    - `expression`: Matches calls for which a CEL expression is true
    - `http`: Asks your own guardrail service
    """
    config: Union['ModelListConfig', 'KeywordsConfig', 'PatternConfig', 'PiiConfig', 'SecretsConfig', 'LimitsConfig', 'ToolsConfig', 'ExpressionConfig', 'HttpConfig']
    """The configuration, as the kind defines it, with all defaults filled in"""
    scope: 'PolicyWithSecretScope'
    """Whose calls the policy applies to"""
    phase: Literal['input', 'output', 'both']
    """Whether the policy checks the request, the answer, or both"""
    action: Literal['block', 'redact', 'flag']
    """What to do on a match: refuse the call, redact the text that was found, or only record it. Only kinds that find text support `redact`"""
    enabled: bool
    version: int
    """The version of the policy. It starts at 1 and increases by one with every change, including a change of the name"""
    secretStatus: NotRequired[Literal['ok', 'undecryptable']]
    """For an `http` policy: the state of its secret. `undecryptable` means that the service does not have the master key that the secret is encrypted with. The guardrail service is then not called, and everything that the policy applies to is refused. Rotate the secret to fix this"""
    createdAt: str
    updatedAt: str
    secret: str
    """The secret that signs requests from now on. Returned only in this response"""


class PolicyWithSecretScope(TypedDict):
    """Whose calls the policy applies to"""

    type: Literal['tenant', 'team', 'user', 'key']
    id: str


class Budget(TypedDict):
    id: str
    name: str
    scope: 'BudgetScope'
    leading: NotRequired[Optional[str]]
    """For a budget that applies to each session or to each value of a tag: the session or value that has spent the most. The figures of the budget are those of this session or value. Null before anything is spent, and for members, who cannot see the calls of others"""
    amountUsd: float
    """The maximum spend per period, in USD"""
    grantedUsd: float
    """The amount in USD that approved requests have added for the current period"""
    period: Literal['daily', 'weekly', 'monthly', 'total']
    """The period of the budget, as a calendar period in UTC. Weeks start on Monday. `total` never ends"""
    thresholdPct: int
    """The percentage of the amount at which an alert is sent"""
    action: Literal['block', 'alert']
    """`block` refuses calls that would exceed the budget. `alert` only sends an alert"""
    spentUsd: float
    """The amount in USD spent in the current period: the sum of its receipts"""
    reservedUsd: float
    """The amount in USD that is reserved by calls in progress"""
    remainingUsd: float
    """The amount in USD that is left, never below 0"""
    forecastUsd: Optional[float]
    """The expected spend in USD at the end of the period if no limit stops it: the spend so far plus, for each remaining day, the mean of the same weekday in the previous four weeks. Null for `total`, and with less than a week of spend"""
    periodStart: str
    periodEnd: Optional[str]
    """When the current period ends. Null for `total`"""
    createdAt: str
    updatedAt: str


class BudgetScope(TypedDict):
    type: Literal['tenant', 'team', 'user', 'key', 'tag', 'session']
    id: str


class BudgetPage(TypedDict):
    data: List['Budget']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreateBudget(TypedDict):
    name: str
    scope: NotRequired['CreateBudgetScope']
    """Whose calls the budget applies to. Defaults to the whole tenant"""
    amountUsd: float
    """The maximum spend per period, in USD"""
    period: NotRequired[Literal['daily', 'weekly', 'monthly', 'total']]
    """The period of the budget, as a calendar period in UTC. Weeks start on Monday. `total` never ends"""
    thresholdPct: NotRequired[int]
    """The percentage of the amount at which an alert is sent"""
    action: NotRequired[Literal['block', 'alert']]
    """`block` refuses calls that would exceed the budget. `alert` only sends an alert"""


class CreateBudgetScope(TypedDict):
    """Whose calls the budget applies to. Defaults to the whole tenant"""

    type: Literal['tenant', 'team', 'user', 'key', 'tag', 'session']
    id: NotRequired[str]
    """The id of what the budget applies to. Omit it for `tenant`. For a tag, send `name=value`, or `name=*` to give each value of the tag its own amount. For a session, `*` gives each session its own amount, such as a limit for every run of an agent"""


class UpdateBudget(TypedDict):
    name: NotRequired[str]
    amountUsd: NotRequired[float]
    """The maximum spend per period, in USD"""
    period: NotRequired[Literal['daily', 'weekly', 'monthly', 'total']]
    """The period of the budget, as a calendar period in UTC. Weeks start on Monday. `total` never ends"""
    thresholdPct: NotRequired[int]
    """The percentage of the amount at which an alert is sent"""
    action: NotRequired[Literal['block', 'alert']]
    """`block` refuses calls that would exceed the budget. `alert` only sends an alert"""


class BudgetRequest(TypedDict):
    id: str
    budgetId: str
    amountUsd: float
    """The requested amount in USD"""
    grantedUsd: Optional[float]
    """Null unless the request was approved"""
    reason: str
    status: Literal['pending', 'approved', 'denied']
    requestedBy: 'BudgetRequestRequestedBy'
    decidedBy: Optional['BudgetRequestDecidedBy']
    """Null while the request is pending"""
    decidedAt: Optional[str]
    """Null while the request is pending"""
    note: Optional[str]
    """A note from the manager"""
    createdAt: str


class BudgetRequestRequestedBy(TypedDict):
    keyId: Optional[str]
    """The key that filed the request. Null for a person who signed in without a key"""
    userId: Optional[str]
    """The user who owns the key"""


class BudgetRequestDecidedBy(TypedDict):
    keyId: Optional[str]
    """The key that filed the request. Null for a person who signed in without a key"""
    userId: Optional[str]
    """The user who owns the key"""


class BudgetRequestPage(TypedDict):
    data: List['BudgetRequest']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreateBudgetRequest(TypedDict):
    budgetId: str
    amountUsd: float
    """The requested amount in USD, greater than 0"""
    reason: str


class ApproveBudgetRequest(TypedDict):
    amountUsd: NotRequired[float]
    """The amount to grant in USD, at most the requested amount. Defaults to the requested amount"""
    note: NotRequired[str]


class Team(TypedDict):
    id: str
    tenantId: str
    name: str
    budgetPoolUsd: float
    """The maximum spend in USD of all keys of the team together, per calendar month"""
    allowedTools: Optional[List[str]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""
    createdAt: str
    updatedAt: str


class CreateTeam(TypedDict):
    name: str
    budgetPoolUsd: float
    """The maximum spend in USD of all keys of the team together, per calendar month"""
    allowedTools: NotRequired[Optional[List[str]]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""


class UpdateTeam(TypedDict):
    name: NotRequired[str]
    budgetPoolUsd: NotRequired[float]
    """The maximum spend in USD of all keys of the team together, per calendar month"""
    allowedTools: NotRequired[Optional[List[str]]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""


class Member(TypedDict):
    userId: str
    name: Optional[str]
    """The display name of the user"""
    email: Optional[str]
    """The email address of the user"""
    teamId: Optional[str]
    """The team of the user. A user belongs to at most one team"""
    role: Literal['member', 'auditor', 'manager']
    """A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data"""
    status: Literal['active', 'suspended']
    createdAt: str


class MemberPage(TypedDict):
    data: List['Member']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreateMember(TypedDict):
    userId: str
    name: NotRequired[Optional[str]]
    """The display name of the user"""
    email: NotRequired[Optional[str]]
    """The email address of the user"""
    teamId: NotRequired[Optional[str]]
    """The team of the user. A user belongs to at most one team. Null means no team"""
    role: NotRequired[Literal['member', 'auditor', 'manager']]
    """A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data"""


class UpdateMember(TypedDict):
    name: NotRequired[Optional[str]]
    """The display name of the user"""
    email: NotRequired[Optional[str]]
    """The email address of the user"""
    teamId: NotRequired[Optional[str]]
    """The team of the user. A user belongs to at most one team. Null means no team"""


class UpdateRole(TypedDict):
    role: Literal['member', 'auditor', 'manager']
    """A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data"""


class UserLimit(TypedDict):
    userId: str
    allowedModels: Optional[List[str]]
    """The models that may be used: names, or prefixes that end in `*`. Null allows all models, `[]` allows none"""
    allowedTools: Optional[List[str]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""
    budgetCapUsd: Optional[float]
    """The maximum spend in USD of all keys of the user together, per calendar month. Null means no cap"""
    status: Literal['active', 'suspended']
    spentUsd: float
    """The amount in USD that all keys of the user have spent in the current month"""
    periodStart: str
    periodEnd: str
    updatedAt: str


class UserLimitPage(TypedDict):
    data: List['UserLimit']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class UpdateUserLimit(TypedDict):
    allowedModels: NotRequired[Optional[List[str]]]
    """The models that may be used: names, or prefixes that end in `*`. Null allows all models, `[]` allows none"""
    allowedTools: NotRequired[Optional[List[str]]]
    """The tools of MCP servers that may be called, as `server__tool`; `*` matches any characters. Null means that there is no list: the tools of open servers can be called, and those that a policy or another allowlist names. `[]` allows no tools. A pattern that cannot match any tool, such as `github/*`, is refused"""
    budgetCapUsd: NotRequired[Optional[float]]
    """The maximum spend in USD of all keys of the user together, per calendar month. Null means no cap"""
    status: NotRequired[Literal['active', 'suspended']]


class RouteTarget(TypedDict):
    model: str
    """A model from `GET /v1/catalogue`. A route is not allowed"""
    weight: int
    """For `weighted`: the share of calls, relative to the other targets"""
    dialect: NotRequired[str]
    """Use the target only for calls to this endpoint, such as `chat` or `messages`. Without it, the target serves every endpoint that its provider supports"""
    state: Literal['ok', 'cooldown', 'missing']
    """`cooldown` means that the target failed often and is not used for a while. `missing` means that the model no longer exists and the target is skipped"""
    until: Optional[str]
    """When the cooldown ends. Null without a cooldown"""
    lastError: Optional[str]
    """Why the target last failed, as seen by this replica. Null if it did not fail"""


class Route(TypedDict):
    id: str
    name: str
    """The name that callers send as `model`. A route takes precedence over a model with the same name"""
    strategy: Literal['priority', 'weighted', 'fastest']
    """How a target is chosen. `priority` tries the targets in the order of the list. `weighted` chooses at random, in proportion to the weights. `fastest` prefers the target with the shortest recent time to the first byte"""
    targets: List['RouteTarget']
    retry: 'RouteRetry'
    timeoutMs: Optional[int]
    """The timeout of all attempts together, in milliseconds. Null means that only the timeouts of the providers apply"""
    stickyBy: Literal['none', 'session', 'user']
    """Whose calls stay with the same target while it is available"""
    cache: Optional['RouteCache']
    """The response cache: how long, and for whom, the same request returns the same answer. Null turns the cache off"""
    enabled: bool
    """While false, calls to the route are refused"""
    createdAt: str
    updatedAt: str


class RouteRetry(TypedDict):
    attempts: int
    """The number of further attempts after the first"""
    on: List[Literal['connect', 'timeout', '429', '5xx']]
    """The failures after which another attempt is made"""


class RouteCache(TypedDict):
    ttlSeconds: int
    scope: Literal['key', 'team', 'tenant']
    """Who can get a cached answer"""


class RoutePage(TypedDict):
    data: List['Route']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class NewRouteTarget(TypedDict):
    model: str
    """A model from `GET /v1/catalogue`. A route is not allowed"""
    weight: NotRequired[int]
    """For `weighted`: the share of calls, relative to the other targets"""
    dialect: NotRequired[str]
    """Use the target only for calls to this endpoint, such as `chat` or `messages`. Without it, the target serves every endpoint that its provider supports"""


class CreateRoute(TypedDict):
    name: str
    """The name that callers send as `model`. A route takes precedence over a model with the same name"""
    strategy: NotRequired[Literal['priority', 'weighted', 'fastest']]
    """How a target is chosen. `priority` tries the targets in the order of the list. `weighted` chooses at random, in proportion to the weights. `fastest` prefers the target with the shortest recent time to the first byte"""
    targets: List['NewRouteTarget']
    retry: NotRequired['CreateRouteRetry']
    timeoutMs: NotRequired[Optional[int]]
    """The timeout of all attempts together, in milliseconds. Null means that only the timeouts of the providers apply"""
    stickyBy: NotRequired[Literal['none', 'session', 'user']]
    """Whose calls stay with the same target while it is available"""
    cache: NotRequired[Optional['CreateRouteCache']]
    """The response cache: how long, and for whom, the same request returns the same answer. Null turns the cache off"""
    enabled: NotRequired[bool]
    """While false, calls to the route are refused"""


class CreateRouteRetry(TypedDict):
    attempts: int
    """The number of further attempts after the first"""
    on: List[Literal['connect', 'timeout', '429', '5xx']]
    """The failures after which another attempt is made"""


class CreateRouteCache(TypedDict):
    ttlSeconds: int
    scope: Literal['key', 'team', 'tenant']
    """Who can get a cached answer"""


class UpdateRoute(TypedDict):
    name: NotRequired[str]
    """The name that callers send as `model`. A route takes precedence over a model with the same name"""
    strategy: NotRequired[Literal['priority', 'weighted', 'fastest']]
    """How a target is chosen. `priority` tries the targets in the order of the list. `weighted` chooses at random, in proportion to the weights. `fastest` prefers the target with the shortest recent time to the first byte"""
    targets: NotRequired[List['NewRouteTarget']]
    retry: NotRequired['UpdateRouteRetry']
    timeoutMs: NotRequired[Optional[int]]
    """The timeout of all attempts together, in milliseconds. Null means that only the timeouts of the providers apply"""
    stickyBy: NotRequired[Literal['none', 'session', 'user']]
    """Whose calls stay with the same target while it is available"""
    cache: NotRequired[Optional['UpdateRouteCache']]
    """The response cache: how long, and for whom, the same request returns the same answer. Null turns the cache off"""
    enabled: NotRequired[bool]
    """While false, calls to the route are refused"""


class UpdateRouteRetry(TypedDict):
    attempts: int
    """The number of further attempts after the first"""
    on: List[Literal['connect', 'timeout', '429', '5xx']]
    """The failures after which another attempt is made"""


class UpdateRouteCache(TypedDict):
    ttlSeconds: int
    scope: Literal['key', 'team', 'tenant']
    """Who can get a cached answer"""


class ProviderCredential(TypedDict):
    id: str
    name: str
    hint: str
    """The last four characters of the value. Empty if the value is short"""
    status: Literal['active', 'resting', 'undecryptable']
    """`resting` means that the provider refused the credential or that it is over its rate limit, so it is not used for a while. `undecryptable` means that the service does not have the master key that the credential is encrypted with, so it is not used"""
    weight: int
    """The share of calls that use this credential, relative to the weights of the others"""
    createdAt: Optional[str]
    """Null for an object from the configuration"""
    lastError: Optional['ProviderCredentialLastError']
    """The last refusal that the responding replica has seen. Null if the credential was never refused"""


class ProviderCredentialLastError(TypedDict):
    status: int
    """The status code that the provider returned"""
    message: str
    """The reason. It never contains text from the provider"""
    at: str


class Provider(TypedDict):
    id: str
    name: str
    type: str
    baseUrl: str
    """The base URL of the provider. Empty for `mock`, which is built in"""
    headers: List['ProviderHeadersItem']
    """Headers that are sent with every call"""
    dialects: List[str]
    """The endpoints that the provider supports"""
    timeouts: 'ProviderTimeouts'
    limits: 'ProviderLimits'
    options: Dict[str, str]
    auth: Literal['own', 'caller']
    """How calls to the provider are authenticated. `own` uses the credentials of this provider. `caller` forwards the caller’s own `Authorization` header; the caller then sends the virtual key as `X-Tallystick-Key`"""
    references: Literal['issued', 'any']
    """Which ids of stored objects (responses, conversations, files, containers, vector stores) calls may refer to. `issued` allows ids that an answer gave to the same user, key or team. `any` also allows ids of objects created elsewhere, but refuses ids that were issued to somebody else. With `auth: caller`, every id is allowed"""
    pricesOf: str
    """The catalogue provider whose list prices apply"""
    enabled: bool
    """While false, the provider’s models cannot be called"""
    secretStatus: Literal['ok', 'undecryptable']
    """`undecryptable` means that the headers cannot be decrypted, so the provider is not called. Set `headers` again to fix this"""
    source: Literal['api', 'config']
    """`config` means that the provider comes from the operator’s file or environment, or is the `mock` of a local trial. The API cannot change it"""
    credentials: List['ProviderCredential']
    createdAt: Optional[str]
    """Null for an object from the configuration"""
    updatedAt: Optional[str]
    """Null for an object from the configuration"""


class ProviderHeadersItem(TypedDict):
    name: str
    hint: str
    """The last four characters of the value. Empty if the value is short"""


class ProviderTimeouts(TypedDict):
    connectMs: int
    firstByteMs: int
    idleMs: int
    totalMs: int
    hangUpGraceMs: int


class ProviderLimits(TypedDict):
    maxStreamBytes: int
    maxAnswerBytes: int


class ProviderPage(TypedDict):
    data: List['Provider']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreateProviderCredential(TypedDict):
    name: str
    """A name that is unique for this provider"""
    value: str
    """The API key, or whatever credential this type of provider uses. It is stored encrypted and never returned"""
    weight: NotRequired[int]
    """The share of calls that use this credential, relative to the weights of the others"""


class CreateProvider(TypedDict):
    name: str
    """The part of `provider/model` before the slash. It cannot be changed"""
    type: str
    """The vendor of the provider, or the vendor that it is compatible with, such as `openai` or `anthropic`. An unknown type is refused with a list of the known ones"""
    baseUrl: NotRequired[Optional[str]]
    """The base URL of the provider. Null means the default of the type"""
    headers: NotRequired[Dict[str, str]]
    """Headers that are sent with every call, by lower-case name. Write-only, because they can contain secrets"""
    dialects: NotRequired[Optional[List[str]]]
    """The endpoints that the provider supports. Null means the default of the type"""
    timeouts: NotRequired['CreateProviderTimeouts']
    """Timeouts in milliseconds. Omitted timeouts have the defaults that the configuration guide lists"""
    limits: NotRequired['CreateProviderLimits']
    """Maximum sizes in bytes of a streamed answer and of any other answer. A larger answer ends with an error. Omitted limits have the defaults that the configuration guide lists"""
    options: NotRequired[Dict[str, str]]
    """Options of the type, such as a region or an API version"""
    auth: NotRequired[Literal['own', 'caller']]
    """How calls to the provider are authenticated. `own` uses the credentials of this provider. `caller` forwards the caller’s own `Authorization` header; the caller then sends the virtual key as `X-Tallystick-Key`"""
    references: NotRequired[Literal['issued', 'any']]
    """Which ids of stored objects (responses, conversations, files, containers, vector stores) calls may refer to. `issued` allows ids that an answer gave to the same user, key or team. `any` also allows ids of objects created elsewhere, but refuses ids that were issued to somebody else. With `auth: caller`, every id is allowed"""
    pricesOf: NotRequired[Optional[str]]
    """The catalogue provider whose list prices apply. Null means the provider’s own name"""
    enabled: NotRequired[bool]
    """While false, the provider’s models cannot be called"""
    credentials: NotRequired[List['CreateProviderCredential']]


class CreateProviderTimeouts(TypedDict):
    """Timeouts in milliseconds. Omitted timeouts have the defaults that the configuration guide lists"""

    connectMs: NotRequired[int]
    firstByteMs: NotRequired[int]
    idleMs: NotRequired[int]
    totalMs: NotRequired[int]
    hangUpGraceMs: NotRequired[int]


class CreateProviderLimits(TypedDict):
    """Maximum sizes in bytes of a streamed answer and of any other answer. A larger answer ends with an error. Omitted limits have the defaults that the configuration guide lists"""

    maxStreamBytes: NotRequired[int]
    maxAnswerBytes: NotRequired[int]


class UpdateProvider(TypedDict):
    baseUrl: NotRequired[Optional[str]]
    """The base URL of the provider. Null means the default of the type"""
    headers: NotRequired[Dict[str, str]]
    """Headers that are sent with every call, by lower-case name. Write-only, because they can contain secrets"""
    dialects: NotRequired[Optional[List[str]]]
    """The endpoints that the provider supports. Null means the default of the type"""
    timeouts: NotRequired['UpdateProviderTimeouts']
    """Timeouts in milliseconds. Omitted timeouts have the defaults that the configuration guide lists"""
    limits: NotRequired['UpdateProviderLimits']
    """Maximum sizes in bytes of a streamed answer and of any other answer. A larger answer ends with an error. Omitted limits have the defaults that the configuration guide lists"""
    options: NotRequired[Dict[str, str]]
    """Options of the type, such as a region or an API version"""
    auth: NotRequired[Literal['own', 'caller']]
    """How calls to the provider are authenticated. `own` uses the credentials of this provider. `caller` forwards the caller’s own `Authorization` header; the caller then sends the virtual key as `X-Tallystick-Key`"""
    references: NotRequired[Literal['issued', 'any']]
    """Which ids of stored objects (responses, conversations, files, containers, vector stores) calls may refer to. `issued` allows ids that an answer gave to the same user, key or team. `any` also allows ids of objects created elsewhere, but refuses ids that were issued to somebody else. With `auth: caller`, every id is allowed"""
    pricesOf: NotRequired[Optional[str]]
    """The catalogue provider whose list prices apply. Null means the provider’s own name"""
    enabled: NotRequired[bool]
    """While false, the provider’s models cannot be called"""


class UpdateProviderTimeouts(TypedDict):
    """Timeouts in milliseconds. Omitted timeouts have the defaults that the configuration guide lists"""

    connectMs: NotRequired[int]
    firstByteMs: NotRequired[int]
    idleMs: NotRequired[int]
    totalMs: NotRequired[int]
    hangUpGraceMs: NotRequired[int]


class UpdateProviderLimits(TypedDict):
    """Maximum sizes in bytes of a streamed answer and of any other answer. A larger answer ends with an error. Omitted limits have the defaults that the configuration guide lists"""

    maxStreamBytes: NotRequired[int]
    maxAnswerBytes: NotRequired[int]


class ProviderTest(TypedDict):
    ok: bool
    latencyMs: int
    error: Optional[str]
    """What failed, with the returned status code. It never contains text from the provider"""


class McpServer(TypedDict):
    id: str
    """The id of the server. For a server from the configuration: `file:` followed by its name"""
    name: str
    """The part of `server__tool` before the first two underscores. It cannot be changed"""
    source: Literal['api', 'file']
    """`file` means that the server comes from the operator’s file. The API can approve and block its tools, but change nothing else"""
    transport: Literal['http', 'stdio']
    """`stdio` means that the service runs the server as a child process. Only the operator’s file can define such a server"""
    url: Optional[str]
    """The URL of the server. Null for `stdio`, and for members"""
    headers: List[str]
    """The names of the headers that are sent with every request. Not shown to members"""
    auth: 'McpServerAuth'
    connected: Optional[bool]
    """For `header` and `oauth`: whether the caller has stored a value or given consent. Null for the other types"""
    enabled: bool
    """While false, the tools of the server are neither listed nor callable"""
    open: bool
    """If true, callers without a list of allowed tools can call the tools of the server. If false, a tool can be called only if the list of the key, its user or its team, or a `tools` policy with `allow`, names it"""
    pinning: Literal['off', 'warn', 'block']
    """What happens to a tool whose definition is not the approved one. `block` means that it is neither listed nor callable. `warn` lists it, allows calls and reports it. `off` lists it and allows calls. A tool that a manager has blocked is never callable"""
    pricePerCallUsd: float
    """The price of each call, in USD"""
    rpmLimit: Optional[int]
    """The maximum number of requests to the server in any rolling minute, for all keys together. Null means no limit"""
    timeoutMs: int
    """The timeout of a call, in milliseconds"""
    maxResultBytes: int
    """The maximum size of a result, in bytes. A larger result fails the call"""
    resources: List[str]
    """URIs of the resources that may be read. `*` matches any characters. None by default"""
    prompts: List[str]
    """Names of the prompts that may be used. `*` matches any characters. None by default"""
    secretStatus: Literal['ok', 'undecryptable']
    """`undecryptable` means that the service does not have the master key that the headers or the client secret are encrypted with, so the server is not called. Set them again to fix this"""
    status: Literal['unknown', 'ok', 'failing', 'disabled']
    """The result of the last attempt to list the server’s tools. `unknown` means that there was no attempt yet"""
    statusMessage: Optional[str]
    """Why the server is failing, or which tools are left out. Null without a message"""
    protocolVersion: Optional[str]
    """The version of the Model Context Protocol that the server uses"""
    serverInfo: Optional['McpServerServerInfo']
    """The name and version that the server reports. Null until it has answered"""
    refreshedAt: Optional[str]
    """When the server last answered. Null if it never has"""
    tools: List['McpServerToolsItem']
    """The tools that the server lists, by name. Members see only tools that they may call"""
    toolCounts: 'McpServerToolCounts'
    """The number of tools in each state"""
    createdAt: Optional[str]
    """Null for an object from the configuration"""
    updatedAt: Optional[str]
    """Null for an object from the configuration"""


class McpServerAuth(TypedDict):
    type: Literal['none', 'header', 'oauth', 'passthrough']
    """How requests to the server identify the user. `none` sends only the headers of the server. `header` sends a header whose value each user stores. `oauth` sends a token that each user consents to once. `passthrough` forwards the caller’s own `Authorization` header; the caller then sends the virtual key as `X-Tallystick-Key`"""
    header: Optional[str]
    """For `header`: the name of the header"""
    clientId: Optional[str]
    """For `oauth`: the client id. Null for a client that registers itself, and for members"""
    scopes: List[str]
    hasClientSecret: bool


class McpServerServerInfo(TypedDict):
    name: Optional[str]
    """The name that the server reports"""
    version: Optional[str]
    """The version that the server reports"""


class McpServerToolsItem(TypedDict):
    name: str
    state: Literal['approved', 'changed', 'new', 'blocked']
    """`approved` means that the definition is the approved one. `changed` means that it has changed since the approval. `new` means that no definition was approved yet. `blocked` means that a manager has blocked the tool"""
    hash: str
    """The SHA-256 of the tool’s definition, in hex"""


class McpServerToolCounts(TypedDict):
    """The number of tools in each state"""

    approved: int
    changed: int
    new: int
    blocked: int


class McpServerPage(TypedDict):
    data: List['McpServer']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreateMcpServer(TypedDict):
    name: str
    """The part of `server__tool` before the first two underscores. It cannot be changed"""
    url: str
    """The URL of the server, which must use streamable HTTP. Unless the service is a local trial, it must be an HTTPS URL, and private, loopback and link-local addresses are refused"""
    headers: NotRequired[Dict[str, str]]
    """Headers that are sent with every request, by lower-case name. Write-only, because they can contain secrets"""
    auth: NotRequired['CreateMcpServerAuth']
    enabled: NotRequired[bool]
    """While false, the tools of the server are neither listed nor callable"""
    open: NotRequired[bool]
    """If true, callers without a list of allowed tools can call the tools of the server. If false, a tool can be called only if the list of the key, its user or its team, or a `tools` policy with `allow`, names it"""
    pinning: NotRequired[Literal['off', 'warn', 'block']]
    """What happens to a tool whose definition is not the approved one. `block` means that it is neither listed nor callable. `warn` lists it, allows calls and reports it. `off` lists it and allows calls. A tool that a manager has blocked is never callable"""
    pricePerCallUsd: NotRequired[float]
    """The price of each call, in USD"""
    rpmLimit: NotRequired[Optional[int]]
    """The maximum number of requests to the server in any rolling minute, for all keys together. Null means no limit"""
    timeoutMs: NotRequired[int]
    """The timeout of a call, in milliseconds"""
    maxResultBytes: NotRequired[int]
    """The maximum size of a result, in bytes. A larger result fails the call"""
    resources: NotRequired[List[str]]
    """URIs of the resources that may be read. `*` matches any characters. None by default"""
    prompts: NotRequired[List[str]]
    """Names of the prompts that may be used. `*` matches any characters. None by default"""


class CreateMcpServerAuth(TypedDict):
    type: Literal['none', 'header', 'oauth', 'passthrough']
    """How requests to the server identify the user. `none` sends only the headers of the server. `header` sends a header whose value each user stores. `oauth` sends a token that each user consents to once. `passthrough` forwards the caller’s own `Authorization` header; the caller then sends the virtual key as `X-Tallystick-Key`"""
    header: NotRequired[str]
    """For `header`: the name of the header, in lower case"""
    clientId: NotRequired[Optional[str]]
    """For `oauth`: the id of the client that was registered for this gateway. Null means that the gateway registers itself, if the server allows that"""
    scopes: NotRequired[List[str]]
    """For `oauth`: the scopes to request consent for. If empty, the default of the server applies"""
    clientSecret: NotRequired[Optional[str]]
    """For `oauth`: the client secret. It is stored encrypted and never returned. Omit it to keep the stored secret. Null removes the secret"""


class UpdateMcpServer(TypedDict):
    url: NotRequired[str]
    """The URL of the server, which must use streamable HTTP. Unless the service is a local trial, it must be an HTTPS URL, and private, loopback and link-local addresses are refused"""
    headers: NotRequired[Optional[Dict[str, str]]]
    """Headers that are sent with every request, by lower-case name. They replace all stored headers. Null removes all headers"""
    auth: NotRequired['UpdateMcpServerAuth']
    enabled: NotRequired[bool]
    """While false, the tools of the server are neither listed nor callable"""
    open: NotRequired[bool]
    """If true, callers without a list of allowed tools can call the tools of the server. If false, a tool can be called only if the list of the key, its user or its team, or a `tools` policy with `allow`, names it"""
    pinning: NotRequired[Literal['off', 'warn', 'block']]
    """What happens to a tool whose definition is not the approved one. `block` means that it is neither listed nor callable. `warn` lists it, allows calls and reports it. `off` lists it and allows calls. A tool that a manager has blocked is never callable"""
    pricePerCallUsd: NotRequired[float]
    """The price of each call, in USD"""
    rpmLimit: NotRequired[Optional[int]]
    """The maximum number of requests to the server in any rolling minute, for all keys together. Null means no limit"""
    timeoutMs: NotRequired[int]
    """The timeout of a call, in milliseconds"""
    maxResultBytes: NotRequired[int]
    """The maximum size of a result, in bytes. A larger result fails the call"""
    resources: NotRequired[List[str]]
    """URIs of the resources that may be read. `*` matches any characters. None by default"""
    prompts: NotRequired[List[str]]
    """Names of the prompts that may be used. `*` matches any characters. None by default"""


class UpdateMcpServerAuth(TypedDict):
    type: Literal['none', 'header', 'oauth', 'passthrough']
    """How requests to the server identify the user. `none` sends only the headers of the server. `header` sends a header whose value each user stores. `oauth` sends a token that each user consents to once. `passthrough` forwards the caller’s own `Authorization` header; the caller then sends the virtual key as `X-Tallystick-Key`"""
    header: NotRequired[str]
    """For `header`: the name of the header, in lower case"""
    clientId: NotRequired[Optional[str]]
    """For `oauth`: the id of the client that was registered for this gateway. Null means that the gateway registers itself, if the server allows that"""
    scopes: NotRequired[List[str]]
    """For `oauth`: the scopes to request consent for. If empty, the default of the server applies"""
    clientSecret: NotRequired[Optional[str]]
    """For `oauth`: the client secret. It is stored encrypted and never returned. Omit it to keep the stored secret. Null removes the secret"""


class McpCredential(TypedDict):
    type: Literal['none', 'header', 'oauth', 'passthrough']
    """What the server requires from each user: nothing, a value for a header, consent by OAuth, or an `Authorization` header with each call"""
    connected: bool
    """True if the service can call the server on your behalf"""
    expiresAt: Optional[str]
    """When you must connect again. Null if the service renews the credential, or if the expiry is unknown"""
    updatedAt: Optional[str]
    """When the credential was stored or renewed. Null if there is none"""


class SetMcpCredential(TypedDict):
    value: str
    """The full value of the header, such as `Bearer …`. It is stored encrypted and never returned"""


class McpConnection(TypedDict):
    url: str
    """The URL of the consent page. The user must open it in a browser within 15 minutes"""


class McpTool(TypedDict):
    name: str
    state: Literal['approved', 'changed', 'new', 'blocked']
    """`approved` means that the definition is the approved one. `changed` means that it has changed since the approval. `new` means that no definition was approved yet. `blocked` means that a manager has blocked the tool"""
    hash: str
    """The SHA-256 of the tool’s definition, in hex"""
    approvedHash: Optional[str]
    """The SHA-256 of the approved definition. Null for a tool without one"""
    definition: Dict[str, Any]
    """The definition of the tool as the server sent it, without `_meta`"""
    approved: Optional[Dict[str, Any]]
    """The definition that was last approved. Null if none was"""
    diff: List['McpToolDiffItem']
    """The differences between the approved and the newest definition. Empty if no definition was approved"""
    flags: List['McpToolFlagsItem']
    """Parts of the newest definition to review before you approve it. A definition without flags can still be malicious"""
    fault: Optional[str]
    """Why the tool cannot be called even if it is approved. Null if there is no such reason"""
    seenAt: str
    """When the newest definition was first seen"""
    approvedAt: Optional[str]
    """When the tool was approved. Null if it was not"""
    approvedBy: Optional['McpToolApprovedBy']
    """Who approved the tool. Null if nobody has"""
    isGone: bool
    """True if the server no longer lists the tool"""


class McpToolDiffItem(TypedDict):
    path: str
    before: Optional[str]
    """The value in the approved definition, as JSON with hidden characters escaped. Null if there is none"""
    after: Optional[str]
    """The value in the newest definition, in the same form"""


class McpToolFlagsItem(TypedDict):
    kind: Literal['hidden_characters', 'instructions', 'other_server', 'policy']
    path: str
    message: str


class McpToolApprovedBy(TypedDict):
    keyId: Optional[str]
    """The key that approved the tool. Null for a session without a key"""
    userId: Optional[str]
    """The user who approved the tool. Null for a key without an owner"""
    name: Optional[str]
    """The name of the user, or of the key without an owner, at that time"""


class McpToolList(TypedDict):
    data: List['McpTool']


class ApproveMcpTool(TypedDict):
    hash: NotRequired[str]
    """The SHA-256 of the definition to approve. If it is not the newest definition, the request fails with 409"""


class ApproveMcpTools(TypedDict):
    tools: List['ApproveMcpToolsToolsItem']


class ApproveMcpToolsToolsItem(TypedDict):
    name: str
    hash: str


class CatalogueModel(TypedDict):
    provider: str
    model: str
    """The name of the model at the provider"""
    names: List[str]
    """Every name that a call can send as `model`"""
    mode: Optional[str]
    """The kind of model, such as `chat` or `embedding`. Null if it is unknown"""
    price: Optional[Dict[str, Any]]
    """The price in force. Null if the first price of the model is not yet in force"""
    limits: 'CatalogueModelLimits'
    capabilities: 'CatalogueModelCapabilities'
    source: Literal['catalogue', 'file', 'config', 'tenant']
    """The source of the price: the catalogue that ships with the service, the operator’s price file or configuration, or the tenant"""
    effectiveFrom: Optional[str]
    """When the tenant’s own price came into force. Null for any other price"""
    upcoming: Optional['CatalogueModelUpcoming']
    """The tenant’s own price that comes into force later. Null without one"""


class CatalogueModelLimits(TypedDict):
    contextWindow: Optional[int]
    """The maximum number of input tokens. Null if it is unknown"""
    maxOutputTokens: Optional[int]
    """The maximum number of output tokens. Null if it is unknown"""


class CatalogueModelCapabilities(TypedDict):
    endpoints: List[str]
    """The endpoints that the provider supports"""
    images: bool
    """True if images can be sent, because this service can count their tokens"""
    audio: bool
    """True if audio can be sent, because this service can count its tokens"""
    reasoning: bool
    """True if the model can produce tokens that the caller does not see, or if this is unknown"""


class CatalogueModelUpcoming(TypedDict):
    price: Dict[str, Any]
    """Prices in USD: per million tokens by kind (`inputUsdPerMTok`, `outputUsdPerMTok`, `cacheReadUsdPerMTok`, …), and per image or tool use (`feesUsd`). Tiers and long inputs can have their own prices"""
    effectiveFrom: str


class CataloguePage(TypedDict):
    data: List['CatalogueModel']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class SetModelPrice(TypedDict):
    price: Union[Literal['free'], 'SetModelPricePrice2']
    """The price that the tenant is charged. Tiers and fees that it does not include keep the price that applies otherwise"""
    mode: NotRequired[Literal['chat', 'responses', 'completion', 'embedding', 'moderation', 'image', 'speech', 'transcription', 'rerank']]
    """The kind of model, if no catalogue contains it. It decides which endpoints the price applies to"""
    contextWindow: NotRequired[int]
    """The maximum number of input tokens"""
    maxOutputTokens: NotRequired[int]
    """Maximum output of the model"""
    outputField: NotRequired[Literal['max_tokens', 'max_completion_tokens']]
    """The field of a chat request that contains the maximum number of output tokens"""
    tokenizer: NotRequired[Literal['o200k', 'cl100k', 'claude', 'bytes']]
    """How tokens are counted. `bytes` counts every byte as one token, which is an upper bound"""
    effectiveFrom: NotRequired[str]
    """When the price comes into force. A time in the past means at once. The cost of earlier calls does not change"""


class SetModelPricePrice2(TypedDict):
    inputUsdPerMTok: float
    outputUsdPerMTok: float
    cacheReadUsdPerMTok: NotRequired[float]
    cacheWriteUsdPerMTok: NotRequired[float]
    cacheWriteHourUsdPerMTok: NotRequired[float]
    audioInputUsdPerMTok: NotRequired[float]
    audioOutputUsdPerMTok: NotRequired[float]
    imageUsd: NotRequired[float]
    longer: NotRequired[List['SetModelPricePrice2LongerItem']]
    tiers: NotRequired[Dict[str, 'SetModelPricePrice2TiersValue']]
    feesUsd: NotRequired[Dict[str, float]]


class SetModelPricePrice2LongerItem(TypedDict):
    aboveInputTokens: int
    inputUsdPerMTok: float
    outputUsdPerMTok: float
    cacheReadUsdPerMTok: NotRequired[float]
    cacheWriteUsdPerMTok: NotRequired[float]
    cacheWriteHourUsdPerMTok: NotRequired[float]
    audioInputUsdPerMTok: NotRequired[float]
    audioOutputUsdPerMTok: NotRequired[float]
    imageUsd: NotRequired[float]


class SetModelPricePrice2TiersValue(TypedDict):
    inputUsdPerMTok: NotRequired[float]
    outputUsdPerMTok: NotRequired[float]
    cacheReadUsdPerMTok: NotRequired[float]
    cacheWriteUsdPerMTok: NotRequired[float]
    cacheWriteHourUsdPerMTok: NotRequired[float]
    audioInputUsdPerMTok: NotRequired[float]
    audioOutputUsdPerMTok: NotRequired[float]
    imageUsd: NotRequired[float]
    longer: NotRequired[List['SetModelPricePrice2TiersValueLongerItem']]
    factor: NotRequired[float]


class SetModelPricePrice2TiersValueLongerItem(TypedDict):
    aboveInputTokens: int
    inputUsdPerMTok: float
    outputUsdPerMTok: float
    cacheReadUsdPerMTok: NotRequired[float]
    cacheWriteUsdPerMTok: NotRequired[float]
    cacheWriteHourUsdPerMTok: NotRequired[float]
    audioInputUsdPerMTok: NotRequired[float]
    audioOutputUsdPerMTok: NotRequired[float]
    imageUsd: NotRequired[float]


class ManagedResource(TypedDict):
    id: str
    set: str
    """The set of files that owns the object. `tallystick apply --set` names it"""
    kind: str
    """The `kind` of the document that describes the object"""
    name: str
    """The name of the object in the files"""
    resourceId: Optional[str]
    """The id of the object, as the program that applies the files noted it. Null until the object is created"""
    state: Literal['applying', 'applied']
    """`applying` is set before the object is changed, and `applied` after that. An object that stays `applying` belongs to an apply that was interrupted"""
    specHashes: Dict[str, str]
    """Hashes of the fields that were last applied. Those of secrets are salted and slow to compute"""
    stateHashes: Dict[str, str]
    """Hashes of the same fields, as the API returned them after that. They show later changes"""
    revision: int
    """Increases by one with each change"""
    updatedBy: str
    """The key or session that made the last change"""
    createdAt: str
    updatedAt: str


class ManagedResourcePage(TypedDict):
    data: List['ManagedResource']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreateManagedResource(TypedDict):
    set: NotRequired[str]
    """The set of files that owns the object. `tallystick apply --set` names it"""
    kind: str
    """The `kind` of the document that describes the object"""
    name: str
    """The name of the object in the files. Unique for each kind"""
    resourceId: NotRequired[Optional[str]]
    """The id of the object, as the program that applies the files noted it. Null until the object is created"""
    state: NotRequired[Literal['applying', 'applied']]
    """`applying` is set before the object is changed, and `applied` after that. An object that stays `applying` belongs to an apply that was interrupted"""
    specHashes: NotRequired[Dict[str, str]]
    """Hashes of the fields that were last applied. Those of secrets are salted and slow to compute"""
    stateHashes: NotRequired[Dict[str, str]]
    """Hashes of the same fields, as the API returned them after that. They show later changes"""


class UpdateManagedResource(TypedDict):
    ifRevision: NotRequired[int]
    """The request fails with 409 if the object has another revision"""
    set: NotRequired[str]
    """The set of files that owns the object. `tallystick apply --set` names it"""
    resourceId: NotRequired[Optional[str]]
    """The id of the object, as the program that applies the files noted it. Null until the object is created"""
    state: NotRequired[Literal['applying', 'applied']]
    """`applying` is set before the object is changed, and `applied` after that. An object that stays `applying` belongs to an apply that was interrupted"""
    specHashes: NotRequired[Dict[str, str]]
    """Hashes of the fields that were last applied. Those of secrets are salted and slow to compute"""
    stateHashes: NotRequired[Dict[str, str]]
    """Hashes of the same fields, as the API returned them after that. They show later changes"""


class LastDelivery(TypedDict):
    id: str
    event: Literal['budget.threshold_reached', 'budget.request_filed', 'policy.violation', 'anomaly.usage_spike', 'provider.failing', 'mcp.tool_changed', 'record.refused', 'webhook.test']
    status: Literal['pending', 'retrying', 'delivered', 'dead']
    statusCode: Optional[int]
    """The status code that the receiver returned. Null without a response"""
    error: Optional[str]
    """Why the last attempt failed. It never contains text from the receiver"""
    at: str


class DeliveryCounts(TypedDict):
    """The number of deliveries attempted in the last seven days, by status. Tests are not included"""

    delivered: int
    retrying: int
    """Deliveries that failed and will be retried"""
    dead: int
    """Deliveries that were abandoned after the last attempt"""


class WebhookEndpoint(TypedDict):
    id: str
    name: str
    """A display name"""
    url: str
    """The URL that deliveries are posted to. Unless the service is a local trial, it must use HTTPS, and private, loopback and link-local addresses are refused"""
    type: Literal['generic', 'chat']
    """The format of deliveries. `generic` sends the full envelope, signed. `chat` sends `{ "text": … }` for the incoming webhook of a chat tool, unsigned"""
    envelope: Literal['tallystick', 'cloudevents']
    """For `generic`: what surrounds the data of an event. `cloudevents` is CloudEvents 1.0 in structured JSON mode, with the content type `application/cloudevents+json`. Both are signed in the same way"""
    events: List[Literal['budget.threshold_reached', 'budget.request_filed', 'policy.violation', 'anomaly.usage_spike', 'provider.failing', 'mcp.tool_changed', 'record.refused', 'webhook.test']]
    enabled: bool
    """While false, nothing is sent: pending deliveries wait, and new events create no deliveries"""
    maxAttempts: int
    """The maximum number of attempts. After the last failed attempt, the delivery is `dead`"""
    secretStatus: Literal['ok', 'undecryptable']
    """`undecryptable` means that the service does not have the master key that the secret is encrypted with. Nothing is sent unsigned: deliveries are retried. Rotate the secret to fix this"""
    lastDelivery: Optional['LastDelivery']
    """The delivery that was attempted last. Null before the first delivery"""
    lastWeek: 'DeliveryCounts'
    previousSecretUntil: Optional[str]
    """Until when the previous secret also signs deliveries. Null if it does not"""
    createdAt: str
    updatedAt: str


class WebhookEndpointPage(TypedDict):
    data: List['WebhookEndpoint']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class CreateWebhookEndpoint(TypedDict):
    name: str
    """A display name"""
    url: str
    """The URL that deliveries are posted to. Unless the service is a local trial, it must use HTTPS, and private, loopback and link-local addresses are refused"""
    type: Literal['generic', 'chat']
    """The format of deliveries. `generic` sends the full envelope, signed. `chat` sends `{ "text": … }` for the incoming webhook of a chat tool, unsigned"""
    envelope: NotRequired[Literal['tallystick', 'cloudevents']]
    """For `generic`: what surrounds the data of an event. `cloudevents` is CloudEvents 1.0 in structured JSON mode, with the content type `application/cloudevents+json`. Both are signed in the same way"""
    events: List[Literal['budget.threshold_reached', 'budget.request_filed', 'policy.violation', 'anomaly.usage_spike', 'provider.failing', 'mcp.tool_changed', 'record.refused', 'webhook.test']]
    """The events to deliver. A test is always sent, whether it is listed or not"""
    enabled: NotRequired[bool]
    """While false, nothing is sent: pending deliveries wait, and new events create no deliveries"""
    maxAttempts: NotRequired[int]
    """The maximum number of attempts. After the last failed attempt, the delivery is `dead`"""


class WebhookEndpointWithSecret(TypedDict):
    id: str
    name: str
    """A display name"""
    url: str
    """The URL that deliveries are posted to. Unless the service is a local trial, it must use HTTPS, and private, loopback and link-local addresses are refused"""
    type: Literal['generic', 'chat']
    """The format of deliveries. `generic` sends the full envelope, signed. `chat` sends `{ "text": … }` for the incoming webhook of a chat tool, unsigned"""
    envelope: Literal['tallystick', 'cloudevents']
    """For `generic`: what surrounds the data of an event. `cloudevents` is CloudEvents 1.0 in structured JSON mode, with the content type `application/cloudevents+json`. Both are signed in the same way"""
    events: List[Literal['budget.threshold_reached', 'budget.request_filed', 'policy.violation', 'anomaly.usage_spike', 'provider.failing', 'mcp.tool_changed', 'record.refused', 'webhook.test']]
    enabled: bool
    """While false, nothing is sent: pending deliveries wait, and new events create no deliveries"""
    maxAttempts: int
    """The maximum number of attempts. After the last failed attempt, the delivery is `dead`"""
    secretStatus: Literal['ok', 'undecryptable']
    """`undecryptable` means that the service does not have the master key that the secret is encrypted with. Nothing is sent unsigned: deliveries are retried. Rotate the secret to fix this"""
    lastDelivery: Optional['LastDelivery']
    """The delivery that was attempted last. Null before the first delivery"""
    lastWeek: 'DeliveryCounts'
    previousSecretUntil: Optional[str]
    """Until when the previous secret also signs deliveries. Null if it does not"""
    createdAt: str
    updatedAt: str
    secret: str
    """The secret that signs deliveries. Returned only in this response"""


class UpdateWebhookEndpoint(TypedDict):
    name: NotRequired[str]
    """A display name"""
    url: NotRequired[str]
    """The URL that deliveries are posted to. Unless the service is a local trial, it must use HTTPS, and private, loopback and link-local addresses are refused"""
    type: NotRequired[Literal['generic', 'chat']]
    """The format of deliveries. `generic` sends the full envelope, signed. `chat` sends `{ "text": … }` for the incoming webhook of a chat tool, unsigned"""
    envelope: NotRequired[Literal['tallystick', 'cloudevents']]
    """For `generic`: what surrounds the data of an event. `cloudevents` is CloudEvents 1.0 in structured JSON mode, with the content type `application/cloudevents+json`. Both are signed in the same way"""
    events: NotRequired[List[Literal['budget.threshold_reached', 'budget.request_filed', 'policy.violation', 'anomaly.usage_spike', 'provider.failing', 'mcp.tool_changed', 'record.refused', 'webhook.test']]]
    """The events to deliver. A test is always sent, whether it is listed or not"""
    enabled: NotRequired[bool]
    """While false, nothing is sent: pending deliveries wait, and new events create no deliveries"""
    maxAttempts: NotRequired[int]
    """The maximum number of attempts. After the last failed attempt, the delivery is `dead`"""


class RotateWebhookSecret(TypedDict):
    overlapHours: NotRequired[float]
    """The number of hours for which the old secret also signs deliveries. 0 retires the old secret at once"""


class WebhookTest(TypedDict):
    delivered: bool
    error: Optional[str]
    """The status code that the receiver returned, or what failed. It never contains the receiver’s body"""


class WebhookDelivery(TypedDict):
    id: str
    """The value of `X-Tallystick-Delivery-Id`. It is the same for every attempt"""
    event: Literal['budget.threshold_reached', 'budget.request_filed', 'policy.violation', 'anomaly.usage_spike', 'provider.failing', 'mcp.tool_changed', 'record.refused', 'webhook.test']
    status: Literal['pending', 'retrying', 'delivered', 'dead']
    attempts: int
    """The number of attempts whose outcome is known"""
    statusCode: Optional[int]
    """The status code that the receiver returned. Null without a response"""
    error: Optional[str]
    """Why the last attempt failed. It never contains text from the receiver"""
    data: Dict[str, Any]
    """The `data` of the envelope"""
    createdAt: str
    lastAttemptAt: Optional[str]
    """When the last attempt was made. Null before the first attempt"""
    nextAttemptAt: Optional[str]
    """When the next attempt is made. Null if the delivery is `delivered` or `dead`"""


class WebhookDeliveryPage(TypedDict):
    data: List['WebhookDelivery']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class WebhookDeliveryDetail(TypedDict):
    id: str
    """The value of `X-Tallystick-Delivery-Id`. It is the same for every attempt"""
    event: Literal['budget.threshold_reached', 'budget.request_filed', 'policy.violation', 'anomaly.usage_spike', 'provider.failing', 'mcp.tool_changed', 'record.refused', 'webhook.test']
    status: Literal['pending', 'retrying', 'delivered', 'dead']
    attempts: int
    """The number of attempts whose outcome is known"""
    statusCode: Optional[int]
    """The status code that the receiver returned. Null without a response"""
    error: Optional[str]
    """Why the last attempt failed. It never contains text from the receiver"""
    data: Dict[str, Any]
    """The `data` of the envelope"""
    createdAt: str
    lastAttemptAt: Optional[str]
    """When the last attempt was made. Null before the first attempt"""
    nextAttemptAt: Optional[str]
    """When the next attempt is made. Null if the delivery is `delivered` or `dead`"""
    body: str
    """The body that is sent with the current settings of the endpoint. Every attempt sends the same bytes"""
    history: List['WebhookDeliveryDetailHistoryItem']
    """The attempts whose outcome is known, oldest first, at most the newest 200. Includes the attempts before a manual retry"""


class WebhookDeliveryDetailHistoryItem(TypedDict):
    at: str
    durationMs: int
    """The time in milliseconds until the response, or until the attempt was abandoned"""
    statusCode: Optional[int]
    """The status code that the receiver returned. Null without a response"""
    error: Optional[str]
    """Why the attempt failed. It never contains text from the receiver. Null for a successful attempt"""


class SinkDestination(TypedDict):
    type: Literal['s3', 'http', 'syslog']
    """`s3` writes objects to a bucket of an S3-compatible service. `http` posts them to a URL. `syslog` sends messages of RFC 5424 over TLS, for `audit` and `security_events`"""
    url: str
    region: Optional[str]
    """For `s3`: the region"""
    bucket: Optional[str]
    """For `s3`: the name of the bucket"""
    prefix: Optional[str]
    """For `s3`: the start of the names of all objects"""
    accessKeyId: Optional[str]
    """For `s3`: the id of the access key"""
    ca: Optional[str]
    """For `syslog`: the certificate authority, in PEM"""
    headers: List[str]
    """For `http`: the names of the headers"""


class SinkState(TypedDict):
    position: Optional[str]
    """Up to where data is exported: the number of a receipt, or for `audit` the time and id of an entry. Null before the first batch"""
    exported: int
    """The number of rows exported so far"""
    lagSeconds: Optional[float]
    """The age of the oldest entry that is not exported yet. 0 if there is none, null while the sink is disabled"""
    lastSuccessAt: Optional[str]
    """When the receiver last took a batch. Null before the first"""
    lastError: Optional[str]
    """Why the last attempt failed. Null after a success. It never contains text from the receiver"""
    lastErrorAt: Optional[str]
    """When the last attempt failed"""


class Sink(TypedDict):
    id: str
    name: str
    """A display name"""
    data: Literal['receipts', 'calls', 'audit', 'security_events', 'focus']
    """What is exported. `receipts` are the entries of the record as they were signed. `calls` are the fields of `GET /v1/calls`, one object per attempt. `audit` is the audit log. `security_events` are calls that a policy or an allowlist blocked, and events that limit what the record proves. `focus` is cost and usage in the columns of FOCUS 1.2"""
    format: Literal['jsonl', 'csv', 'parquet', 'ocsf']
    """The format of the rows. `jsonl` is one JSON object per line, for `receipts`, `calls` and `focus`. `csv` is for `focus`, and its default. `parquet` writes `receipts`, `calls` and `focus` to `s3`. `ocsf` is that of the Open Cybersecurity Schema Framework, one JSON object per line, for `audit` and `security_events`. It follows from the data when it is left out"""
    destination: 'SinkDestination'
    intervalSeconds: int
    """The time between two batches, in seconds. A full batch of 5,000 rows does not wait"""
    enabled: bool
    """While false, nothing is sent. Once it is true again, the export continues where it stopped"""
    secretStatus: Literal['ok', 'undecryptable']
    """`undecryptable` means that the service does not have the master key that the secrets are encrypted with. Nothing is sent. Send the secrets again to fix this"""
    state: 'SinkState'
    createdAt: str
    updatedAt: str


class SinkPage(TypedDict):
    data: List['Sink']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class NewSinkDestination(TypedDict):
    type: Literal['s3', 'http', 'syslog']
    """`s3` writes objects to a bucket of an S3-compatible service. `http` posts them to a URL. `syslog` sends messages of RFC 5424 over TLS, for `audit` and `security_events`"""
    url: NotRequired[str]
    """The URL that data is sent to; for `s3`, the endpoint, by default that of AWS in the region; for `syslog`, `tls://host:6514`. Unless the service is a local trial, it must use HTTPS or TLS, and private, loopback and link-local addresses are refused"""
    region: NotRequired[str]
    """For `s3`: the region"""
    bucket: NotRequired[str]
    """For `s3`: the name of the bucket"""
    prefix: NotRequired[str]
    """For `s3`: the start of the names of all objects"""
    accessKeyId: NotRequired[str]
    """For `s3`: the id of the access key. Without one, the identity of the machine is used, for buckets that the operator allows"""
    secretAccessKey: NotRequired[str]
    """For `s3`: the secret of the access key. It is stored encrypted and never returned"""
    ca: NotRequired[str]
    """For `syslog`: the certificate authority that signed the certificate of the receiver, in PEM. By default those that Node.js trusts"""
    headers: NotRequired[Dict[str, str]]
    """For `http`: headers that are sent with every request, by lower-case name. Write-only, because they can contain secrets"""


class CreateSink(TypedDict):
    name: str
    """A display name"""
    data: Literal['receipts', 'calls', 'audit', 'security_events', 'focus']
    """What is exported. `receipts` are the entries of the record as they were signed. `calls` are the fields of `GET /v1/calls`, one object per attempt. `audit` is the audit log. `security_events` are calls that a policy or an allowlist blocked, and events that limit what the record proves. `focus` is cost and usage in the columns of FOCUS 1.2"""
    format: NotRequired[Literal['jsonl', 'csv', 'parquet', 'ocsf']]
    """The format of the rows. `jsonl` is one JSON object per line, for `receipts`, `calls` and `focus`. `csv` is for `focus`, and its default. `parquet` writes `receipts`, `calls` and `focus` to `s3`. `ocsf` is that of the Open Cybersecurity Schema Framework, one JSON object per line, for `audit` and `security_events`. It follows from the data when it is left out"""
    destination: 'NewSinkDestination'
    intervalSeconds: NotRequired[int]
    """The time between two batches, in seconds. A full batch of 5,000 rows does not wait"""
    enabled: NotRequired[bool]
    """While false, nothing is sent. Once it is true again, the export continues where it stopped"""


class UpdateSink(TypedDict):
    name: NotRequired[str]
    """A display name"""
    destination: NotRequired['NewSinkDestination']
    intervalSeconds: NotRequired[int]
    """The time between two batches, in seconds. A full batch of 5,000 rows does not wait"""
    enabled: NotRequired[bool]
    """While false, nothing is sent. Once it is true again, the export continues where it stopped"""


class SinkTest(TypedDict):
    delivered: bool
    error: Optional[str]
    """What failed. It never contains text from the receiver"""


class AuditEntry(TypedDict):
    id: str
    at: str
    actor: 'AuditEntryActor'
    action: str
    subject: 'AuditEntrySubject'
    before: Optional[Dict[str, Any]]
    """The object before the change. Null if it was created"""
    after: Optional[Dict[str, Any]]
    """The object after the change. Null if it was deleted"""


class AuditEntryActor(TypedDict):
    type: Literal['key', 'session', 'operator']
    """The kind of actor: a virtual key, a session, or an operator who ran a command"""
    id: str
    """The id of the key or the session, or `operator`"""
    keyId: Optional[str]
    """The key that made the request or that the session was opened with. `operator` for the operator"""
    userId: Optional[str]
    keyName: Optional[str]
    """The name of the key at that time. Null without a name"""
    userName: Optional[str]
    """The name of the user at that time. Null without a name"""


class AuditEntrySubject(TypedDict):
    type: str
    id: str


class AuditPage(TypedDict):
    data: List['AuditEntry']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class AdjustReceipt(TypedDict):
    amountUsd: float
    """The actual cost of the call in USD, such as from the provider’s bill, with up to nine decimal places"""
    reason: str


class Receipt(TypedDict):
    v: int
    """The version of the receipt format"""
    tenant: str
    seq: int
    """The number of the entry in the record, from 1 without gaps"""
    prev: str
    """The leaf hash of the previous entry, in hex"""
    id: str
    """The id of the call. For a further attempt, the id of the attempt"""
    call: NotRequired[str]
    """For a further attempt: the id of the call"""
    attempt: NotRequired[int]
    """For a further attempt: its number within the call, from 2"""
    batch: NotRequired[str]
    """For a line of a batch: the id of the batch"""
    line: NotRequired[int]
    """For a line of a batch: the number of the line in the file, from 1"""
    ts: str
    """When the call was admitted"""
    kind: Literal['model', 'tool', 'control']
    key: NotRequired[str]
    user: NotRequired[str]
    team: NotRequired[str]
    session: NotRequired[str]
    """The session that the caller set, such as one run of an agent"""
    agent: NotRequired[str]
    """The coding agent that made the call: `claude-code`, `codex` or `opencode`"""
    tags: NotRequired[Dict[str, str]]
    """The tags of the call"""
    route: NotRequired[str]
    """The route that chose the model"""
    provider: NotRequired[str]
    model: NotRequired[str]
    """The model that was requested"""
    target: NotRequired[str]
    """The name of the model at the provider, if `model` is an alias"""
    upstream: NotRequired[str]
    """The model that answered"""
    server: NotRequired[str]
    """For a tool call: the name of the MCP server"""
    tool: NotRequired[str]
    """For a tool call: the name of the tool, the URI of the resource, or the name of the prompt"""
    method: NotRequired[str]
    """For a tool call: the method, if it is not `tools/call`"""
    toolError: NotRequired[bool]
    """True if the tool itself reported a failure (`isError`)"""
    rpcCode: NotRequired[int]
    """The code of the protocol error that the server returned"""
    inputTokens: NotRequired[int]
    outputTokens: NotRequired[int]
    cachedTokens: NotRequired[int]
    costNanos: NotRequired[int]
    """The cost in whole nano-dollars: 1,000,000,000 are 1 USD. In an entry that adjusts another, the difference, which can be negative"""
    usage: NotRequired[str]
    """The source of the counts: `provider`, `counted` (by this service, from a complete answer) or `reserved` (the upper bound)"""
    tier: NotRequired[str]
    """The price tier, if it is not the standard one"""
    price: NotRequired[str]
    """The SHA-256 of the price that applied. A control entry of the record contains the price"""
    latencyMs: NotRequired[int]
    firstTokenMs: NotRequired[int]
    stream: NotRequired[bool]
    status: NotRequired[int]
    outcome: NotRequired[str]
    """ok, blocked, redacted, upstream_error, aborted, interrupted or failed"""
    fault: NotRequired[str]
    """For the outcome `failed`, the part of this service that failed: database, limits, shutdown, capacity or internal"""
    request: NotRequired[str]
    """A commitment to the request body"""
    response: NotRequired[str]
    """A commitment to the response body"""
    cache: NotRequired[str]
    """`hit` means that the answer came from the cache and no provider was called"""
    content: NotRequired[Literal['redacted', 'full']]
    """How the content of the call was captured, outside the record. Absent if it was not captured"""
    promptId: NotRequired[str]
    """The id of the stored prompt that was used"""
    promptVersion: NotRequired[int]
    policies: NotRequired[str]
    """The hash of the set of policies in force"""
    packs: NotRequired[List[str]]
    """`framework@version` of each pack in force"""
    event: NotRequired[str]
    """In a control entry: what happened, as `subject.verb`, such as `signing_key.retire`"""
    subject: NotRequired[str]
    """In a control entry: what the event concerns, such as the thumbprint of a signing key"""
    terms: NotRequired[Dict[str, Any]]
    """In `price.apply`: the price, in picodollars"""
    adjusts: NotRequired[int]
    """In `receipt.adjust`: the entry whose cost it corrects; `costNanos` is the difference"""
    reason: NotRequired[str]
    """In a control entry: the reason"""
    by: NotRequired[str]
    """In a control entry of an operator command: who ran the command"""
    counts: NotRequired['ReceiptCounts']
    """The priced amounts by kind"""
    checks: NotRequired[List['ReceiptChecksItem']]
    restore: NotRequired['ReceiptRestore']
    """In `record.restore`: what was sealed before the restore, and what is missing"""
    leafHash: str
    """SHA-256(0x00 ‖ `canonical`), in hex"""
    canonical: str
    """The exact text that was hashed"""


class ReceiptCounts(TypedDict):
    """The priced amounts by kind"""

    input: NotRequired[int]
    cached: NotRequired[int]
    written: NotRequired[int]
    writtenHour: NotRequired[int]
    audioIn: NotRequired[int]
    output: NotRequired[int]
    reasoning: NotRequired[int]
    audioOut: NotRequired[int]
    images: NotRequired[int]
    tools: NotRequired[Dict[str, int]]


class ReceiptChecksItem(TypedDict):
    name: str
    applicable: bool
    result: Literal['pass', 'fail', 'error', 'skip']
    action: NotRequired[str]
    policy: NotRequired[str]


class ReceiptRestore(TypedDict):
    """In `record.restore`: what was sealed before the restore, and what is missing"""

    sealedSize: int
    """The number of entries that were sealed before the restore"""
    sealedRoot: NotRequired[str]
    """The root of the tree over these entries, in hex. Absent if only the number is known"""
    keptSize: NotRequired[int]
    """The number of these entries that the record still has. Absent if unknown"""
    missingEntries: NotRequired[int]
    """The number of these entries that are missing. Absent if unknown, in which case at least one is missing"""
    asked: List[str]
    """The places that were checked to find out how far the record was sealed"""
    corrects: NotRequired[int]
    """The number of an earlier entry about the same restore, which this entry corrects"""


class ReceiptPage(TypedDict):
    data: List['Receipt']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class InclusionProof(TypedDict):
    seq: int
    index: int
    """The index of the leaf: `seq` − 1"""
    leafHash: str
    """A SHA-256 hash, in hex"""
    size: int
    """The number of entries in the tree"""
    root: str
    """A SHA-256 hash, in hex"""
    path: List[str]
    """The hashes of the proof, in the order of RFC 6962"""
    checkpoint: str
    """The signed note over this size and root"""

ConsistencyProof = TypedDict('ConsistencyProof', {
    'from': int,
    'to': int,
    'fromRoot': str,
    'toRoot': str,
    'path': List[str],
})


class Attestation(TypedDict):
    version: str
    """The version of the attestation format and its texts"""
    tenantId: str
    generatedAt: str
    scope: str
    """Clients must show this text verbatim"""
    disclaimer: str
    """Clients must show this text verbatim"""
    period: 'AttestationPeriod'
    totals: 'AttestationTotals'
    """Totals of the period. Only verified entries are counted"""
    checkCoverage: List['AttestationCheckCoverageItem']
    packsInForce: List['AttestationPacksInForceItem']
    """The packs that were active when this attestation was generated"""
    packVersionsObserved: List[str]
    """The pack versions that receipts of the period list"""
    signingKeyIds: List[str]
    """The thumbprints of the keys whose seals cover entries of the period"""
    merkle: 'AttestationMerkle'
    """A Merkle tree over only the verified entries of the period"""
    anchor: 'AttestationAnchor'
    exceptions: List['AttestationExceptionsItem']
    """What the record itself reports as missing, erased or in doubt since the period began. Clients must show each statement"""
    erasures: NotRequired['AttestationErasures']
    """Present only if commitments of the period were erased"""
    signature: 'AttestationSignature'
    """A signature over all other members. The signed text is `tallystick/attestation/1`, a line break, and the RFC 8785 form of the attestation without `signature`"""


class AttestationPeriod(TypedDict):
    label: str
    days: int
    fromSeq: int
    """The number of the first entry. 0 if there is none"""
    toSeq: int
    """The number of the last entry. 0 if there is none"""
    fromTs: str
    toTs: str
    """The end of the period, exclusive"""


class AttestationTotals(TypedDict):
    """Totals of the period. Only verified entries are counted"""

    receipts: int
    """The number of entries in the period"""
    modelReceipts: int
    """The number of receipts of model calls"""
    toolReceipts: int
    """The number of receipts of tool calls"""
    chainVerified: bool
    """True if every entry is unaltered, in its place and chained"""
    chainVerifiedCount: int
    """The number of entries before the first one that fails this check"""
    signaturesVerified: bool
    """True if valid seals cover every entry"""
    signaturesVerifiedCount: int
    """The number of entries that a valid seal covers"""
    policyEvaluated: int
    """The number of receipts in which a policy check came to a verdict"""
    policyEvaluatedPct: float
    """The percentage of all receipts, rounded down"""
    enforcementActions: int
    """The number of receipts of calls that were blocked or redacted"""
    upstreamFailures: int
    """The number of receipts of calls that failed at the provider"""


class AttestationCheckCoverageItem(TypedDict):
    name: str
    receipts: int
    """The number of receipts in which the check came to a verdict"""
    applicableReceipts: int
    """The number of receipts in which the check applied"""
    pct: float
    """The percentage of applicable receipts, rounded down, so that 100 means all"""


class AttestationPacksInForceItem(TypedDict):
    framework: str
    version: str
    status: str
    packHash: str
    """The SHA-256 of the RFC 8785 text of the pack, in hex"""
    source: str
    """builtin or custom"""


class AttestationMerkle(TypedDict):
    """A Merkle tree over only the verified entries of the period"""

    algorithm: str
    leafCount: int
    root: str
    """The root of the tree, in hex"""


class AttestationAnchor(TypedDict):
    type: str
    """none, file or rfc3161"""
    root: str
    """The root of the anchored checkpoint or, without an anchor, of the newest, in hex"""
    note: str
    """What the anchor does and does not prove"""


class AttestationExceptionsItem(TypedDict):
    seq: int
    """The number of the control entry that records the exception"""
    ts: str
    event: str
    """`record.restore` (sealed entries are missing), `record.drop`, `commitments.erase`, `signing_key.compromise` or `demo.fill` (entries are made up)"""
    subject: str
    by: NotRequired[str]
    """The operator who ran the command"""
    reason: NotRequired[str]
    restore: NotRequired['AttestationExceptionsItemRestore']
    """In `record.restore`: what was sealed before the restore, and what is missing"""
    statement: str
    """The exception as a sentence for people"""


class AttestationExceptionsItemRestore(TypedDict):
    """In `record.restore`: what was sealed before the restore, and what is missing"""

    sealedSize: int
    """The number of entries that were sealed before the restore"""
    sealedRoot: NotRequired[str]
    """The root of the tree over these entries, in hex. Absent if only the number is known"""
    keptSize: NotRequired[int]
    """The number of these entries that the record still has. Absent if unknown"""
    missingEntries: NotRequired[int]
    """The number of these entries that are missing. Absent if unknown, in which case at least one is missing"""
    asked: List[str]
    """The places that were checked to find out how far the record was sealed"""
    corrects: NotRequired[int]
    """The number of an earlier entry about the same restore, which this entry corrects"""


class AttestationErasures(TypedDict):
    """Present only if commitments of the period were erased"""

    receipts: int
    """The number of receipts of the period whose commitments can no longer be opened"""
    controlEntries: List[int]
    """The numbers of the control entries of the erasures"""


class AttestationSignature(TypedDict):
    """A signature over all other members. The signed text is `tallystick/attestation/1`, a line break, and the RFC 8785 form of the attestation without `signature`"""

    keyId: str
    """The thumbprint of the key"""
    value: str
    """The Ed25519 signature, in base64"""


class ContentCapture(TypedDict):
    mode: Literal['off', 'redacted', 'full']
    """What is stored. `off` stores nothing. `redacted` stores the forwarded request and the answer, both after policies have redacted them. `full` stores the request as the caller sent it and the answer as the caller received it"""
    retentionDays: int
    """The number of days after which content is deleted. A change also applies to content that is already stored"""
    updatedAt: Optional[str]
    """When the setting was last changed. Null if it was never set"""


class ContentCaptureChange(TypedDict):
    mode: Literal['off', 'redacted', 'full']
    """What is stored. `off` stores nothing. `redacted` stores the forwarded request and the answer, both after policies have redacted them. `full` stores the request as the caller sent it and the answer as the caller received it"""
    retentionDays: NotRequired[int]
    """The number of days after which content is deleted. A change also applies to content that is already stored"""


class CallContent(TypedDict):
    state: Literal['off', 'pending', 'captured', 'lost', 'expired', 'erased', 'undecryptable']
    """The state of the content. `off`: capture was off when the call was made. `pending`: the call has just ended. `captured`: the content is in `attempts`. `lost`: the content could not be stored, or the mode was changed during the call. `expired`: the retention period is over. `erased`: the content was erased together with the person’s data. `undecryptable`: none of the available keys decrypts the content"""
    mode: Optional[Literal['redacted', 'full']]
    """The mode when the call was made. Null if capture was off"""
    expiresAt: Optional[str]
    """When the content is deleted under the current setting. Null if there is no content"""
    attempts: List['CallContentAttemptsItem']


class CallContentAttemptsItem(TypedDict):
    attempt: int
    request: Optional['CallContentAttemptsItemRequest']
    """The request. Null if none of it may be stored, or if there was none"""
    answer: Optional['CallContentAttemptsItemAnswer']
    """The answer. A stream is stored as the equivalent single answer. Null if none of it may be stored, or if there was none"""


class CallContentAttemptsItemRequest(TypedDict):
    body: Optional[Dict[str, Any]]
    """The request, as JSON. Null if only text is stored"""
    text: Optional[str]
    """The stored text, if it is not JSON or was truncated. Null if `body` is set"""
    bytes: int
    """The full size in bytes of UTF-8"""
    truncated: bool
    """True if the text was longer than the 256 KiB that are stored"""
    note: Optional[str]
    """A remark, such as that the caller received only the beginning, or what was left out. Null without one"""


class CallContentAttemptsItemAnswer(TypedDict):
    body: Optional[Dict[str, Any]]
    """The answer. A stream is stored as the equivalent single answer, as JSON. Null if only text is stored"""
    text: Optional[str]
    """The stored text, if it is not JSON or was truncated. Null if `body` is set"""
    bytes: int
    """The full size in bytes of UTF-8"""
    truncated: bool
    """True if the text was longer than the 256 KiB that are stored"""
    note: Optional[str]
    """A remark, such as that the caller received only the beginning, or what was left out. Null without one"""


class PackControl(TypedDict):
    id: str
    """The number of the control in the framework"""
    title: str
    """The title of the control"""
    requirement: str
    """What the control requires, in plain words"""
    shows: List[str]
    """What the record can show about the control"""
    doesNotShow: List[str]
    """What the record cannot show about the control"""
    checks: List[str]
    """The checks whose coverage is evidence for the control"""
    fields: List[str]
    """The fields of a receipt that are evidence for the control"""


class Pack(TypedDict):
    framework: str
    """The identifier of the pack"""
    version: str
    """The version of the pack. Every change of its file is a new version"""
    title: str
    """The name of the framework"""
    reference: str
    """Where the framework is published"""
    summary: str
    """A summary of the pack"""
    limits: List[str]
    """What the record of this service cannot show"""
    controls: List['PackControl']
    """The controls of the framework for which the record has evidence"""
    status: Literal['active', 'inactive']
    packHash: str
    """The SHA-256 of the RFC 8785 text of the pack file, in hex"""
    source: Literal['builtin', 'custom']
    latestVersion: Optional[str]
    """The version that would be activated now. Null if its file no longer exists. An active pack keeps its version until it is activated again"""
    activatedAt: Optional[str]
    """When the pack was activated. Null if it is not active"""


class PackStatus(TypedDict):
    status: Literal['active', 'inactive']


class CreateErasure(TypedDict):
    userId: str


class Erasure(TypedDict):
    id: str
    userId: str
    status: Literal['running', 'done']
    throughSeq: int
    """The number of the last entry that the erasure covers"""
    erasedReceipts: int
    """The number of receipts whose key was deleted"""
    createdAt: str
    finishedAt: Optional[str]
    """When the erasure finished. Null while it is running"""


class ErasurePage(TypedDict):
    data: List['Erasure']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class Anchor(TypedDict):
    type: Literal['file', 'rfc3161']
    day: str
    """The day in UTC. The anchored checkpoint is the last one of this day"""
    size: int
    """The number of entries that the checkpoint covers"""
    checkpoint: str
    """The signed note that was anchored"""
    token: Optional[str]
    """The time-stamp token over the SHA-256 of the checkpoint, as DER in base64. Null for a file"""
    anchoredAt: str


class AnchorPage(TypedDict):
    data: List['Anchor']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class Checkpoint(TypedDict):
    size: int
    """The number of entries that the checkpoint covers"""
    root: str
    """The root of the tree over these entries, in hex"""
    keyId: str
    """The key that signed the checkpoint"""
    checkpoint: str
    """The signed note"""
    sealedAt: str


class CheckpointPage(TypedDict):
    data: List['Checkpoint']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class SigningKey(TypedDict):
    id: str
    """The id of the key, as in the note of a checkpoint and as `kid` in the key set"""
    createdAt: str
    retiredAt: Optional[str]
    """When the key was retired. It seals nothing from then on. Null if it is not retired"""
    isCurrent: bool
    """True if the key signed the newest checkpoint of this record"""


class AttestationJobRequest(TypedDict):
    days: NotRequired[int]
    """The number of days up to now"""
    period: NotRequired[str]
    """A calendar month in UTC, instead of `days`"""


class ComplianceJob(TypedDict):
    id: str
    kind: Literal['attestation', 'export']
    status: Literal['queued', 'running', 'done', 'failed', 'cancelled']
    """The state of the job. It is also `running` while it waits to continue, or for another replica to take over"""
    name: str
    """The file name of the result"""
    requestedBy: 'ComplianceJobRequestedBy'
    progress: 'ComplianceJobProgress'
    """The progress of the job, in entries of the record"""
    bytes: Optional[int]
    """The size of the result in bytes. Null until the job is done"""
    error: Optional[str]
    """Why the job failed. Null unless it failed"""
    resultUrl: Optional[str]
    """The path of the result. Null until the job is done"""
    createdAt: str
    finishedAt: Optional[str]
    """When the job ended. Null until then"""
    expiresAt: Optional[str]
    """When the job and its result are removed. Null until the job has ended"""


class ComplianceJobRequestedBy(TypedDict):
    keyId: Optional[str]
    """The key that requested the job. Null for a session that was opened without a key"""
    userId: Optional[str]
    """The id of the user. Null for a key without an owner"""


class ComplianceJobProgress(TypedDict):
    """The progress of the job, in entries of the record"""

    done: int
    total: Optional[int]
    """The total number of entries. Null until the span of an attestation is known"""


class ExportJobRequest(TypedDict):
    fromSeq: NotRequired[int]
    toSeq: NotRequired[int]


class ComplianceJobPage(TypedDict):
    data: List['ComplianceJob']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""


class Call(TypedDict):
    requestId: str
    """The id of the call"""
    attempt: int
    """The number of the attempt within the call. Each attempt is admitted, priced and recorded separately"""
    route: Optional[str]
    """The route that chose the model. Null if the caller chose it"""
    receiptSeq: int
    """The number of the call’s receipt in the record"""
    ts: str
    """When the call was admitted"""
    kind: Literal['model', 'tool']
    keyId: Optional[str]
    """The key that made the call"""
    keyName: Optional[str]
    """The name of the key at the time of the call. Null for none"""
    userId: Optional[str]
    """The owner of the key. Null for a key without an owner"""
    userName: Optional[str]
    """The name of the user at the time of the call. Null for none"""
    teamId: Optional[str]
    """The team that the call counts for. Null for none"""
    teamName: Optional[str]
    """The name of the team at the time of the call. Null for none"""
    provider: Optional[str]
    """The provider that answered. For a tool call, `mcp:<server>`"""
    model: Optional[str]
    """The canonical name of the model. For a tool call, `<server>__<tool>`"""
    askedModel: Optional[str]
    """The model as the caller wrote it"""
    upstream: Optional[str]
    """The model that answered, as the provider named it. Null if the provider named none"""
    server: Optional[str]
    """The server of the called tool. Null for a model call"""
    tool: Optional[str]
    """The called tool by its own name, the URI of a resource, or the name of a prompt. Null for a model call"""
    method: Optional[str]
    """The method that was called on the MCP server, such as `tools/call`. Null for a model call"""
    toolError: bool
    """True if the tool itself reported a failure (`isError`). The outcome of such a call is not an error"""
    rpcCode: Optional[int]
    """The code of the protocol error that the server returned. Null without one"""
    stream: bool
    status: Optional[int]
    """The HTTP status of the answer"""
    outcome: Optional[str]
    """ok, blocked, redacted, upstream_error, aborted, interrupted or failed"""
    inputTokens: int
    """The number of input tokens"""
    outputTokens: int
    """The number of output tokens"""
    cachedTokens: int
    """The number of input tokens that were read from a cache"""
    costUsd: float
    """The cost in USD, exact to the nano-dollar, including corrections"""
    usage: Optional[str]
    """The source of the counts: `provider`, `counted` (by this service, from a complete answer) or `reserved` (the upper bound)"""
    latencyMs: Optional[int]
    """The time in milliseconds from admission to the end of the answer. Null if the call was interrupted"""
    firstTokenMs: Optional[int]
    """The time in milliseconds from admission to the first byte of the answer. Null without an answer"""
    session: Optional[str]
    """The session that the caller set. Null for none"""
    agent: Optional[str]
    """The coding agent that made the call, such as `claude-code` or `codex`. Null if none was recognised"""
    cache: Optional[Literal['hit']]
    """`hit` means that the answer came from the cache of the route and no provider was called. Null otherwise"""
    batch: Optional[str]
    """The batch that contained the call. Null for a call outside a batch"""
    tags: Dict[str, str]
    """The tags that the caller set or that its key adds"""
    policies: List['CallPoliciesItem']
    """The policies that failed or took an action"""


class CallPoliciesItem(TypedDict):
    id: str
    name: Optional[str]
    """The name of the policy at the time of the call. Null for none"""


class CallPage(TypedDict):
    data: List['Call']
    nextCursor: Optional[str]
    """Send this value as `cursor` to get the next page. Null on the last page"""

CallDensity = TypedDict('CallDensity', {
    'from': str,
    'to': str,
    'bucketMs': float,
    'total': int,
    'outcomes': Dict[str, int],
    'costUsd': float,
    'buckets': List['CallDensityBucketsItem'],
})


class CallDensityBucketsItem(TypedDict):
    index: int
    """The number of the bucket. It begins at `from` + `index` × `bucketMs`"""
    calls: int
    outcomes: Dict[str, int]
    """The number of calls by outcome, such as `ok` and `blocked`. Outcomes without calls are omitted"""
    costUsd: float


class CallCheck(TypedDict):
    name: str
    """The name of the check, such as `budget`, or the kind of the policy"""
    applicable: bool
    result: Literal['pass', 'fail', 'error', 'skip']
    action: Optional[str]
    """The action taken: block, redact or flag. Null for none"""
    policyId: Optional[str]
    """The policy of the check. Null for a check of the gateway itself"""
    policyVersion: Optional[int]
    """The version of the policy. Null if unknown"""
    policyName: Optional[str]
    """The name of the policy at the time of the call. Null for none"""


class CallAttempt(TypedDict):
    attempt: int
    """The number of the attempt within the call. Each attempt is admitted, priced and recorded separately"""
    provider: Optional[str]
    """The provider that answered. For a tool call, `mcp:<server>`"""
    model: Optional[str]
    """The canonical name of the model. For a tool call, `<server>__<tool>`"""
    upstream: Optional[str]
    """The model that answered, as the provider named it. Null if the provider named none"""
    status: Optional[int]
    """The HTTP status of the answer"""
    outcome: Optional[str]
    """ok, blocked, redacted, upstream_error, aborted, interrupted or failed"""
    toolError: bool
    """True if the tool itself reported a failure (`isError`). The outcome of such a call is not an error"""
    rpcCode: Optional[int]
    """The code of the protocol error that the server returned. Null without one"""
    cache: Optional[Literal['hit']]
    """`hit` means that the answer came from the cache of the route and no provider was called. Null otherwise"""
    latencyMs: Optional[int]
    """The time in milliseconds from admission to the end of the answer. Null if the call was interrupted"""
    costUsd: float
    """The cost in USD, exact to the nano-dollar, including corrections"""
    receiptSeq: int
    """The number of the call’s receipt in the record"""


class CostLine(TypedDict):
    kind: str
    """A kind of tokens as in `counts`, `images`, `tools.<name>` for a hosted tool, or `tools.tool_call` for a tool call"""
    count: int
    """The number of tokens, images or uses that are not on another line"""
    usdPerMillion: float
    """The price in USD per million units, in the tier of the call"""
    usd: float
    """The cost of this line in USD, before rounding"""


class CallStage(TypedDict):
    name: Literal['read', 'receive', 'plan', 'reserve', 'admit', 'guard', 'forward', 'answer', 'judge', 'settle']
    startMs: float
    """The start of the stage, in milliseconds after the headers of the request arrived"""
    durationMs: float


class CallCorrection(TypedDict):
    receiptSeq: int
    """The number of the entry that corrects the cost"""
    differenceUsd: float
    ts: Optional[str]
    """Null if the entry was dropped from the record"""
    reason: Optional[str]
    """Null if the entry was dropped from the record"""


class CallDetail(TypedDict):
    requestId: str
    """The id of the call"""
    attempt: int
    """The number of the attempt within the call. Each attempt is admitted, priced and recorded separately"""
    route: Optional[str]
    """The route that chose the model. Null if the caller chose it"""
    receiptSeq: int
    """The number of the call’s receipt in the record"""
    ts: str
    """When the call was admitted"""
    kind: Literal['model', 'tool']
    keyId: Optional[str]
    """The key that made the call"""
    keyName: Optional[str]
    """The name of the key at the time of the call. Null for none"""
    userId: Optional[str]
    """The owner of the key. Null for a key without an owner"""
    userName: Optional[str]
    """The name of the user at the time of the call. Null for none"""
    teamId: Optional[str]
    """The team that the call counts for. Null for none"""
    teamName: Optional[str]
    """The name of the team at the time of the call. Null for none"""
    provider: Optional[str]
    """The provider that answered. For a tool call, `mcp:<server>`"""
    model: Optional[str]
    """The canonical name of the model. For a tool call, `<server>__<tool>`"""
    askedModel: Optional[str]
    """The model as the caller wrote it"""
    upstream: Optional[str]
    """The model that answered, as the provider named it. Null if the provider named none"""
    server: Optional[str]
    """The server of the called tool. Null for a model call"""
    tool: Optional[str]
    """The called tool by its own name, the URI of a resource, or the name of a prompt. Null for a model call"""
    method: Optional[str]
    """The method that was called on the MCP server, such as `tools/call`. Null for a model call"""
    toolError: bool
    """True if the tool itself reported a failure (`isError`). The outcome of such a call is not an error"""
    rpcCode: Optional[int]
    """The code of the protocol error that the server returned. Null without one"""
    stream: bool
    status: Optional[int]
    """The HTTP status of the answer"""
    outcome: Optional[str]
    """ok, blocked, redacted, upstream_error, aborted, interrupted or failed"""
    inputTokens: int
    """The number of input tokens"""
    outputTokens: int
    """The number of output tokens"""
    cachedTokens: int
    """The number of input tokens that were read from a cache"""
    costUsd: float
    """The cost in USD, exact to the nano-dollar, including corrections"""
    usage: Optional[str]
    """The source of the counts: `provider`, `counted` (by this service, from a complete answer) or `reserved` (the upper bound)"""
    latencyMs: Optional[int]
    """The time in milliseconds from admission to the end of the answer. Null if the call was interrupted"""
    firstTokenMs: Optional[int]
    """The time in milliseconds from admission to the first byte of the answer. Null without an answer"""
    session: Optional[str]
    """The session that the caller set. Null for none"""
    agent: Optional[str]
    """The coding agent that made the call, such as `claude-code` or `codex`. Null if none was recognised"""
    cache: Optional[Literal['hit']]
    """`hit` means that the answer came from the cache of the route and no provider was called. Null otherwise"""
    batch: Optional[str]
    """The batch that contained the call. Null for a call outside a batch"""
    tags: Dict[str, str]
    """The tags that the caller set or that its key adds"""
    policies: List['CallDetailPoliciesItem']
    """The policies that failed or took an action"""
    receipt: 'CallDetailReceipt'
    fault: Optional[Literal['database', 'limits', 'shutdown', 'capacity', 'internal']]
    """The part of this service that failed, for the outcome `failed`. Null otherwise, and when the receipt was dropped"""
    checks: Optional[List['CallCheck']]
    """Every check of the call. Null if the receipt was dropped"""
    attempts: List['CallAttempt']
    """All attempts of the call, in order"""
    counts: Optional[Dict[str, Any]]
    """The priced amounts by kind. Null if unknown"""
    tier: Optional[str]
    """The price tier. Null for the standard tier"""
    price: Optional['CallDetailPrice']
    """The price that applied. Null if unknown"""
    costLines: Optional[List['CostLine']]
    """The lines of the cost. Their sum, rounded up to the nano-dollar, is the cost before corrections. Null if the counts or the price are unknown"""
    stages: Optional[List['CallStage']]
    """The stages of the call in order, to a hundredth of a millisecond: `read` (the key is checked, the body arrives), `receive`, `plan`, `reserve`, `admit` (limits and budgets), `guard` (policies on the request), `forward` (until the first byte of the provider), `answer` (until the last; for a stream, including delivery to the caller), `judge` (policies on an answer that is not streamed), `settle`. `latencyMs` counts from the end of `read`. Measured by the process that made the call and not part of the receipt: null if unknown"""
    prompt: Optional['CallDetailPrompt']
    """The stored prompt that was rendered into the call. Null for none"""
    content: Optional['CallContent']
    """The captured content of the call, for managers and auditors. Each read adds an entry `content.read` to the audit log. Null for members, with `content=false`, and if nothing was captured"""
    corrections: List['CallCorrection']
    """The later corrections of the cost, oldest first"""


class CallDetailPoliciesItem(TypedDict):
    id: str
    name: Optional[str]
    """The name of the policy at the time of the call. Null for none"""


class CallDetailReceipt(TypedDict):
    seq: int
    state: Literal['kept', 'dropped']
    """`dropped` means that the receipt is no longer in the record, only in an earlier export. Fields that only the receipt contains are then null"""


class CallDetailPrice(TypedDict):
    hash: str
    """The SHA-256 of the price"""
    terms: Optional[Dict[str, Any]]
    """The price, in picodollars. Null if the record no longer contains it"""


class CallDetailPrompt(TypedDict):
    id: str
    version: Optional[int]
    """The version of the prompt. Null if unknown"""


class UsageFigures(TypedDict):
    requests: int
    """The number of calls that left a receipt, which are all except those refused by a rate limit"""
    inputTokens: int
    """The number of input tokens"""
    outputTokens: int
    """The number of output tokens"""
    totalTokens: int
    """The number of input and output tokens"""
    spendUsd: float
    """The sum in USD of the costs in the receipts, exact to the nano-dollar"""
    blocked: int
    """The number of requests that were blocked by a policy, an allowlist, a suspension or a budget"""
    rateLimited: int
    """The number of calls refused by a rate limit. They leave no receipt and are not part of other figures. They are counted by key, user, team, provider and model, per hour (per minute in the last hour), and belong to the point in which that hour begins. Other filters exclude them. Other dimensions count them under null, except `session`, `route`, `agent`, `cache`, `batch` and `tool`, which exclude them"""
    errors: int
    """The number of requests that failed at the provider or in this service (`upstream_error`, `failed`, `interrupted`)"""
    avgLatencyMs: float
    """The mean latency of all requests in milliseconds. 0 without requests"""
    p50LatencyMs: float
    """The median latency in milliseconds, within 1/9 of the exact value. 0 without requests"""
    p95LatencyMs: float
    """The 95th percentile of the latency in milliseconds, within 1/9 of the exact value. 0 without requests"""


class UsageChange(TypedDict):
    """The change since the previous span. Negative for a decrease"""

    requests: float
    """The difference in requests"""
    totalTokens: float
    """The difference in tokens"""
    spendUsd: float
    """The difference in spend, in USD"""
    spendPct: Optional[float]
    """The difference in spend, in percent to one decimal place. Null without earlier spend"""

UsageBefore = TypedDict('UsageBefore', {
    'from': str,
    'to': str,
    'totals': 'UsageFigures',
    'change': 'UsageChange',
})


class UsagePoint(TypedDict):
    ts: str
    """The start of the interval, in UTC"""
    requests: int
    """The number of calls that left a receipt, which are all except those refused by a rate limit"""
    inputTokens: int
    """The number of input tokens"""
    outputTokens: int
    """The number of output tokens"""
    totalTokens: int
    """The number of input and output tokens"""
    spendUsd: float
    """The sum in USD of the costs in the receipts, exact to the nano-dollar"""
    blocked: int
    """The number of requests that were blocked by a policy, an allowlist, a suspension or a budget"""
    rateLimited: int
    """The number of calls refused by a rate limit. They leave no receipt and are not part of other figures. They are counted by key, user, team, provider and model, per hour (per minute in the last hour), and belong to the point in which that hour begins. Other filters exclude them. Other dimensions count them under null, except `session`, `route`, `agent`, `cache`, `batch` and `tool`, which exclude them"""
    errors: int
    """The number of requests that failed at the provider or in this service (`upstream_error`, `failed`, `interrupted`)"""
    avgLatencyMs: float
    """The mean latency of all requests in milliseconds. 0 without requests"""
    p50LatencyMs: float
    """The median latency in milliseconds, within 1/9 of the exact value. 0 without requests"""
    p95LatencyMs: float
    """The 95th percentile of the latency in milliseconds, within 1/9 of the exact value. 0 without requests"""


class UsageGroupPoint(TypedDict):
    ts: str
    """The start of the interval, in UTC"""
    requests: int
    """The number of calls that left a receipt, which are all except those refused by a rate limit"""
    inputTokens: int
    """The number of input tokens"""
    outputTokens: int
    """The number of output tokens"""
    totalTokens: int
    """The number of input and output tokens"""
    spendUsd: float
    """The sum in USD of the costs in the receipts, exact to the nano-dollar"""
    blocked: int
    """The number of requests that were blocked by a policy, an allowlist, a suspension or a budget"""
    errors: int
    """The number of requests that failed at the provider or in this service (`upstream_error`, `failed`, `interrupted`)"""


class UsageGroup(TypedDict):
    key: Optional[str]
    """The value of the dimension: the model (`server__tool` for a tool), provider, name or id. Null for calls without one"""
    name: NotRequired[Optional[str]]
    """The name of the key, user or team at the end of the span. Null if it had none"""
    second: NotRequired['UsageGroupSecond']
    """The value of the second dimension, if two were requested"""
    requests: int
    """The number of calls that left a receipt, which are all except those refused by a rate limit"""
    inputTokens: int
    """The number of input tokens"""
    outputTokens: int
    """The number of output tokens"""
    totalTokens: int
    """The number of input and output tokens"""
    spendUsd: float
    """The sum in USD of the costs in the receipts, exact to the nano-dollar"""
    blocked: int
    """The number of requests that were blocked by a policy, an allowlist, a suspension or a budget"""
    rateLimited: int
    """The number of calls refused by a rate limit. They leave no receipt and are not part of other figures. They are counted by key, user, team, provider and model, per hour (per minute in the last hour), and belong to the point in which that hour begins. Other filters exclude them. Other dimensions count them under null, except `session`, `route`, `agent`, `cache`, `batch` and `tool`, which exclude them"""
    errors: int
    """The number of requests that failed at the provider or in this service (`upstream_error`, `failed`, `interrupted`)"""
    avgLatencyMs: float
    """The mean latency of all requests in milliseconds. 0 without requests"""
    p50LatencyMs: float
    """The median latency in milliseconds, within 1/9 of the exact value. 0 without requests"""
    p95LatencyMs: float
    """The 95th percentile of the latency in milliseconds, within 1/9 of the exact value. 0 without requests"""
    previous: NotRequired['UsageGroupPrevious']
    """The figures of the group in the previous span, if a comparison was requested"""
    change: NotRequired['UsageChange']
    series: NotRequired[List['UsageGroupPoint']]
    """The figures of the group over time, if requested by `groupSeries`. It contains the intervals with calls, oldest first"""


class UsageGroupSecond(TypedDict):
    """The value of the second dimension, if two were requested"""

    key: Optional[str]
    """The value of the dimension, as in `key` of the group"""
    name: NotRequired[Optional[str]]
    """The value of the dimension, as in `key` of the group"""


class UsageGroupPrevious(TypedDict):
    """The figures of the group in the previous span, if a comparison was requested"""

    requests: int
    """The number of calls that left a receipt, which are all except those refused by a rate limit"""
    totalTokens: int
    """The number of input and output tokens"""
    spendUsd: float
    """The sum in USD of the costs in the receipts, exact to the nano-dollar"""


class UsageRest(TypedDict):
    groups: int
    """The number of groups that are not listed"""
    requests: int
    """The number of calls that left a receipt, which are all except those refused by a rate limit"""
    inputTokens: int
    """The number of input tokens"""
    outputTokens: int
    """The number of output tokens"""
    totalTokens: int
    """The number of input and output tokens"""
    spendUsd: float
    """The sum in USD of the costs in the receipts, exact to the nano-dollar"""
    blocked: int
    """The number of requests that were blocked by a policy, an allowlist, a suspension or a budget"""
    rateLimited: int
    """The number of calls refused by a rate limit. They leave no receipt and are not part of other figures. They are counted by key, user, team, provider and model, per hour (per minute in the last hour), and belong to the point in which that hour begins. Other filters exclude them. Other dimensions count them under null, except `session`, `route`, `agent`, `cache`, `batch` and `tool`, which exclude them"""
    errors: int
    """The number of requests that failed at the provider or in this service (`upstream_error`, `failed`, `interrupted`)"""
    avgLatencyMs: float
    """The mean latency of all requests in milliseconds. 0 without requests"""
    p50LatencyMs: float
    """The median latency in milliseconds, within 1/9 of the exact value. 0 without requests"""
    p95LatencyMs: float
    """The 95th percentile of the latency in milliseconds, within 1/9 of the exact value. 0 without requests"""
    previous: NotRequired['UsageRestPrevious']
    """The figures of the group in the previous span, if a comparison was requested"""
    change: NotRequired['UsageChange']


class UsageRestPrevious(TypedDict):
    """The figures of the group in the previous span, if a comparison was requested"""

    requests: int
    """The number of calls that left a receipt, which are all except those refused by a rate limit"""
    totalTokens: int
    """The number of input and output tokens"""
    spendUsd: float
    """The sum in USD of the costs in the receipts, exact to the nano-dollar"""

Usage = TypedDict('Usage', {
    'range': Optional[Literal['1h', '24h', '7d', '30d', '90d', 'today', 'yesterday', 'wtd', 'last-week', 'mtd', 'last-month', 'qtd', 'last-quarter', 'ytd', 'last-year']],
    'from': str,
    'to': str,
    'timeZone': str,
    'interval': Literal['minute', 'hour', 'day', 'week', 'month'],
    'totals': 'UsageFigures',
    'previous': NotRequired['UsageBefore'],
    'series': List['UsagePoint'],
    'groups': List['UsageGroup'],
    'otherSeries': NotRequired[List['UsageGroupPoint']],
    'rest': Optional['UsageRest'],
})


class Percentiles(TypedDict):
    """`latency` is the time from admission to the end of the answer, `firstToken` to its first byte"""

    calls: int
    """The number of measured calls"""
    p50Ms: Optional[float]
    """The median in milliseconds. Null without calls"""
    p95Ms: Optional[float]
    """The 95th percentile in milliseconds. Null without calls"""
    p99Ms: Optional[float]
    """The 99th percentile in milliseconds. Null without calls"""


class LatencyFigures(TypedDict):
    latency: 'Percentiles'
    firstToken: 'Percentiles'


class LatencyPoint(TypedDict):
    ts: str
    """The start of the interval, in UTC"""
    latency: 'Percentiles'
    firstToken: 'Percentiles'


class LatencyGroup(TypedDict):
    key: Optional[str]
    """The value of the dimension: the model (`server__tool` for a tool), provider, name or id. Null for calls without one"""
    name: NotRequired[Optional[str]]
    """The name of the key, user or team at the end of the span. Null if it had none"""
    second: NotRequired['LatencyGroupSecond']
    """The value of the second dimension, if two were requested"""
    latency: 'Percentiles'
    firstToken: 'Percentiles'


class LatencyGroupSecond(TypedDict):
    """The value of the second dimension, if two were requested"""

    key: Optional[str]
    """The value of the dimension, as in `key` of the group"""
    name: NotRequired[Optional[str]]
    """The value of the dimension, as in `key` of the group"""

UsageLatency = TypedDict('UsageLatency', {
    'range': Optional[Literal['1h', '24h', '7d', '30d', '90d', 'today', 'yesterday', 'wtd', 'last-week', 'mtd', 'last-month', 'qtd', 'last-quarter', 'ytd', 'last-year']],
    'from': str,
    'to': str,
    'timeZone': str,
    'interval': Literal['minute', 'hour', 'day', 'week', 'month'],
    'relativeError': float,
    'totals': 'LatencyFigures',
    'series': List['LatencyPoint'],
    'groups': List['LatencyGroup'],
})


class UsageForecastDay(TypedDict):
    ts: str
    """The start of the day"""
    spentUsd: Optional[float]
    """The amount in USD spent on the day. Null for a day that has not begun"""
    forecastUsd: Optional[float]
    """The expected spend of the whole day, in USD. Null for a past day, and with less than a week of spend"""

UsageForecast = TypedDict('UsageForecast', {
    'from': str,
    'to': str,
    'timeZone': str,
    'spentUsd': float,
    'forecastUsd': Optional[float],
    'days': List['UsageForecastDay'],
})


class StreamHello(TypedDict):
    now: str
    types: List[Literal['call', 'alert', 'budget', 'provider']]
    scope: Literal['tenant', 'own']
    """`own` means that the stream contains only data of this key or its user"""
    resumed: bool
    """True when the stream continues after the last event id"""
    retryMs: int
    """The time to wait before reconnecting, in milliseconds"""


class StreamHelloEvent(TypedDict):
    event: Literal['hello']
    id: NotRequired[str]
    data: 'StreamHello'


class StreamCallEvent(TypedDict):
    event: Literal['call']
    id: NotRequired[str]
    data: 'Call'


class StreamAlert(TypedDict):
    id: str
    """The id of the alert. It is the same for all readers"""
    event: Literal['budget.threshold_reached', 'budget.request_filed', 'policy.violation', 'anomaly.usage_spike', 'provider.failing', 'mcp.tool_changed', 'record.refused']
    created: str
    data: Dict[str, Any]
    """The data of the event, as in a webhook"""


class StreamAlertEvent(TypedDict):
    event: Literal['alert']
    id: NotRequired[str]
    data: 'StreamAlert'


class StreamBudget(TypedDict):
    id: str
    name: str
    scope: 'StreamBudgetScope'
    leading: NotRequired[Optional[str]]
    """For a budget that applies to each session or to each value of a tag: the session or value that has spent the most. The figures of the budget are those of this session or value. Null before anything is spent, and for members, who cannot see the calls of others"""
    amountUsd: float
    """The maximum spend per period, in USD"""
    grantedUsd: float
    """The amount in USD that approved requests have added for the current period"""
    period: Literal['daily', 'weekly', 'monthly', 'total']
    """The period of the budget, as a calendar period in UTC. Weeks start on Monday. `total` never ends"""
    thresholdPct: int
    """The percentage of the amount at which an alert is sent"""
    action: Literal['block', 'alert']
    """`block` refuses calls that would exceed the budget. `alert` only sends an alert"""
    spentUsd: float
    """The amount in USD spent in the current period: the sum of its receipts"""
    reservedUsd: float
    """The amount in USD that is reserved by calls in progress"""
    remainingUsd: float
    """The amount in USD that is left, never below 0"""
    forecastUsd: Optional[float]
    """The expected spend in USD at the end of the period if no limit stops it: the spend so far plus, for each remaining day, the mean of the same weekday in the previous four weeks. Null for `total`, and with less than a week of spend"""
    periodStart: str
    periodEnd: Optional[str]
    """When the current period ends. Null for `total`"""
    share: float
    """The amount spent, as a share of the amount including grants"""
    deleted: bool
    """True if the budget was deleted or is no longer visible. The other fields are then its last state"""


class StreamBudgetScope(TypedDict):
    type: Literal['tenant', 'team', 'user', 'key', 'tag', 'session']
    id: str


class StreamBudgetEvent(TypedDict):
    event: Literal['budget']
    id: NotRequired[str]
    data: 'StreamBudget'


class StreamProvider(TypedDict):
    provider: str
    status: Literal['up', 'failing', 'quiet']
    """`failing` means that at least three calls, and at least half of all calls, of the last minute failed at the provider. `quiet` means that there was no call in the last minute"""
    calls: int
    """The number of calls that ended in the window"""
    failed: int
    windowSeconds: int


class StreamProviderEvent(TypedDict):
    event: Literal['provider']
    id: NotRequired[str]
    data: 'StreamProvider'

StreamGap = TypedDict('StreamGap', {
    'message': str,
    'fromSeq': int,
    'toSeq': int,
    'from': Optional[str],
    'to': Optional[str],
    'read': str,
})


class StreamGapEvent(TypedDict):
    event: Literal['gap']
    id: NotRequired[str]
    data: 'StreamGap'


class StreamFarewell(TypedDict):
    reason: Literal['shutdown', 'done', 'slow_reader', 'unauthorized', 'user_suspended', 'access_changed', 'internal_error']
    message: str
    reconnect: bool
    """True when the client should reconnect with the last event id"""


class StreamByeEvent(TypedDict):
    event: Literal['bye']
    id: NotRequired[str]
    data: 'StreamFarewell'


class StreamErrorEvent(TypedDict):
    event: Literal['error']
    id: NotRequired[str]
    data: 'StreamFarewell'

StreamEvent = Union['StreamHelloEvent', 'StreamCallEvent', 'StreamAlertEvent', 'StreamBudgetEvent', 'StreamProviderEvent', 'StreamGapEvent', 'StreamByeEvent', 'StreamErrorEvent']


class Attention(TypedDict):
    items: int
    """The number of items listed below. 0 if nothing needs attention"""
    record: Optional['AttentionRecord']
    """Why the record is not signed: the database was restored to an earlier moment, or lost its last commits. Calls get 503. Null if it is signed"""
    budgetRequests: 'AttentionBudgetRequests'
    limits: List['AttentionLimitsItem']
    """At most 50 limits that have reached their threshold in the current period, most used first. Budgets for each session or tag are not included"""
    providers: List['AttentionProvidersItem']
    """Providers at which at least three calls, and at least half of all calls, failed in the last 15 minutes"""
    credentials: List['AttentionCredentialsItem']
    """Credentials of providers that are refused, as seen by this replica or reported by another in the last hour, and credentials that cannot be decrypted"""
    tools: List['AttentionToolsItem']
    """MCP servers with tools that wait for a manager, except those with `pinning: off`"""
    webhooks: List['AttentionWebhooksItem']
    """Endpoints with failed deliveries"""


class AttentionRecord(TypedDict):
    message: str
    """What happened, and what an operator has to do"""


class AttentionBudgetRequests(TypedDict):
    pending: int
    """The number of requests that wait for a manager"""
    oldestAt: Optional[str]
    """When the oldest of these requests was created. Null if there are none"""


class AttentionLimitsItem(TypedDict):
    type: Literal['budget', 'pool', 'cap']
    """The kind of limit: a budget, the pool of a team, or the cap of a user"""
    id: str
    """The id of the budget, the team or the user"""
    title: str
    state: Literal['near', 'exhausted']
    """`near` means that spend has reached the threshold"""
    spentUsd: float
    limitUsd: float
    """The limit in USD, including amounts granted for this period"""
    thresholdPct: int


class AttentionProvidersItem(TypedDict):
    provider: str
    calls: int
    """The number of calls to the provider"""
    failed: int
    """The number of calls that failed at the provider: without an answer, or with 5xx, 429 or 408"""
    lastFailedAt: Optional[str]
    """When the last failed call was admitted"""


class AttentionCredentialsItem(TypedDict):
    providerId: str
    providerName: str
    credentialId: str
    state: Literal['refused', 'undecryptable']
    """`undecryptable` means that the service does not have the master key that the credential is encrypted with"""
    message: str
    at: Optional[str]
    """When the credential was refused. Null if it cannot be decrypted"""


class AttentionToolsItem(TypedDict):
    serverId: str
    serverName: str
    new: int
    """The number of tools that were never approved"""
    changed: int
    """The number of tools that have changed since they were approved"""
    oldestAt: Optional[str]
    """When the first of these definitions was seen"""


class AttentionWebhooksItem(TypedDict):
    id: str
    name: str
    enabled: bool
    dead: int
    """The number of deliveries of the last seven days that were abandoned"""
    retrying: int
    """Deliveries that failed and will be retried"""
    lastError: Optional[str]
    """The error of the last failed attempt"""
    lastAttemptAt: Optional[str]
    """When that attempt was made"""


class About(TypedDict):
    product: Literal['Tallystick']
    version: str
    node: str
    """The version of Node.js"""
    startedAt: str
    """When the responding process started"""
    uptimeSeconds: int
    instanceId: str
    """The id of the database. It is the same on every replica and never changes"""
    tenant: 'AboutTenant'
    mode: Literal['trial', 'strict']
    """`trial` means that the service runs only for this machine, with a mock provider and relaxed URL rules. Any other service is `strict`"""
    modeReason: Optional[str]
    """Why the mode is `strict`. Null for a trial"""
    database: 'AboutDatabase'
    redis: 'AboutRedis'
    record: 'AboutRecord'
    features: 'AboutFeatures'
    retention: 'AboutRetention'


class AboutTenant(TypedDict):
    id: str
    name: str
    isDemo: bool
    """True if all data of the tenant is generated for the demo"""


class AboutDatabase(TypedDict):
    type: Literal['embedded', 'external']
    version: str
    status: Literal['ok', 'degraded']
    """`degraded` means that receipts cannot be written at the moment"""


class AboutRedis(TypedDict):
    status: Literal['ok', 'unavailable', 'unused']
    """`unused` means that limits are kept in the memory of this process"""
    message: Optional[str]
    """What is wrong. Null if Redis works"""


class AboutRecord(TypedDict):
    size: int
    """The number of entries in the record of this tenant"""
    firstKept: int
    """The number of the first entry that was not dropped"""
    lastEntryAt: Optional[str]
    """When the newest checkpoint was sealed. Null for an empty record"""


class AboutFeatures(TypedDict):
    anchors: Literal['none', 'file', 'rfc3161']
    """Where checkpoints are anchored"""
    traces: bool
    """True if traces are sent to a collector"""
    ownPrices: bool
    """True if the operator has a price file"""
    ownPacks: bool
    """True if the operator has a folder of compliance packs"""
    providers: List[str]
    """Names of the configured providers"""


class AboutRetention(TypedDict):
    callsDays: int
    """The number of days for which calls can be searched"""
    webhookDeliveriesDays: int
    """The number of days for which finished deliveries are kept"""


class McpClient(TypedDict):
    client_id: str
    client_uri: str
    redirect_uris: List[str]


class GatewayCall(TypedDict):
    model: str
    """The name of a route or of a model in the catalogue, or `provider/model`"""
    stream: NotRequired[bool]
    """If true, the answer is streamed as server-sent events"""

ProviderError = Dict[str, Any]


class Model(TypedDict):
    id: str
    object: Literal['model']
    created: int
    owned_by: str
    endpoints: List[str]
    """The paths at which the model can be called"""


class ModelList(TypedDict):
    """The list in the format of OpenAI"""

    object: Literal['list']
    data: List['Model']


class AnthropicModel(TypedDict):
    id: str
    type: Literal['model']
    display_name: str
    created_at: str


class AnthropicModelList(TypedDict):
    """The list in the format of Anthropic, for requests with `anthropic-version` or with the key as `x-api-key`"""

    data: List['AnthropicModel']
    has_more: bool
    first_id: Optional[str]
    last_id: Optional[str]


class FileForm(TypedDict):
    purpose: Literal['batch']
    file: Any
    """The file, as JSON lines"""


class File(TypedDict):
    id: str
    object: Literal['file']
    bytes: int
    created_at: int
    """When the file was uploaded, in seconds since the Unix epoch"""
    expires_at: int
    """When the file is deleted, in seconds since the Unix epoch"""
    filename: str
    purpose: Literal['batch', 'batch_output']
    status: Literal['processed']


class BatchOrder(TypedDict):
    input_file_id: str
    """The id of a file that this key uploaded with `purpose: batch`"""
    endpoint: Literal['/v1/chat/completions', '/v1/responses', '/v1/embeddings', '/v1/completions', '/v1/moderations']
    """The `url` of every line"""
    completion_window: Literal['24h']
    metadata: NotRequired[Optional[Dict[str, str]]]
    """Key-value pairs of your choice. Null for none"""


class Batch(TypedDict):
    id: str
    object: Literal['batch']
    endpoint: str
    model: str
    errors: Optional['BatchErrors']
    """Why the batch failed. Null if it did not fail"""
    input_file_id: str
    completion_window: Literal['24h']
    status: Literal['validating', 'in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled']
    output_file_id: Optional[str]
    """The file with the answers. Null if there are none, or none yet"""
    error_file_id: Optional[str]
    """The file with the lines that have no answer, and the reasons. Null if there are none, or none yet"""
    created_at: int
    """When the batch was created, in seconds since the Unix epoch"""
    in_progress_at: Optional[int]
    """When the provider received the batch, in seconds since the Unix epoch. Null until then"""
    expires_at: int
    """When the batch expires if the provider has not finished it, in seconds since the Unix epoch"""
    finalizing_at: Optional[int]
    """When this service started to fetch the answers, in seconds since the Unix epoch. Null until then"""
    completed_at: Optional[int]
    """When the answers were available, in seconds since the Unix epoch. Null until then"""
    failed_at: Optional[int]
    """When the batch failed, in seconds since the Unix epoch. Null until then"""
    expired_at: Optional[int]
    """When the batch expired, in seconds since the Unix epoch. Null until then"""
    cancelling_at: Optional[int]
    """When the cancellation was requested, in seconds since the Unix epoch. Null until then"""
    cancelled_at: Optional[int]
    """When the batch was cancelled, in seconds since the Unix epoch. Null until then"""
    request_counts: 'BatchRequestCounts'
    metadata: Optional[Dict[str, str]]
    """Your key-value pairs. Null for none"""


class BatchErrors(TypedDict):
    object: Literal['list']
    data: List['BatchErrorsDataItem']


class BatchErrorsDataItem(TypedDict):
    code: str
    message: str


class BatchRequestCounts(TypedDict):
    total: int
    completed: int
    failed: int


class McpMessage(TypedDict):
    """A JSON-RPC 2.0 message. Callers of protocol version 2025-03-26 can send an array of messages"""

    jsonrpc: Literal['2.0']
    id: NotRequired[Optional[Union[str, int]]]
    method: NotRequired[str]
    """The method. Absent in a reply to a request of the server"""
    params: NotRequired[Dict[str, Any]]


class McpResponse(TypedDict):
    """A JSON-RPC 2.0 response, with a `result` or an `error`"""

    jsonrpc: Literal['2.0']
    id: NotRequired[Optional[Union[str, int]]]
    result: NotRequired[Dict[str, Any]]
    error: NotRequired['McpResponseError']


class McpResponseError(TypedDict):
    code: int
    message: str
    data: NotRequired[Any]
    """The error body of the other routes, with its `type`"""


class BudgetThresholdReachedEvent(TypedDict):
    id: str
    """The id of the delivery. It is the same for every attempt"""
    event: Literal['budget.threshold_reached']
    created: str
    data: 'BudgetThresholdReachedEventData'


class BudgetThresholdReachedEventData(TypedDict):
    message: str
    """A message for people"""
    virtual_key_id: str
    """The key whose call crossed the threshold. Empty if it is unknown"""
    spent_usd: float
    budget_usd: float
    """The budget in USD, including granted amounts"""
    threshold_pct: int
    budget: 'BudgetThresholdReachedEventDataBudget'


class BudgetThresholdReachedEventDataBudget(TypedDict):
    id: Optional[str]
    """Null if the limit is the pool of a team or the cap of a user"""
    name: str
    scope: 'BudgetThresholdReachedEventDataBudgetScope'


class BudgetThresholdReachedEventDataBudgetScope(TypedDict):
    type: str
    id: str


class BudgetRequestFiledEvent(TypedDict):
    id: str
    """The id of the delivery. It is the same for every attempt"""
    event: Literal['budget.request_filed']
    created: str
    data: 'BudgetRequestFiledEventData'


class BudgetRequestFiledEventData(TypedDict):
    message: str
    """A message for people"""
    request_id: str
    virtual_key_id: Optional[str]
    """The virtual key. Null if it is unknown"""
    user_id: Optional[str]
    """The user. Null for a key without an owner"""
    amount_usd: float
    reason: str
    budget: 'BudgetRequestFiledEventDataBudget'


class BudgetRequestFiledEventDataBudget(TypedDict):
    id: Optional[str]
    """Null if the limit is the pool of a team or the cap of a user"""
    name: str
    scope: 'BudgetRequestFiledEventDataBudgetScope'


class BudgetRequestFiledEventDataBudgetScope(TypedDict):
    type: str
    id: str


class PolicyViolationEvent(TypedDict):
    id: str
    """The id of the delivery. It is the same for every attempt"""
    event: Literal['policy.violation']
    created: str
    data: 'PolicyViolationEventData'


class PolicyViolationEventData(TypedDict):
    message: str
    """A message for people"""
    virtual_key_id: Optional[str]
    """The virtual key. Null if it is unknown"""
    user_id: Optional[str]
    """The user. Null for a key without an owner"""
    policy_id: Optional[str]
    """The id of the policy. Null if an allowlist blocked the call"""
    policy_name: Optional[str]
    """The name of the policy. Null if an allowlist blocked the call"""
    check: str
    model: Optional[str]
    """The model or tool that was called"""
    receipt_seq: int


class AnomalyUsageSpikeEvent(TypedDict):
    id: str
    """The id of the delivery. It is the same for every attempt"""
    event: Literal['anomaly.usage_spike']
    created: str
    data: 'AnomalyUsageSpikeEventData'


class AnomalyUsageSpikeEventData(TypedDict):
    message: str
    """A message for people"""
    requests_last_hour: int
    baseline_per_hour: float
    ratio: float
    """The ratio to the baseline. A baseline of zero counts as one call per hour"""
    hour: str


class ProviderFailingEvent(TypedDict):
    id: str
    """The id of the delivery. It is the same for every attempt"""
    event: Literal['provider.failing']
    created: str
    data: 'ProviderFailingEventData'


class ProviderFailingEventData(TypedDict):
    message: str
    """A message for people"""
    provider_id: str
    provider_name: str
    credential_id: str
    status: int
    """The status code that the provider returned"""


class McpToolChangedEvent(TypedDict):
    id: str
    """The id of the delivery. It is the same for every attempt"""
    event: Literal['mcp.tool_changed']
    created: str
    data: 'McpToolChangedEventData'


class McpToolChangedEventData(TypedDict):
    message: str
    """A message for people"""
    server: 'McpToolChangedEventDataServer'
    tool: str
    state: Literal['changed', 'new', 'gone']
    hash: str
    """The SHA-256 of the definition"""
    previous_hash: Optional[str]
    """The SHA-256 of the previous definition. Null if there was none"""


class McpToolChangedEventDataServer(TypedDict):
    id: str
    name: str


class RecordRefusedEvent(TypedDict):
    id: str
    """The id of the delivery. It is the same for every attempt"""
    event: Literal['record.refused']
    created: str
    data: 'RecordRefusedEventData'


class RecordRefusedEventData(TypedDict):
    message: str
    """A message for people"""
    sealed_size: int
    """The number of entries that had been signed"""
    sealed_at: str


class WebhookTestEvent(TypedDict):
    id: str
    """The id of the delivery. It is the same for every attempt"""
    event: Literal['webhook.test']
    created: str
    data: 'WebhookTestEventData'


class WebhookTestEventData(TypedDict):
    message: str
    """A message for people"""


class ChatMessage(TypedDict):
    text: str
