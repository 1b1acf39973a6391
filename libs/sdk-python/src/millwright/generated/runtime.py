"""Made by `npm run openapi`: do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union

from pydantic import Field

from .._model import Model as _Record, rebuild


class ApiErrorErrorDetails(_Record):
    """The first field at fault."""

    #: The field at fault, dotted; empty when no field is.
    field: str
    #: Why it is refused.
    reason: str


class ApiErrorError(_Record):
    """What went amiss."""

    #: Name of the error for programs. Later releases may add names.
    code: str
    #: Sentence for people: what is wrong and what to do.
    message: str
    #: The first field at fault.
    details: ApiErrorErrorDetails


class ApiError(_Record):
    #: What went amiss.
    error: ApiErrorError


class Health(_Record):
    #: State of the record.
    status: Union[Literal["ok", "degraded"], str]
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: str
    #: Seconds since the process began.
    uptime_seconds: int


class Jwks(_Record):
    #: Keys, or their number.
    keys: List[Dict[str, Any]]


class DefaultAgentCardSupportedInterfacesItem(_Record):
    #: Address, absolute.
    url: str
    #: Form of requests.
    protocolBinding: Union[Literal["JSONRPC", "HTTP+JSON"], str]
    #: Version of the protocol.
    protocolVersion: Union[Literal["1.0", "0.3"], str]


class DefaultAgentCardCapabilities(_Record):
    """What it can do."""

    #: Whether it can stream.
    streaming: bool
    #: Whether it can send push notifications.
    pushNotifications: bool


class DefaultAgentCardSkillsItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: Words to find it by.
    tags: List[str]


class DefaultAgentCardSignaturesItem(_Record):
    #: Whether moves need an admin and a reason; in a signature, its protected header.
    protected: str
    #: How posts are signed, or the signature itself.
    signature: str


class DefaultAgentCard(_Record):
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: str
    #: Addresses of the agent, with the protocol of each.
    supportedInterfaces: List[DefaultAgentCardSupportedInterfacesItem]
    #: What it can do.
    capabilities: DefaultAgentCardCapabilities
    #: Media types that the agent reads.
    defaultInputModes: List[str]
    #: Media types that the agent writes.
    defaultOutputModes: List[str]
    #: Skills, or their number.
    skills: List[DefaultAgentCardSkillsItem]
    #: Signatures of the card (JWS).
    signatures: Optional[List[DefaultAgentCardSignaturesItem]] = None


class AgentSkillsItem(_Record):
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str


class Agent(_Record):
    #: Name for people and programs.
    name: str
    #: State of the record.
    status: Union[Literal["running", "stopped", "degraded"], str]
    #: Address of the service.
    endpoint: str
    #: What it can do.
    capabilities: List[str]
    #: Purpose of the record.
    description: str
    #: Skills, or their number.
    skills: List[AgentSkillsItem]
    #: Since when an admin has stopped it; no run of it starts
    stopped_at: Optional[str]


class ContextMessagesItemToolsItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Arguments of the call, as JSON.
    arguments: str
    #: Beginning of the answer; null while there is none
    answer: Optional[str]
    #: Whether the call failed.
    failed: bool


class ContextMessagesItemRun(_Record):
    #: Id of the record; it never changes.
    id: str
    #: State at present.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: it does not wait.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: The user's rating of the answer
    feedback: Optional[Union[Literal["up", "down"], str]]


class ContextMessagesItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Who speaks, or the role of the account.
    role: Union[Literal["user", "assistant"], str]
    #: The text, or what is stored of it.
    content: str
    #: When the message was stored, in UTC.
    timestamp: str
    #: Of a user's message: the agent failed and has not answered it. Send the same message again to retry.
    failed: bool
    #: Tools by name, or calls of them.
    tools: List[ContextMessagesItemToolsItem]
    #: Of a user's message: the latest run that answers it
    run: Optional[ContextMessagesItemRun]


class Context(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Beginning of the first message
    title: str
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str
    #: The agent concerned.
    agent: str
    #: The last 500, oldest first
    messages: List[ContextMessagesItem]


class ConversationMessagesItemToolsItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Arguments of the call, as JSON.
    arguments: str
    #: Beginning of the answer; null while there is none
    answer: Optional[str]
    #: Whether the call failed.
    failed: bool


class ConversationMessagesItemRun(_Record):
    #: Id of the record; it never changes.
    id: str
    #: State at present.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: it does not wait.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: The user's rating of the answer
    feedback: Optional[Union[Literal["up", "down"], str]]


class ConversationMessagesItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Who speaks, or the role of the account.
    role: Union[Literal["user", "assistant"], str]
    #: The text, or what is stored of it.
    content: str
    #: When the message was stored, in UTC.
    timestamp: str
    #: Of a user's message: the agent failed and has not answered it. Send the same message again to retry.
    failed: bool
    #: Tools by name, or calls of them.
    tools: List[ConversationMessagesItemToolsItem]
    #: Of a user's message: the latest run that answers it
    run: Optional[ConversationMessagesItemRun]


class Conversation(_Record):
    #: Id of the record; it never changes.
    id: str
    #: As its user named it, or the beginning of the first message
    title: str
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str
    #: The agent concerned.
    agent: str
    #: Whether it stands before all others
    pinned: bool
    #: Whether all users of the project may read it
    shared: bool
    #: Whether it is yours. What tools did is shown to its user only
    own: bool
    #: Whose conversation it is
    user_name: str
    #: The last 500, oldest first
    messages: List[ConversationMessagesItem]


class RunSubject(_Record):
    """What it is about."""

    #: Which kind it is.
    kind: Union[Literal["agent", "prompt", "model"], str]
    #: Null: the built-in agent, or a model
    id: Optional[str]
    #: Name for people and programs.
    name: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int]


class RunUser(_Record):
    """The account concerned."""

    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class RunConversation(_Record):
    #: Id of the record; it never changes.
    id: str
    #: The message there that is its answer
    message_id: Optional[str]


class RunError(_Record):
    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str
    #: The upstream's status, for `runs:read_all`
    status: Optional[int]
    #: The upstream's words, for `runs:read_all`
    detail: Optional[str]


class RunActorsItem(_Record):
    #: Who names the actor; null: this installation
    issuer: Optional[str]
    #: Id of an agent or a client
    sub: str
    #: Of an agent
    version: Optional[int]


class RunBudget(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: What the budget counts.
    level: Union[Literal["project", "api_key", "client", "user", "agent", "trigger", "run"], str]


class RunConnection(_Record):
    #: Id of an MCP server.
    server_id: str
    #: Name for people and programs.
    name: str
    #: Page on which to connect your account.
    connect_url: str


class Run(_Record):
    #: Id of the record; it never changes.
    id: str
    #: State at present.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: it does not wait.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: When it came into this state
    state_at: str
    #: What it is about.
    subject: RunSubject
    #: The account concerned.
    user: RunUser
    #: How the run was started.
    channel: Union[Literal["messages", "a2a", "mcp", "console", "agent", "trigger", "prompt", "responses", "chat", "draft"], str]
    #: Beginning of the message that it answers
    title: Optional[str]
    #: Id of a conversation with an agent.
    context_id: Optional[str]
    #: The conversation of the prompt API that a prompt's run has begun or continued
    conversation: Optional[RunConversation]
    #: The run whose agent started this one
    parent_id: Optional[str]
    #: The run that this one repeats
    retry_of: Optional[str]
    #: Name of a language model.
    model: Optional[str]
    #: Calls of the model and of tools so far.
    steps: int
    #: Calls of tools so far.
    tool_calls: int
    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: int
    #: Null while no price is known
    cost_usd: Optional[float]
    #: When it was queued, in UTC.
    queued_at: str
    #: When it began, in UTC; null: not yet.
    started_at: Optional[str]
    #: When it ended, in UTC; null: not yet.
    ended_at: Optional[str]
    #: What failed; null or absent: nothing.
    error: Optional[RunError]
    #: Rating of the run; null: none.
    feedback: Optional[Union[Literal["up", "down"], str]]
    #: Whether it is the caller's own
    is_own: bool
    #: How many processes have executed it
    attempt: int
    #: Of a queued run: its position among those of the project that wait for a place, from 1; counted up to 1000
    queue_position: Optional[int]
    #: The message that it answers
    input: Optional[str]
    #: Its input besides a message
    data: Any
    #: Its answer
    output: Optional[str]
    #: Comment of the rating; null: none.
    feedback_comment: Optional[str]
    #: The kind of credential that started it
    credential: Optional[str]
    #: The agents and clients for which that credential acts, the nearest first (`act` of RFC 8693)
    actors: List[RunActorsItem]
    #: Additional data.
    metadata: Any
    #: Id of the trace (W3C Trace Context); null: it was not traced.
    trace_id: Optional[str]
    #: When retention removed the texts of its steps; those of its conversation are kept with that
    content_removed_at: Optional[str]
    #: The budget that it waits for
    budget: Optional[RunBudget]
    #: The MCP server at which it waits for an account of its user
    connection: Optional[RunConnection]


class RunStepCallsItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class RunStepError(_Record):
    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str
    #: The upstream's status, for `runs:read_all`
    status: Optional[int]
    #: The upstream's words, for `runs:read_all`
    detail: Optional[str]


class RunStepMessagesItemCallsItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class RunStepMessagesItem(_Record):
    #: Who speaks, or the role of the account.
    role: str
    #: The text, or what is stored of it.
    content: str
    #: Calls of tools that the message asks for; null: none.
    calls: Optional[List[RunStepMessagesItemCallsItem]]


class RunStep(_Record):
    #: Number of the step, from 1.
    seq: int
    #: Which kind it is.
    kind: Union[Literal["model", "tool"], str]
    #: What it led to.
    outcome: Union[Literal["started", "succeeded", "failed", "unknown"], str]
    #: Whether the run waits for a person to state whether this call had its effect
    awaits_outcome: bool
    #: Number of the attempt, from 1.
    attempt: int
    #: The step of the model's answer that asked for this call of a tool
    asked_by: Optional[int]
    #: Name of a language model.
    model: Optional[str]
    #: Parameters by name.
    parameters: Any
    #: Text of the answer; null: none yet.
    answer: Optional[str]
    #: Calls of tools that the model's answer asks for
    calls: Optional[List[RunStepCallsItem]]
    #: Name of a tool.
    tool: Optional[str]
    #: Id of the tool's MCP server or plugin
    server: Optional[str]
    #: SHA-256 of the tool's definition, hexadecimal
    definition_hash: Optional[str]
    #: The tool's rule when the call was made or refused; null: no such tool, or not kept
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Arguments of the call, as JSON.
    arguments: Optional[str]
    #: The run that the call of an agent has started
    child_id: Optional[str]
    #: What the call returned; null: nothing yet.
    result: Optional[str]
    #: Whether text of others had a part in it
    untrusted: Optional[bool]
    #: Tokens that the model read; null: unknown.
    prompt_tokens: Optional[int]
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: Optional[int]
    #: Cost in US dollars; null while no price is known.
    cost_usd: Optional[float]
    #: When it began, in UTC; null: not yet.
    started_at: str
    #: When the first token of the answer arrived; null: not yet.
    first_token_at: Optional[str]
    #: When it ended, in UTC; null: not yet.
    ended_at: Optional[str]
    #: What failed; null or absent: nothing.
    error: Optional[RunStepError]
    #: The messages of the conversation that the model read: the last 200, up to 8 MiB, oldest first
    messages: List[RunStepMessagesItem]
    #: Messages that it read besides those of the conversation
    added: Any


class User(_Record):
    #: Id of the record; it never changes.
    id: str
    #: E-mail address; in guards, the actions for e-mail addresses.
    email: str
    #: Name for people and programs.
    name: str
    #: Who speaks, or the role of the account.
    role: Union[Literal["user", "admin"], str]
    #: `Core`, `Commerce`, or the id of a project that a platform admin made
    project: str
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: When the record was made, in UTC.
    created_at: str


class ContentFile(_Record):
    """The file that a passage is from; content items have none"""

    #: Id of the record; it never changes.
    id: str
    #: The number of the passage in the file, from 1
    passage: int
    #: The page, in formats with pages
    page: Optional[int]


class Content(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Title for people.
    title: str
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: str
    #: The text, or what is stored of it.
    content: str
    #: Where it comes from.
    source: str
    #: Which kind it is.
    kind: str
    #: Whether it may be read by all projects.
    public: bool
    #: Words to find it by.
    tags: List[str]
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str
    #: The file that a passage is from; content items have none
    file: Optional[ContentFile] = None


class ServerEntryServerRemotesItem(_Record):
    #: Which type it is.
    type: Literal["streamable-http"]
    #: Address, absolute.
    url: str


class ServerEntryServer(_Record):
    """Description of the MCP server."""

    #: Address of the schema of this description.
    schema_: str = Field(alias="$schema")
    #: Host of this installation in reverse, and the name of the server in paths
    name: str
    #: Title for people.
    title: str
    #: Purpose of the record.
    description: str
    #: Another one after each change of the entry
    version: str
    #: Addresses of the server.
    remotes: List[ServerEntryServerRemotesItem]


class ServerEntryMetaIoModelcontextprotocolRegistryOfficial(_Record):
    """Facts in the form of the official MCP registry."""

    #: State of the record.
    status: Literal["active"]
    #: When it was published, in UTC.
    publishedAt: Optional[str] = None
    #: When it last changed, in UTC.
    updatedAt: Optional[str] = None
    #: Whether it is the latest version.
    isLatest: Literal[True]


class ServerEntryMeta(_Record):
    """Facts of the registry about the entry."""

    #: Facts in the form of the official MCP registry.
    io_modelcontextprotocol_registry_official: ServerEntryMetaIoModelcontextprotocolRegistryOfficial = Field(alias="io.modelcontextprotocol.registry/official")


class ServerEntry(_Record):
    #: Description of the MCP server.
    server: ServerEntryServer
    #: Facts of the registry about the entry.
    meta: ServerEntryMeta = Field(alias="_meta")


class UploadedFile(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Where: a path or an address below the base address.
    path: str
    #: Size in bytes.
    size: int
    #: Media type.
    content_type: str
    #: SHA-256 of the bytes, hexadecimal.
    sha256: str
    #: When the record was made, in UTC.
    created_at: str


class FileKnowledgeFailure(_Record):
    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str


class FileKnowledge(_Record):
    #: Id of a file.
    file_id: str
    #: Where: a path or an address below the base address.
    path: str
    #: Words to find it by.
    tags: List[str]
    #: Passages of an earlier indexing are found until the next one is `ready`
    state: Union[Literal["waiting", "indexing", "ready", "failed"], str]
    #: Why there are no new passages
    failure: Optional[FileKnowledgeFailure]
    #: Passages that are written; all of them when `ready`
    passages: int
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str


class Metrics1PointsItem(_Record):
    #: Day in UTC.
    date: str
    #: The value.
    value: float


class Metrics1(_Record):
    #: Name of the metric.
    metric: Union[Literal["requests", "errors", "latency_p95_ms", "agent_messages", "model_tokens", "model_cost_usd", "mcp_calls", "content_searches", "active_users"], str]
    #: Start of the period.
    from_: str = Field(alias="from")
    #: End of the period.
    to: str
    #: Length of one point.
    interval: Literal["day"]
    #: Values, oldest first.
    points: List[Metrics1PointsItem]
    #: Of the whole period: a user active on two days counts once, a percentile is of all requests
    total: float
    #: Of `model_cost_usd`: model calls of the period whose price is not known; the cost leaves them out
    unpriced_events: Optional[int] = None


class Metrics2MetricsItemPointsItem(_Record):
    #: Day in UTC.
    date: str
    #: The value.
    value: float


class Metrics2MetricsItem(_Record):
    #: Name of the metric.
    metric: Union[Literal["requests", "errors", "latency_p95_ms", "agent_messages", "model_tokens", "model_cost_usd", "mcp_calls", "content_searches", "active_users"], str]
    #: Start of the period.
    from_: str = Field(alias="from")
    #: End of the period.
    to: str
    #: Length of one point.
    interval: Literal["day"]
    #: Values, oldest first.
    points: List[Metrics2MetricsItemPointsItem]
    #: Of the whole period: a user active on two days counts once, a percentile is of all requests
    total: float
    #: Of `model_cost_usd`: model calls of the period whose price is not known; the cost leaves them out
    unpriced_events: Optional[int] = None


class Metrics2(_Record):
    #: Each metric with its points.
    metrics: List[Metrics2MetricsItem]


class AgentSummary(_Record):
    #: Name for people and programs.
    name: str
    #: State of the record.
    status: Union[Literal["running", "stopped", "degraded"], str]
    #: Address of the service.
    endpoint: str
    #: What it can do.
    capabilities: List[str]


class ContextSummary(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Beginning of the first message
    title: str
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str


class ConversationSummary(_Record):
    #: Id of the record; it never changes.
    id: str
    #: As its user named it, or the beginning of the first message
    title: str
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str
    #: The agent concerned.
    agent: str
    #: Whether it stands before all others
    pinned: bool
    #: Whether all users of the project may read it
    shared: bool


class RunSummarySubject(_Record):
    """What it is about."""

    #: Which kind it is.
    kind: Union[Literal["agent", "prompt", "model"], str]
    #: Null: the built-in agent, or a model
    id: Optional[str]
    #: Name for people and programs.
    name: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int]


class RunSummaryUser(_Record):
    """The account concerned."""

    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class RunSummaryConversation(_Record):
    #: Id of the record; it never changes.
    id: str
    #: The message there that is its answer
    message_id: Optional[str]


class RunSummaryError(_Record):
    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str
    #: The upstream's status, for `runs:read_all`
    status: Optional[int]
    #: The upstream's words, for `runs:read_all`
    detail: Optional[str]


class RunSummary(_Record):
    #: Id of the record; it never changes.
    id: str
    #: State at present.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: it does not wait.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: When it came into this state
    state_at: str
    #: What it is about.
    subject: RunSummarySubject
    #: The account concerned.
    user: RunSummaryUser
    #: How the run was started.
    channel: Union[Literal["messages", "a2a", "mcp", "console", "agent", "trigger", "prompt", "responses", "chat", "draft"], str]
    #: Beginning of the message that it answers
    title: Optional[str]
    #: Id of a conversation with an agent.
    context_id: Optional[str]
    #: The conversation of the prompt API that a prompt's run has begun or continued
    conversation: Optional[RunSummaryConversation]
    #: The run whose agent started this one
    parent_id: Optional[str]
    #: The run that this one repeats
    retry_of: Optional[str]
    #: Name of a language model.
    model: Optional[str]
    #: Calls of the model and of tools so far.
    steps: int
    #: Calls of tools so far.
    tool_calls: int
    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: int
    #: Null while no price is known
    cost_usd: Optional[float]
    #: When it was queued, in UTC.
    queued_at: str
    #: When it began, in UTC; null: not yet.
    started_at: Optional[str]
    #: When it ended, in UTC; null: not yet.
    ended_at: Optional[str]
    #: What failed; null or absent: nothing.
    error: Optional[RunSummaryError]
    #: Rating of the run; null: none.
    feedback: Optional[Union[Literal["up", "down"], str]]


class RunStepSummaryCallsItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class RunStepSummaryError(_Record):
    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str
    #: The upstream's status, for `runs:read_all`
    status: Optional[int]
    #: The upstream's words, for `runs:read_all`
    detail: Optional[str]


class RunStepSummary(_Record):
    #: Number of the step, from 1.
    seq: int
    #: Which kind it is.
    kind: Union[Literal["model", "tool"], str]
    #: What it led to.
    outcome: Union[Literal["started", "succeeded", "failed", "unknown"], str]
    #: Whether the run waits for a person to state whether this call had its effect
    awaits_outcome: bool
    #: Number of the attempt, from 1.
    attempt: int
    #: The step of the model's answer that asked for this call of a tool
    asked_by: Optional[int]
    #: Name of a language model.
    model: Optional[str]
    #: Parameters by name.
    parameters: Any
    #: Text of the answer; null: none yet.
    answer: Optional[str]
    #: Calls of tools that the model's answer asks for
    calls: Optional[List[RunStepSummaryCallsItem]]
    #: Name of a tool.
    tool: Optional[str]
    #: Id of the tool's MCP server or plugin
    server: Optional[str]
    #: SHA-256 of the tool's definition, hexadecimal
    definition_hash: Optional[str]
    #: The tool's rule when the call was made or refused; null: no such tool, or not kept
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Arguments of the call, as JSON.
    arguments: Optional[str]
    #: The run that the call of an agent has started
    child_id: Optional[str]
    #: What the call returned; null: nothing yet.
    result: Optional[str]
    #: Whether text of others had a part in it
    untrusted: Optional[bool]
    #: Tokens that the model read; null: unknown.
    prompt_tokens: Optional[int]
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: Optional[int]
    #: Cost in US dollars; null while no price is known.
    cost_usd: Optional[float]
    #: When it began, in UTC; null: not yet.
    started_at: str
    #: When the first token of the answer arrived; null: not yet.
    first_token_at: Optional[str]
    #: When it ended, in UTC; null: not yet.
    ended_at: Optional[str]
    #: What failed; null or absent: nothing.
    error: Optional[RunStepSummaryError]


class ApprovalAgent(_Record):
    """The agent concerned."""

    #: Name for people and programs.
    name: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int]


class ApprovalServer(_Record):
    """The tool's MCP server or plugin"""

    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class ApprovalRequester(_Record):
    """For whom the run acts."""

    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class ApprovalDecidedBy(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class Approval(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Id of a run.
    run_id: str
    #: `used`: the call was made. `canceled`: its run ended before a decision
    state: Union[Literal["pending", "approved", "refused", "expired", "used", "canceled"], str]
    #: The agent concerned.
    agent: ApprovalAgent
    #: The tool's MCP server or plugin
    server: ApprovalServer
    #: Name of a tool.
    tool: str
    #: Id of the tool call.
    call_id: str
    #: The step with the answer of the model that asks for the call
    step: int
    #: As the model wrote them: JSON
    arguments: str
    #: JSON Schema of the arguments
    parameters: Any
    #: What the run had read that neither its user nor this installation wrote
    tainted_by: List[str]
    #: For whom the run acts.
    requester: ApprovalRequester
    #: Whether another user than the requester has to decide
    other_decider: bool
    #: Whether the caller may decide now
    may_decide: bool
    #: The arguments that were approved instead
    edited_arguments: Optional[str]
    #: The reason, in a few words.
    reason: Optional[str]
    #: Who decided; null: nobody yet.
    decided_by: Optional[ApprovalDecidedBy]
    #: When it was decided; null: not yet.
    decided_at: Optional[str]
    #: When it ceases to be valid; null: never.
    expires_at: str
    #: When the record was made, in UTC.
    created_at: str


class ContentSummaryFile(_Record):
    """The file that a passage is from; content items have none"""

    #: Id of the record; it never changes.
    id: str
    #: The number of the passage in the file, from 1
    passage: int
    #: The page, in formats with pages
    page: Optional[int]


class ContentSummary(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Title for people.
    title: str
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: str
    #: The text, or what is stored of it.
    content: str
    #: Where it comes from.
    source: str
    #: Which kind it is.
    kind: str
    #: Whether it may be read by all projects.
    public: bool
    #: Words to find it by.
    tags: List[str]
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str
    #: The file that a passage is from; content items have none
    file: Optional[ContentSummaryFile] = None
    #: Comparable within one search only
    score: float
    #: Where the words are, as plain text
    snippet: str


class McpServer(_Record):
    #: Name for people and programs.
    name: str
    #: Address of the service.
    endpoint: str
    #: `streamable-http` for an MCP server, `a2a` for an agent of another system.
    transport: Literal["streamable-http"]
    #: Tools by name, or calls of them.
    tools: List[str]


class McpConnection(_Record):
    #: Id of an MCP server.
    server_id: str
    #: Name for people and programs.
    name: str
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: str
    #: Whether you connected your account.
    connected: bool
    #: When you connected your account; null: you did not.
    connected_at: Optional[str]
    #: OAuth scopes, separated by spaces.
    scope: Optional[str]
    #: Page on which to connect your account.
    connect_url: str


class AgentList(_Record):
    #: Agents, or their number.
    agents: List[AgentSummary]


class ContextList(_Record):
    #: The records of this page.
    items: List[ContextSummary]
    #: Number of records in all pages.
    total: int
    #: The most records on a page.
    limit: int
    #: Records to pass over before the first one of the page.
    offset: int


class ConversationList(_Record):
    #: The records of this page.
    items: List[ConversationSummary]
    #: Number of records in all pages.
    total: int
    #: The most records on a page.
    limit: int
    #: Records to pass over before the first one of the page.
    offset: int


class RunList(_Record):
    #: The records of this page.
    items: List[RunSummary]
    #: Leads on; null at the end
    next_cursor: Optional[str]


class RunStepList(_Record):
    #: The records of this page.
    items: List[RunStepSummary]
    #: Leads on; null at the end
    next_cursor: Optional[str]


class RunFeedback(_Record):
    #: Null removes the feedback
    rating: Optional[Union[Literal["up", "down"], str]]
    #: Comment for people; null: none.
    comment: Optional[str]


class ApprovalList(_Record):
    #: The records of this page.
    items: List[Approval]
    #: Leads on; null at the end
    next_cursor: Optional[str]


class UserList(_Record):
    #: The records of this page.
    items: List[User]
    #: Number of records in all pages.
    total: int
    #: The most records on a page.
    limit: int
    #: Records to pass over before the first one of the page.
    offset: int


class ContentList(_Record):
    #: The records of this page.
    items: List[Content]
    #: Number of records in all pages.
    total: int
    #: The most records on a page.
    limit: int
    #: Records to pass over before the first one of the page.
    offset: int


class SearchContentList(_Record):
    #: What was found, the best first.
    results: List[ContentSummary]
    #: Number of records in all pages.
    total: int


class McpServerList(_Record):
    #: The MCP servers.
    servers: List[McpServer]


class ServerEntryListMetadata(_Record):
    """Additional data."""

    #: Entries of this page
    count: int
    #: Leads on; absent at the end
    nextCursor: Optional[str] = None


class ServerEntryList(_Record):
    #: The MCP servers.
    servers: List[ServerEntry]
    #: Additional data.
    metadata: ServerEntryListMetadata


class McpConnectionList(_Record):
    #: MCP servers that ask for an account of your own.
    connections: List[McpConnection]


class FileList(_Record):
    #: The records of this page.
    items: List[UploadedFile]
    #: Number of records in all pages.
    total: int
    #: The most records on a page.
    limit: int
    #: Records to pass over before the first one of the page.
    offset: int


class KnowledgeList(_Record):
    #: The records of this page.
    items: List[FileKnowledge]
    #: Number of records in all pages.
    total: int
    #: The most records on a page.
    limit: int
    #: Records to pass over before the first one of the page.
    offset: int


class SendMessageRequest(_Record):
    #: The text, or what is stored of it.
    content: str
    #: Id of a conversation with an agent.
    context_id: Optional[str] = None
    #: Your message of the conversation that this one replaces, together with all after it: an edit, or the same content for another answer. 409 while a run of the conversation has not ended
    replaces: Optional[str] = None


class ConversationChanges(_Record):
    #: Title for people.
    title: Optional[str] = None
    #: Whether it stands before all others
    pinned: Optional[bool] = None
    #: Whether all users of the project may read it
    shared: Optional[bool] = None


class NewRunBudget1(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["usd"]
    #: The most that may be spent, in `unit`.
    amount: float


class NewRunBudget2(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["tokens"]
    #: The most that may be spent, in `unit`.
    amount: int


class NewRun(_Record):
    #: Name of the agent
    agent: str
    #: The text, or what is stored of it.
    content: str
    #: Id of a conversation with an agent.
    context_id: Optional[str] = None
    #: The most that the run, and the runs that its agent starts, may spend; it waits when that is used up
    budget: Optional[Union[NewRunBudget1, NewRunBudget2]] = None
    #: Kept with the run; at most 16 KiB of JSON
    metadata: Optional[Dict[str, Any]] = None


class RetryRunRequestBudget1(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["usd"]
    #: The most that may be spent, in `unit`.
    amount: float


class RetryRunRequestBudget2(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["tokens"]
    #: The most that may be spent, in `unit`.
    amount: int


class RetryRunRequest(_Record):
    #: `same`: the version of its agent that the run was started with, within what the agent may do now
    version: Optional[Union[Literal["current", "same"], str]] = None
    #: The most that the new run may spend; without it, the amount of the budget that the run has, if any
    budget: Optional[Union[RetryRunRequestBudget1, RetryRunRequestBudget2]] = None


class DecideRunOutcomeRequest(_Record):
    #: The step whose outcome is unknown
    step: int
    #: `stop` cancels the run; otherwise it goes on once every such step is decided
    outcome: Union[Literal["happened", "did_not_happen", "stop"], str]
    #: For the model, such as the number of an order
    note: Optional[str] = None


class RunFeedbackReplacement(_Record):
    #: Null removes the feedback
    rating: Optional[Union[Literal["up", "down"], str]]
    #: Comment for people; null: none.
    comment: Optional[str] = None


class RunAgentDraftRequestModelParameters(_Record):
    """Parameters of its model's calls, in front of the model's own defaults"""

    #: 0: always the likeliest words; 2: the most varied
    temperature: Optional[float] = None
    #: Longest answer in tokens
    max_tokens: Optional[int] = None
    #: Share of the likeliest words to choose from
    top_p: Optional[float] = None
    #: How long a reasoning model thinks; a provider refuses values that its model does not have
    reasoning_effort: Optional[Union[Literal["none", "minimal", "low", "medium", "high", "xhigh"], str]] = None
    #: Texts at which the answer ends
    stop: Optional[List[str]] = None


class RunAgentDraftRequestBudget1(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["usd"]
    #: The most that may be spent, in `unit`.
    amount: float


class RunAgentDraftRequestBudget2(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["tokens"]
    #: The most that may be spent, in `unit`.
    amount: int


class RunAgentDraftRequest(_Record):
    #: Name for people and programs.
    name: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Ids of the skills that it has.
    skill_ids: Optional[List[str]] = None
    #: Ids of the plugins that it may use.
    plugin_ids: Optional[List[str]] = None
    #: Tags of the content that it may read.
    content_tags: Optional[List[str]] = None
    #: Ids of the MCP servers whose tools it may use.
    mcp_server_ids: Optional[List[str]] = None
    #: Ids of the agents that it may call.
    agent_ids: Optional[List[str]] = None
    #: Tools of MCP servers that it may use, as `server/tool` or `server/*`.
    mcp_tools: Optional[List[str]] = None
    #: Tools that wait for the approval of a person.
    ask_tools: Optional[List[str]] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: Parameters of its model's calls, in front of the model's own defaults
    model_parameters: Optional[RunAgentDraftRequestModelParameters] = None
    #: What the model reads before each conversation.
    instructions: Optional[str] = None
    #: What happens when the outcome of a tool call is unknown: a person is asked, the model is told, or the run fails.
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: The text, or what is stored of it.
    content: str
    #: Id of a conversation with an agent.
    context_id: Optional[str] = None
    #: Name of the agent that the draft changes
    agent: Optional[str] = None
    #: The most that the run may spend
    budget: Optional[Union[RunAgentDraftRequestBudget1, RunAgentDraftRequestBudget2]] = None


class DecideApprovalRequest(_Record):
    #: What was or is decided.
    decision: Union[Literal["approve", "refuse"], str]
    #: Replaces the model's arguments; valid by `parameters`
    arguments: Optional[Dict[str, Any]] = None
    #: For the model
    reason: Optional[str] = None


class NewUser(_Record):
    #: E-mail address; in guards, the actions for e-mail addresses.
    email: str
    #: Name for people and programs.
    name: str


class UserChanges(_Record):
    #: E-mail address; in guards, the actions for e-mail addresses.
    email: Optional[str] = None
    #: Name for people and programs.
    name: Optional[str] = None


class NewContent(_Record):
    #: Title for people.
    title: str
    #: The text, or what is stored of it.
    content: str
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: Optional[str] = None
    #: Where it comes from.
    source: Optional[str] = None
    #: Which kind it is.
    kind: Optional[str] = None
    #: Whether it may be read by all projects.
    public: Optional[bool] = None
    #: Words to find it by.
    tags: Optional[List[str]] = None


class NewFile(_Record):
    #: Bytes of the file.
    file: str
    #: Where: a path or an address below the base address.
    path: str


class FileKnowledgeReplacement(_Record):
    #: Words to find it by.
    tags: Optional[List[str]] = None


class StopAgentAnswer(_Record):
    #: Name for people and programs.
    name: str
    #: When it was stopped; null: it works.
    stopped_at: Optional[str]


class SendMessageAnswer(_Record):
    #: Id of the record; it never changes.
    id: str
    #: The text, or what is stored of it.
    content: str
    #: The agent concerned.
    agent: str
    #: When the message was stored, in UTC.
    timestamp: str
    #: Id of a conversation with an agent.
    context_id: str


class SendMessageAnswer202Subject(_Record):
    """What it is about."""

    #: Which kind it is.
    kind: Union[Literal["agent", "prompt", "model"], str]
    #: Null: the built-in agent, or a model
    id: Optional[str]
    #: Name for people and programs.
    name: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int]


class SendMessageAnswer202User(_Record):
    """The account concerned."""

    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class SendMessageAnswer202Conversation(_Record):
    #: Id of the record; it never changes.
    id: str
    #: The message there that is its answer
    message_id: Optional[str]


class SendMessageAnswer202Error(_Record):
    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str
    #: The upstream's status, for `runs:read_all`
    status: Optional[int]
    #: The upstream's words, for `runs:read_all`
    detail: Optional[str]


class SendMessageAnswer202ConnectionsItem(_Record):
    #: Id of an MCP server.
    server_id: str
    #: Name for people and programs.
    name: str
    #: Page on which to connect your account.
    connect_url: str
    #: Id of a run.
    run_id: str


class SendMessageAnswer202(_Record):
    #: Id of the record; it never changes.
    id: str
    #: State at present.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: it does not wait.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: When it came into this state
    state_at: str
    #: What it is about.
    subject: SendMessageAnswer202Subject
    #: The account concerned.
    user: SendMessageAnswer202User
    #: How the run was started.
    channel: Union[Literal["messages", "a2a", "mcp", "console", "agent", "trigger", "prompt", "responses", "chat", "draft"], str]
    #: Beginning of the message that it answers
    title: Optional[str]
    #: Id of a conversation with an agent.
    context_id: Optional[str]
    #: The conversation of the prompt API that a prompt's run has begun or continued
    conversation: Optional[SendMessageAnswer202Conversation]
    #: The run whose agent started this one
    parent_id: Optional[str]
    #: The run that this one repeats
    retry_of: Optional[str]
    #: Name of a language model.
    model: Optional[str]
    #: Calls of the model and of tools so far.
    steps: int
    #: Calls of tools so far.
    tool_calls: int
    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: int
    #: Null while no price is known
    cost_usd: Optional[float]
    #: When it was queued, in UTC.
    queued_at: str
    #: When it began, in UTC; null: not yet.
    started_at: Optional[str]
    #: When it ended, in UTC; null: not yet.
    ended_at: Optional[str]
    #: What failed; null or absent: nothing.
    error: Optional[SendMessageAnswer202Error]
    #: Rating of the run; null: none.
    feedback: Optional[Union[Literal["up", "down"], str]]
    #: The calls of tools that wait for a decision, in the run and the runs below it: the latest 10. `GET /api/v1/runs/{run_id}/approvals?below=true` lists all
    approvals: List[Approval]
    #: The accounts that the run and the runs below it wait for: their user connects each at `connect_url`
    connections: List[SendMessageAnswer202ConnectionsItem]


class DeleteContextAnswer(_Record):
    #: Id of the record; it never changes.
    id: str


class CancelRunAnswer(_Record):
    #: Id of the record; it never changes.
    id: str
    #: State at present.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]


class DecideApprovalAnswer(_Record):
    #: Id of the record; it never changes.
    id: str
    #: State at present.
    state: Union[Literal["pending", "approved", "refused", "expired", "used", "canceled"], str]
    #: The run concerned.
    run: CancelRunAnswer


class IdentityUser(_Record):
    """The account for which the credential acts"""

    #: Id of the account
    id: str
    #: Name of the account
    name: str
    #: Address of the account
    email: str


class IdentityCredential(_Record):
    """The credential of the request"""

    #: Kind of the credential
    kind: Union[Literal["api_key", "access_token", "gateway_token", "area_token", "provisioning_token"], str]
    #: Plan, which determines the rate limits
    plan: Union[Literal["standard", "professional"], str]


class Identity(_Record):
    #: The account for which the credential acts
    user: IdentityUser
    #: The only project that the credential reaches
    project: str
    #: Roles of the account
    roles: List[str]
    #: The credential of the request
    credential: IdentityCredential
    #: What the credential may do: its scopes that the account still has
    scopes: List[str]


class EndMcpConnectionAnswer(_Record):
    #: Id of an MCP server.
    server_id: str


class SendMessageMessageStarted(_Record):
    #: The agent concerned.
    agent: str
    #: Id of a conversation with an agent.
    context_id: str
    #: Id of a run.
    run_id: str


class SendMessageRunRunning(_Record):
    #: Another process goes on; the text of a step that has not ended begins again
    taken_over: Literal[True]


class SendMessageMessageDelta(_Record):
    #: Number of the step.
    step: int
    #: The next piece of the text.
    delta: str


class SendMessageToolCall(_Record):
    #: Number of the step.
    step: int
    #: Id of the record; it never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Arguments of the call, as JSON.
    arguments: str


class SendMessageToolResult(_Record):
    #: Number of the step.
    step: int
    #: Id of the record; it never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Whether the call succeeded.
    ok: bool


class FollowRunRunQueued(_Record):
    pass


class FollowRunRunRunning(_Record):
    #: Another process goes on; the text of a step that has not ended begins again
    taken_over: Optional[Literal[True]] = None


class FollowRunRunWaiting(_Record):
    #: What the run waits for; null: it does not wait.
    waiting_for: Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]


class FollowRunMessageDelta(_Record):
    #: Number of the step.
    step: int
    #: The next piece of the text.
    delta: str


class FollowRunToolCall(_Record):
    #: Number of the step.
    step: int
    #: Id of the record; it never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Arguments of the call, as JSON.
    arguments: str


class FollowRunToolResult(_Record):
    #: Number of the step.
    step: int
    #: Id of the record; it never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Whether the call succeeded.
    ok: bool


class FollowRunRunCompleted(_Record):
    pass


class FollowRunRunFailed(_Record):
    #: Name of the fault for programs; it stays the same in later releases.
    code: str


class FollowRunRunCanceled(_Record):
    #: Why it was canceled, unless a person did that
    reason: Optional[Union[Literal["agent_stopped", "parent_ended"], str]] = None


Metrics = Union[Metrics1, Metrics2]
SendMessageMessageCompleted = SendMessageAnswer
SendMessageRunWaiting = SendMessageAnswer202
SendMessageError = ApiError

rebuild(globals())
