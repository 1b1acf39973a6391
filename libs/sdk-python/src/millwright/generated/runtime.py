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
    #: Error message: what is wrong and what to do.
    message: str
    #: The first field at fault.
    details: ApiErrorErrorDetails


class ApiError(_Record):
    #: What went amiss.
    error: ApiErrorError


class Health(_Record):
    #: Status.
    status: Union[Literal["ok", "degraded"], str]
    #: Version number. Each change increases it. It is also the ETag.
    version: str
    #: Seconds since the start of the process.
    uptime_seconds: int


class Jwks(_Record):
    #: Public keys.
    keys: List[Dict[str, Any]]


class DefaultAgentCardSupportedInterfacesItem(_Record):
    #: Absolute URL.
    url: str
    #: Protocol binding of A2A.
    protocolBinding: Union[Literal["JSONRPC", "HTTP+JSON"], str]
    #: Version of the protocol.
    protocolVersion: Union[Literal["1.0", "0.3"], str]


class DefaultAgentCardCapabilities(_Record):
    """Capabilities."""

    #: Whether the agent supports streaming.
    streaming: bool
    #: Whether the agent supports push notifications.
    pushNotifications: bool


class DefaultAgentCardSkillsItem(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: Tags.
    tags: List[str]


class DefaultAgentCardSignaturesItem(_Record):
    #: Protected header (JWS), in base64url.
    protected: str
    #: Signature (JWS), in base64url.
    signature: str


class DefaultAgentCard(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: Version number. Each change increases it. It is also the ETag.
    version: str
    #: URLs of the agent, each with its protocol.
    supportedInterfaces: List[DefaultAgentCardSupportedInterfacesItem]
    #: Capabilities.
    capabilities: DefaultAgentCardCapabilities
    #: Media types that the agent accepts.
    defaultInputModes: List[str]
    #: Media types that the agent returns.
    defaultOutputModes: List[str]
    #: Skills of the agent.
    skills: List[DefaultAgentCardSkillsItem]
    #: Signatures of the card (JWS).
    signatures: Optional[List[DefaultAgentCardSignaturesItem]] = None


class AgentSkillsItem(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: str


class Agent(_Record):
    #: Name.
    name: str
    #: Status.
    status: Union[Literal["running", "stopped", "degraded"], str]
    #: URL of the service.
    endpoint: str
    #: Capabilities.
    capabilities: List[str]
    #: Description, as free text.
    description: str
    #: Skills of the agent.
    skills: List[AgentSkillsItem]
    #: Time at which an admin stopped the agent; no run of it starts
    stopped_at: Optional[str]


class ContextMessagesItemToolsItem(_Record):
    #: Unique id. It never changes.
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
    #: Unique id. It never changes.
    id: str
    #: Current state.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: nothing.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: The user's rating of the answer
    feedback: Optional[Union[Literal["up", "down"], str]]


class ContextMessagesItem(_Record):
    #: Unique id. It never changes.
    id: str
    #: Role of the author.
    role: Union[Literal["user", "assistant"], str]
    #: Text of the message, or its parts.
    content: str
    #: Time at which the message was stored, in UTC.
    timestamp: str
    #: Of a user's message: the agent failed and has not answered it. Send the same message again to retry.
    failed: bool
    #: Of a user's message: its images
    images: List[ConversationImage]
    #: Calls of tools, each with its answer.
    tools: List[ContextMessagesItemToolsItem]
    #: Latest run that answers the message; only on messages of users
    run: Optional[ContextMessagesItemRun]


class Context(_Record):
    #: Unique id. It never changes.
    id: str
    #: Beginning of the first message
    title: str
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str
    #: Agent.
    agent: str
    #: The last 500, oldest first
    messages: List[ContextMessagesItem]


class ConversationMessagesItemToolsItem(_Record):
    #: Unique id. It never changes.
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
    #: Unique id. It never changes.
    id: str
    #: Current state.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: nothing.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: The user's rating of the answer
    feedback: Optional[Union[Literal["up", "down"], str]]


class ConversationMessagesItem(_Record):
    #: Unique id. It never changes.
    id: str
    #: Role of the author.
    role: Union[Literal["user", "assistant"], str]
    #: Text of the message, or its parts.
    content: str
    #: Time at which the message was stored, in UTC.
    timestamp: str
    #: Of a user's message: the agent failed and has not answered it. Send the same message again to retry.
    failed: bool
    #: Of a user's message: its images
    images: List[ConversationImage]
    #: Calls of tools, each with its answer.
    tools: List[ConversationMessagesItemToolsItem]
    #: Latest run that answers the message; only on messages of users
    run: Optional[ConversationMessagesItemRun]


class Conversation(_Record):
    #: Unique id. It never changes.
    id: str
    #: Title that the user chose, or the beginning of the first message
    title: str
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str
    #: Agent.
    agent: str
    #: Whether it stands before all others
    pinned: bool
    #: Whether all users of the project may read it
    shared: bool
    #: Whether the conversation is yours. Calls of tools are shown to its owner only
    own: bool
    #: Name of the user who owns the conversation
    user_name: str
    #: The last 500, oldest first
    messages: List[ConversationMessagesItem]


class ConversationImage(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Media type.
    content_type: Union[Literal["image/png", "image/jpeg", "image/gif", "image/webp"], str]
    #: Bytes
    size: int
    #: Pixels
    width: int
    #: Pixels
    height: int


class RunSubject(_Record):
    """Agent, prompt or model that runs."""

    #: Kind.
    kind: Union[Literal["agent", "prompt", "model"], str]
    #: Null: the built-in agent, or a model
    id: Optional[str]
    #: Name.
    name: str
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int]


class RunUser(_Record):
    """Account for which the run acts."""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class RunConversation(_Record):
    #: Unique id. It never changes.
    id: str
    #: The message there that is its answer
    message_id: Optional[str]


class RunError(_Record):
    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str
    #: HTTP status of the upstream server; only with the scope `runs:read_all`
    status: Optional[int]
    #: Error text of the upstream server; only with the scope `runs:read_all`
    detail: Optional[str]


class RunActorsItem(_Record):
    #: Issuer that names the actor; null: this installation
    issuer: Optional[str]
    #: Id of an agent or a client
    sub: str
    #: Version of the agent
    version: Optional[int]


class RunBudget(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: What the budget limits.
    level: Union[Literal["project", "api_key", "client", "user", "agent", "trigger", "run"], str]


class RunConnection(_Record):
    #: Id of an MCP server.
    server_id: str
    #: Name.
    name: str
    #: URL of the page where you connect your account.
    connect_url: str


class Run(_Record):
    #: Unique id. It never changes.
    id: str
    #: Current state.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: nothing.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: Time at which the run entered this state
    state_at: str
    #: Agent, prompt or model that runs.
    subject: RunSubject
    #: Account for which the run acts.
    user: RunUser
    #: Interface through which the run was started.
    channel: Union[Literal["messages", "a2a", "mcp", "console", "agent", "trigger", "prompt", "responses", "chat", "draft"], str]
    #: Beginning of the message that the run answers
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
    #: Number of calls of the model and of tools.
    steps: int
    #: Number of calls of tools.
    tool_calls: int
    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of the output; null: unknown.
    completion_tokens: int
    #: Cost in US dollars; null: the price is unknown
    cost_usd: Optional[float]
    #: Time of queueing, in UTC.
    queued_at: str
    #: Start time, in UTC; null: not started.
    started_at: Optional[str]
    #: End time, in UTC; null: not ended.
    ended_at: Optional[str]
    #: The error; null or absent: no error.
    error: Optional[RunError]
    #: Rating of the run; null: none.
    feedback: Optional[Union[Literal["up", "down"], str]]
    #: Whether it is the caller's own
    is_own: bool
    #: Number of processes that have executed the run
    attempt: int
    #: Of a queued run: its position among those of the project that wait for a place, from 1; counted up to 1000
    queue_position: Optional[int]
    #: Message that the run answers
    input: Optional[str]
    #: Images of that message
    images: List[ConversationImage]
    #: Input of the run besides the message
    data: Any
    #: Answer of the run
    output: Optional[str]
    #: Comment of the rating; null: none.
    feedback_comment: Optional[str]
    #: The kind of credential that started it
    credential: Optional[str]
    #: The agents and clients for which that credential acts, the nearest first (`act` of RFC 8693)
    actors: List[RunActorsItem]
    #: Key-value pairs of your own.
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
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class RunStepError(_Record):
    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str
    #: HTTP status of the upstream server; only with the scope `runs:read_all`
    status: Optional[int]
    #: Error text of the upstream server; only with the scope `runs:read_all`
    detail: Optional[str]


class RunStepMessagesItemCallsItem(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class RunStepMessagesItem(_Record):
    #: Role of the author.
    role: str
    #: Text of the message, or its parts.
    content: str
    #: Calls of tools that the message asks for; null: none.
    calls: Optional[List[RunStepMessagesItemCallsItem]]


class RunStep(_Record):
    #: Number of the step, from 1.
    seq: int
    #: Kind.
    kind: Union[Literal["model", "tool"], str]
    #: Outcome.
    outcome: Union[Literal["started", "succeeded", "failed", "unknown"], str]
    #: Whether the run waits for a person to state whether this call had its effect
    awaits_outcome: bool
    #: Number of the attempt, from 1.
    attempt: int
    #: The step of the model's answer that asked for this call of a tool
    asked_by: Optional[int]
    #: Name of a language model.
    model: Optional[str]
    #: Parameters of the call of the model.
    parameters: Any
    #: Text of the model's answer; null: none yet.
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
    #: Result of the call; null: none yet.
    result: Optional[str]
    #: Whether untrusted text influenced the step
    untrusted: Optional[bool]
    #: Tokens of the input; null: unknown.
    prompt_tokens: Optional[int]
    #: Tokens of the output; null: unknown.
    completion_tokens: Optional[int]
    #: Cost in US dollars; null: the price is unknown.
    cost_usd: Optional[float]
    #: Start time, in UTC; null: not started.
    started_at: str
    #: Time of the first token of the answer; null: none yet.
    first_token_at: Optional[str]
    #: End time, in UTC; null: not ended.
    ended_at: Optional[str]
    #: The error; null or absent: no error.
    error: Optional[RunStepError]
    #: The messages of the conversation that the model read: the last 200, up to 8 MiB, oldest first
    messages: List[RunStepMessagesItem]
    #: Messages that it read besides those of the conversation
    added: Any


class User(_Record):
    #: Unique id. It never changes.
    id: str
    #: E-mail address.
    email: str
    #: Name.
    name: str
    #: Role of the account.
    role: Union[Literal["user", "admin"], str]
    #: `Core`, `Commerce`, or the id of a project that a platform admin made
    project: str
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: Time of creation, in UTC.
    created_at: str


class ContentFile(_Record):
    """The file that a passage is from; others have none"""

    #: Unique id. It never changes.
    id: str
    #: The number of the passage in the file, from 1
    passage: int
    #: The page, in formats with pages
    page: Optional[int]


class ContentKnowledgeSource(_Record):
    """The knowledge source that a passage is from; others have none"""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Address of the page or document
    url: str
    #: The number of the passage in the text, from 1
    passage: int
    #: The page, in formats with pages
    page: Optional[int]


class Content(_Record):
    #: Unique id. It never changes.
    id: str
    #: Title to display.
    title: str
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: str
    #: Text.
    content: str
    #: Source.
    source: str
    #: Kind.
    kind: str
    #: Whether all projects may read the content.
    public: bool
    #: Tags.
    tags: List[str]
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str
    #: The file that a passage is from; others have none
    file: Optional[ContentFile] = None
    #: The knowledge source that a passage is from; others have none
    knowledge_source: Optional[ContentKnowledgeSource] = None


class ServerEntryServerRemotesItem(_Record):
    #: Type.
    type: Literal["streamable-http"]
    #: Absolute URL.
    url: str


class ServerEntryServer(_Record):
    """Description of the MCP server."""

    #: URL of the JSON Schema of the description.
    schema_: str = Field(alias="$schema")
    #: Host of this installation in reverse, and the name of the server in paths
    name: str
    #: Title to display.
    title: str
    #: Description, as free text.
    description: str
    #: Another one after each change of the entry
    version: str
    #: Remote endpoints of the server.
    remotes: List[ServerEntryServerRemotesItem]


class ServerEntryMetaIoModelcontextprotocolRegistryOfficial(_Record):
    """Metadata of the official MCP registry."""

    #: Status.
    status: Literal["active"]
    #: Time of publication, in UTC.
    publishedAt: Optional[str] = None
    #: Time of the last change, in UTC.
    updatedAt: Optional[str] = None
    #: Whether it is the latest version.
    isLatest: Literal[True]


class ServerEntryMeta(_Record):
    """Metadata of the registry about the entry."""

    #: Metadata of the official MCP registry.
    io_modelcontextprotocol_registry_official: ServerEntryMetaIoModelcontextprotocolRegistryOfficial = Field(alias="io.modelcontextprotocol.registry/official")


class ServerEntry(_Record):
    #: Description of the MCP server.
    server: ServerEntryServer
    #: Metadata of the registry about the entry.
    meta: ServerEntryMeta = Field(alias="_meta")


class UploadedFile(_Record):
    #: Unique id. It never changes.
    id: str
    #: Path of the file.
    path: str
    #: Size in bytes.
    size: int
    #: Media type.
    content_type: str
    #: SHA-256 of the bytes, hexadecimal.
    sha256: str
    #: Time of creation, in UTC.
    created_at: str


class FileKnowledgeFailure(_Record):
    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str


class FileKnowledge(_Record):
    #: Id of a file.
    file_id: str
    #: Path of the file.
    path: str
    #: Tags.
    tags: List[str]
    #: Passages of an earlier indexing are found until the next one is `ready`
    state: Union[Literal["waiting", "indexing", "ready", "failed"], str]
    #: Reason for which there are no new passages
    failure: Optional[FileKnowledgeFailure]
    #: Passages that are written; all of them when `ready`
    passages: int
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class KnowledgeSourceFailure(_Record):
    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str
    #: Status of the server's answer; null without one
    status: Optional[int]


class KnowledgeSource(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Absolute URL.
    url: str
    #: Tags.
    tags: List[str]
    #: Cron expression at whose times it is fetched; null: only by refresh
    schedule: Optional[str]
    #: IANA time zone of the schedule.
    timezone: str
    #: Passages of the last fetch that succeeded are found in each state
    state: Union[Literal["waiting", "fetching", "ready", "failed"], str]
    #: Reason for which the last fetch gave no text
    failure: Optional[KnowledgeSourceFailure]
    #: Passages that searches find
    passages: int
    #: When the text was last fetched, or found unchanged; null: never
    last_fetched_at: Optional[str]
    #: When it is fetched next; null: while it is fetched, and without a schedule
    next_fetch_at: Optional[str]
    #: Version of what people set. Fetches do not change it
    version: int
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class Metrics1PointsItem(_Record):
    #: Day in UTC.
    date: str
    #: Value.
    value: float


class Metrics1(_Record):
    #: Name of the metric.
    metric: Union[Literal["requests", "errors", "latency_p95_ms", "agent_messages", "model_tokens", "model_cost_usd", "mcp_calls", "content_searches", "active_users"], str]
    #: Start of the period.
    from_: str = Field(alias="from")
    #: End of the period.
    to: str
    #: Length of the interval between two points.
    interval: Literal["day"]
    #: Values over time, oldest first.
    points: List[Metrics1PointsItem]
    #: Value of the whole period: a user active on two days counts once, a percentile is of all requests
    total: float
    #: Of `model_cost_usd`: model calls of the period whose price is not known; the cost leaves them out
    unpriced_events: Optional[int] = None


class Metrics2MetricsItemPointsItem(_Record):
    #: Day in UTC.
    date: str
    #: Value.
    value: float


class Metrics2MetricsItem(_Record):
    #: Name of the metric.
    metric: Union[Literal["requests", "errors", "latency_p95_ms", "agent_messages", "model_tokens", "model_cost_usd", "mcp_calls", "content_searches", "active_users"], str]
    #: Start of the period.
    from_: str = Field(alias="from")
    #: End of the period.
    to: str
    #: Length of the interval between two points.
    interval: Literal["day"]
    #: Values over time, oldest first.
    points: List[Metrics2MetricsItemPointsItem]
    #: Value of the whole period: a user active on two days counts once, a percentile is of all requests
    total: float
    #: Of `model_cost_usd`: model calls of the period whose price is not known; the cost leaves them out
    unpriced_events: Optional[int] = None


class Metrics2(_Record):
    #: Each metric with its points.
    metrics: List[Metrics2MetricsItem]


class AgentSummary(_Record):
    #: Name.
    name: str
    #: Status.
    status: Union[Literal["running", "stopped", "degraded"], str]
    #: URL of the service.
    endpoint: str
    #: Capabilities.
    capabilities: List[str]


class ContextSummary(_Record):
    #: Unique id. It never changes.
    id: str
    #: Beginning of the first message
    title: str
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class ConversationSummary(_Record):
    #: Unique id. It never changes.
    id: str
    #: Title that the user chose, or the beginning of the first message
    title: str
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str
    #: Agent.
    agent: str
    #: Whether it stands before all others
    pinned: bool
    #: Whether all users of the project may read it
    shared: bool


class RunSummarySubject(_Record):
    """Agent, prompt or model that runs."""

    #: Kind.
    kind: Union[Literal["agent", "prompt", "model"], str]
    #: Null: the built-in agent, or a model
    id: Optional[str]
    #: Name.
    name: str
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int]


class RunSummaryUser(_Record):
    """Account for which the run acts."""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class RunSummaryConversation(_Record):
    #: Unique id. It never changes.
    id: str
    #: The message there that is its answer
    message_id: Optional[str]


class RunSummaryError(_Record):
    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str
    #: HTTP status of the upstream server; only with the scope `runs:read_all`
    status: Optional[int]
    #: Error text of the upstream server; only with the scope `runs:read_all`
    detail: Optional[str]


class RunSummary(_Record):
    #: Unique id. It never changes.
    id: str
    #: Current state.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: nothing.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: Time at which the run entered this state
    state_at: str
    #: Agent, prompt or model that runs.
    subject: RunSummarySubject
    #: Account for which the run acts.
    user: RunSummaryUser
    #: Interface through which the run was started.
    channel: Union[Literal["messages", "a2a", "mcp", "console", "agent", "trigger", "prompt", "responses", "chat", "draft"], str]
    #: Beginning of the message that the run answers
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
    #: Number of calls of the model and of tools.
    steps: int
    #: Number of calls of tools.
    tool_calls: int
    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of the output; null: unknown.
    completion_tokens: int
    #: Cost in US dollars; null: the price is unknown
    cost_usd: Optional[float]
    #: Time of queueing, in UTC.
    queued_at: str
    #: Start time, in UTC; null: not started.
    started_at: Optional[str]
    #: End time, in UTC; null: not ended.
    ended_at: Optional[str]
    #: The error; null or absent: no error.
    error: Optional[RunSummaryError]
    #: Rating of the run; null: none.
    feedback: Optional[Union[Literal["up", "down"], str]]


class RunStepSummaryCallsItem(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class RunStepSummaryError(_Record):
    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str
    #: HTTP status of the upstream server; only with the scope `runs:read_all`
    status: Optional[int]
    #: Error text of the upstream server; only with the scope `runs:read_all`
    detail: Optional[str]


class RunStepSummary(_Record):
    #: Number of the step, from 1.
    seq: int
    #: Kind.
    kind: Union[Literal["model", "tool"], str]
    #: Outcome.
    outcome: Union[Literal["started", "succeeded", "failed", "unknown"], str]
    #: Whether the run waits for a person to state whether this call had its effect
    awaits_outcome: bool
    #: Number of the attempt, from 1.
    attempt: int
    #: The step of the model's answer that asked for this call of a tool
    asked_by: Optional[int]
    #: Name of a language model.
    model: Optional[str]
    #: Parameters of the call of the model.
    parameters: Any
    #: Text of the model's answer; null: none yet.
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
    #: Result of the call; null: none yet.
    result: Optional[str]
    #: Whether untrusted text influenced the step
    untrusted: Optional[bool]
    #: Tokens of the input; null: unknown.
    prompt_tokens: Optional[int]
    #: Tokens of the output; null: unknown.
    completion_tokens: Optional[int]
    #: Cost in US dollars; null: the price is unknown.
    cost_usd: Optional[float]
    #: Start time, in UTC; null: not started.
    started_at: str
    #: Time of the first token of the answer; null: none yet.
    first_token_at: Optional[str]
    #: End time, in UTC; null: not ended.
    ended_at: Optional[str]
    #: The error; null or absent: no error.
    error: Optional[RunStepSummaryError]


class ApprovalAgent(_Record):
    """Agent."""

    #: Name.
    name: str
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int]


class ApprovalServer(_Record):
    """The tool's MCP server or plugin"""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class ApprovalRequester(_Record):
    """Account for which the run acts."""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class ApprovalDecidedBy(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class Approval(_Record):
    #: Unique id. It never changes.
    id: str
    #: Id of a run.
    run_id: str
    #: `used`: the call was made. `canceled`: the run ended before a decision
    state: Union[Literal["pending", "approved", "refused", "expired", "used", "canceled"], str]
    #: Agent.
    agent: ApprovalAgent
    #: The tool's MCP server or plugin
    server: ApprovalServer
    #: Name of a tool.
    tool: str
    #: Id of the tool call.
    call_id: str
    #: The step with the answer of the model that asks for the call
    step: int
    #: Arguments as the model wrote them, as JSON
    arguments: str
    #: JSON Schema of the arguments
    parameters: Any
    #: What the run had read that neither its user nor this installation wrote
    tainted_by: List[str]
    #: Account for which the run acts.
    requester: ApprovalRequester
    #: Whether another user than the requester has to decide
    other_decider: bool
    #: Whether the caller may decide now
    may_decide: bool
    #: The arguments that were approved instead
    edited_arguments: Optional[str]
    #: Short reason.
    reason: Optional[str]
    #: Account that decided; null: no decision yet.
    decided_by: Optional[ApprovalDecidedBy]
    #: Time of the decision; null: none yet.
    decided_at: Optional[str]
    #: Expiry time; null: never.
    expires_at: str
    #: Time of creation, in UTC.
    created_at: str


class ContentSummaryFile(_Record):
    """The file that a passage is from; others have none"""

    #: Unique id. It never changes.
    id: str
    #: The number of the passage in the file, from 1
    passage: int
    #: The page, in formats with pages
    page: Optional[int]


class ContentSummaryKnowledgeSource(_Record):
    """The knowledge source that a passage is from; others have none"""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Address of the page or document
    url: str
    #: The number of the passage in the text, from 1
    passage: int
    #: The page, in formats with pages
    page: Optional[int]


class ContentSummary(_Record):
    #: Unique id. It never changes.
    id: str
    #: Title to display.
    title: str
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: str
    #: Text.
    content: str
    #: Source.
    source: str
    #: Kind.
    kind: str
    #: Whether all projects may read the content.
    public: bool
    #: Tags.
    tags: List[str]
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str
    #: The file that a passage is from; others have none
    file: Optional[ContentSummaryFile] = None
    #: The knowledge source that a passage is from; others have none
    knowledge_source: Optional[ContentSummaryKnowledgeSource] = None
    #: Relevance; comparable within one search only
    score: float
    #: Text around the match, as plain text
    snippet: str


class McpServer(_Record):
    #: Name.
    name: str
    #: URL of the service.
    endpoint: str
    #: `streamable-http` for an MCP server, `a2a` for an external agent.
    transport: Literal["streamable-http"]
    #: Names of the available tools.
    tools: List[str]


class McpConnection(_Record):
    #: Id of an MCP server.
    server_id: str
    #: Name.
    name: str
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: str
    #: Whether your account is connected.
    connected: bool
    #: Time at which you connected your account; null: not connected.
    connected_at: Optional[str]
    #: OAuth scopes, separated by spaces.
    scope: Optional[str]
    #: URL of the page where you connect your account.
    connect_url: str


class AgentList(_Record):
    #: Agents of this page.
    agents: List[AgentSummary]


class ContextList(_Record):
    #: Records of this page.
    items: List[ContextSummary]
    #: Number of records in all pages.
    total: int
    #: Maximum number of records per page.
    limit: int
    #: Number of records to skip.
    offset: int


class ConversationList(_Record):
    #: Records of this page.
    items: List[ConversationSummary]
    #: Number of records in all pages.
    total: int
    #: Maximum number of records per page.
    limit: int
    #: Number of records to skip.
    offset: int


class RunList(_Record):
    #: Records of this page.
    items: List[RunSummary]
    #: Cursor of the next page; null on the last page
    next_cursor: Optional[str]


class RunStepList(_Record):
    #: Records of this page.
    items: List[RunStepSummary]
    #: Cursor of the next page; null on the last page
    next_cursor: Optional[str]


class RunFeedback(_Record):
    #: Null removes the feedback
    rating: Optional[Union[Literal["up", "down"], str]]
    #: Free text; null: none.
    comment: Optional[str]


class ApprovalList(_Record):
    #: Records of this page.
    items: List[Approval]
    #: Cursor of the next page; null on the last page
    next_cursor: Optional[str]


class UserList(_Record):
    #: Records of this page.
    items: List[User]
    #: Number of records in all pages.
    total: int
    #: Maximum number of records per page.
    limit: int
    #: Number of records to skip.
    offset: int


class ContentList(_Record):
    #: Records of this page.
    items: List[Content]
    #: Number of records in all pages.
    total: int
    #: Maximum number of records per page.
    limit: int
    #: Number of records to skip.
    offset: int


class SearchContentList(_Record):
    #: Matching passages, best match first.
    results: List[ContentSummary]
    #: Number of records in all pages.
    total: int


class McpServerList(_Record):
    #: MCP servers.
    servers: List[McpServer]


class ServerEntryListMetadata(_Record):
    """Number of entries, and the cursor of the next page."""

    #: Entries of this page
    count: int
    #: Cursor of the next page; absent on the last page
    nextCursor: Optional[str] = None


class ServerEntryList(_Record):
    #: MCP servers.
    servers: List[ServerEntry]
    #: Number of entries, and the cursor of the next page.
    metadata: ServerEntryListMetadata


class McpConnectionList(_Record):
    #: MCP servers that need an account of your own.
    connections: List[McpConnection]


class FileList(_Record):
    #: Records of this page.
    items: List[UploadedFile]
    #: Number of records in all pages.
    total: int
    #: Maximum number of records per page.
    limit: int
    #: Number of records to skip.
    offset: int


class KnowledgeList(_Record):
    #: Records of this page.
    items: List[FileKnowledge]
    #: Number of records in all pages.
    total: int
    #: Maximum number of records per page.
    limit: int
    #: Number of records to skip.
    offset: int


class KnowledgeSourceList(_Record):
    #: Records of this page.
    items: List[KnowledgeSource]
    #: Number of records in all pages.
    total: int
    #: Maximum number of records per page.
    limit: int
    #: Number of records to skip.
    offset: int


class SendMessageRequestImagesItem1(_Record):
    #: A PNG, JPEG, WebP or GIF image in base64
    data: str
    #: Name of its file, for people: the model reads none
    name: Optional[str] = None


class SendMessageRequestImagesItem2(_Record):
    #: An image of an earlier message of the conversation
    id: str


class SendMessageRequest(_Record):
    #: May be empty with images
    content: str
    #: Id of a conversation with an agent.
    context_id: Optional[str] = None
    #: Images for the agent, 5 MiB together; the model of the agent has to read images
    images: Optional[List[Union[SendMessageRequestImagesItem1, SendMessageRequestImagesItem2]]] = None
    #: Your message of the conversation that this one replaces, together with all after it: an edit, or the same content for another answer. 409 while a run of the conversation has not ended
    replaces: Optional[str] = None


class ConversationChanges(_Record):
    #: Title to display.
    title: Optional[str] = None
    #: Whether it stands before all others
    pinned: Optional[bool] = None
    #: Whether all users of the project may read it
    shared: Optional[bool] = None


class NewRunImagesItem1(_Record):
    #: A PNG, JPEG, WebP or GIF image in base64
    data: str
    #: Name of its file, for people: the model reads none
    name: Optional[str] = None


class NewRunImagesItem2(_Record):
    #: An image of an earlier message of the conversation
    id: str


class NewRunBudget1(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["usd"]
    #: Maximum amount, in `unit`.
    amount: float


class NewRunBudget2(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["tokens"]
    #: Maximum amount, in `unit`.
    amount: int


class NewRun(_Record):
    #: Name of the agent
    agent: str
    #: May be empty with images
    content: str
    #: Id of a conversation with an agent.
    context_id: Optional[str] = None
    #: Images for the agent, 5 MiB together; the model of the agent has to read images
    images: Optional[List[Union[NewRunImagesItem1, NewRunImagesItem2]]] = None
    #: The most that the run, and the runs that its agent starts, may spend; it waits when that is used up
    budget: Optional[Union[NewRunBudget1, NewRunBudget2]] = None
    #: Kept with the run; at most 16 KiB of JSON
    metadata: Optional[Dict[str, Any]] = None


class RetryRunRequestBudget1(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["usd"]
    #: Maximum amount, in `unit`.
    amount: float


class RetryRunRequestBudget2(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["tokens"]
    #: Maximum amount, in `unit`.
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
    #: Note that the model reads, such as the number of an order
    note: Optional[str] = None


class RunFeedbackReplacement(_Record):
    #: Null removes the feedback
    rating: Optional[Union[Literal["up", "down"], str]]
    #: Free text; null: none.
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


class RunAgentDraftRequestImagesItem1(_Record):
    #: A PNG, JPEG, WebP or GIF image in base64
    data: str
    #: Name of its file, for people: the model reads none
    name: Optional[str] = None


class RunAgentDraftRequestImagesItem2(_Record):
    #: An image of an earlier message of the conversation
    id: str


class RunAgentDraftRequestBudget1(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["usd"]
    #: Maximum amount, in `unit`.
    amount: float


class RunAgentDraftRequestBudget2(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["tokens"]
    #: Maximum amount, in `unit`.
    amount: int


class RunAgentDraftRequest(_Record):
    #: Name.
    name: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Ids of the skills of the agent.
    skill_ids: Optional[List[str]] = None
    #: Ids of the plugins that the agent may use.
    plugin_ids: Optional[List[str]] = None
    #: Tags of the content that the agent may read.
    content_tags: Optional[List[str]] = None
    #: Ids of the MCP servers whose tools the agent may use.
    mcp_server_ids: Optional[List[str]] = None
    #: Ids of the agents that this agent may call.
    agent_ids: Optional[List[str]] = None
    #: Allowed tools of MCP servers, as `server/tool` or `server/*`.
    mcp_tools: Optional[List[str]] = None
    #: Tools that need the approval of a person before each call.
    ask_tools: Optional[List[str]] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: Parameters of its model's calls, in front of the model's own defaults
    model_parameters: Optional[RunAgentDraftRequestModelParameters] = None
    #: System instructions for the model.
    instructions: Optional[str] = None
    #: What to do when the outcome of a tool call is unknown: ask a person, report it to the model, or fail the run.
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: May be empty with images
    content: str
    #: Id of a conversation with an agent.
    context_id: Optional[str] = None
    #: Images for the agent, 5 MiB together; the model of the agent has to read images
    images: Optional[List[Union[RunAgentDraftRequestImagesItem1, RunAgentDraftRequestImagesItem2]]] = None
    #: Name of the agent that the draft changes
    agent: Optional[str] = None
    #: The most that the run may spend
    budget: Optional[Union[RunAgentDraftRequestBudget1, RunAgentDraftRequestBudget2]] = None


class DecideApprovalRequest(_Record):
    #: Decision.
    decision: Union[Literal["approve", "refuse"], str]
    #: Replaces the model's arguments; valid by `parameters`
    arguments: Optional[Dict[str, Any]] = None
    #: Reason that the model reads
    reason: Optional[str] = None


class NewUser(_Record):
    #: E-mail address.
    email: str
    #: Name.
    name: str


class UserChanges(_Record):
    #: E-mail address.
    email: Optional[str] = None
    #: Name.
    name: Optional[str] = None


class NewContent(_Record):
    #: Title to display.
    title: str
    #: Text.
    content: str
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: Optional[str] = None
    #: Source.
    source: Optional[str] = None
    #: Kind.
    kind: Optional[str] = None
    #: Whether all projects may read the content.
    public: Optional[bool] = None
    #: Tags.
    tags: Optional[List[str]] = None


class NewFile(_Record):
    #: The file.
    file: str
    #: Path of the file.
    path: str


class FileKnowledgeReplacement(_Record):
    #: Tags.
    tags: Optional[List[str]] = None


class NewKnowledgeSource(_Record):
    #: Name.
    name: str
    #: Absolute URL.
    url: str
    #: Tags.
    tags: Optional[List[str]] = None
    #: Cron expression of five fields; null: the trigger is started by webhooks.
    schedule: Optional[str] = None
    #: IANA time zone of the schedule.
    timezone: Optional[str] = None


class KnowledgeSourceChanges(_Record):
    #: Name.
    name: Optional[str] = None
    #: Absolute URL.
    url: Optional[str] = None
    #: Tags.
    tags: Optional[List[str]] = None
    #: Cron expression of five fields; null: the trigger is started by webhooks.
    schedule: Optional[str] = None
    #: IANA time zone of the schedule.
    timezone: Optional[str] = None


class StopAgentAnswer(_Record):
    #: Name.
    name: str
    #: Time at which the agent was stopped; null: not stopped.
    stopped_at: Optional[str]


class SendMessageAnswer(_Record):
    #: Unique id. It never changes.
    id: str
    #: Text of the answer.
    content: str
    #: Agent.
    agent: str
    #: Time at which the message was stored, in UTC.
    timestamp: str
    #: Id of a conversation with an agent.
    context_id: str


class SendMessageAnswer202Subject(_Record):
    """Agent, prompt or model that runs."""

    #: Kind.
    kind: Union[Literal["agent", "prompt", "model"], str]
    #: Null: the built-in agent, or a model
    id: Optional[str]
    #: Name.
    name: str
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int]


class SendMessageAnswer202User(_Record):
    """Account."""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class SendMessageAnswer202Conversation(_Record):
    #: Unique id. It never changes.
    id: str
    #: The message there that is its answer
    message_id: Optional[str]


class SendMessageAnswer202Error(_Record):
    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str
    #: HTTP status of the upstream server; only with the scope `runs:read_all`
    status: Optional[int]
    #: Error text of the upstream server; only with the scope `runs:read_all`
    detail: Optional[str]


class SendMessageAnswer202ConnectionsItem(_Record):
    #: Id of an MCP server.
    server_id: str
    #: Name.
    name: str
    #: URL of the page where you connect your account.
    connect_url: str
    #: Id of a run.
    run_id: str


class SendMessageAnswer202(_Record):
    #: Unique id. It never changes.
    id: str
    #: Current state.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]
    #: What the run waits for; null: nothing.
    waiting_for: Optional[Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]]
    #: Time at which the run entered this state
    state_at: str
    #: Agent, prompt or model that runs.
    subject: SendMessageAnswer202Subject
    #: Account.
    user: SendMessageAnswer202User
    #: Interface through which the run was started.
    channel: Union[Literal["messages", "a2a", "mcp", "console", "agent", "trigger", "prompt", "responses", "chat", "draft"], str]
    #: Beginning of the message that the run answers
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
    #: Number of calls of the model and of tools.
    steps: int
    #: Number of calls of tools.
    tool_calls: int
    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of the output; null: unknown.
    completion_tokens: int
    #: Cost in US dollars; null: the price is unknown
    cost_usd: Optional[float]
    #: Time of queueing, in UTC.
    queued_at: str
    #: Start time, in UTC; null: not started.
    started_at: Optional[str]
    #: End time, in UTC; null: not ended.
    ended_at: Optional[str]
    #: The error; null or absent: no error.
    error: Optional[SendMessageAnswer202Error]
    #: Rating of the run; null: none.
    feedback: Optional[Union[Literal["up", "down"], str]]
    #: The calls of tools that wait for a decision, in the run and the runs below it: the latest 10. `GET /api/v1/runs/{run_id}/approvals?below=true` lists all
    approvals: List[Approval]
    #: The accounts that the run and the runs below it wait for: their user connects each at `connect_url`
    connections: List[SendMessageAnswer202ConnectionsItem]


class DeleteContextAnswer(_Record):
    #: Unique id. It never changes.
    id: str


class CancelRunAnswer(_Record):
    #: Unique id. It never changes.
    id: str
    #: Current state.
    state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], str]


class DecideApprovalAnswer(_Record):
    #: Unique id. It never changes.
    id: str
    #: Current state.
    state: Union[Literal["pending", "approved", "refused", "expired", "used", "canceled"], str]
    #: Run.
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
    #: Agent.
    agent: str
    #: Id of a conversation with an agent.
    context_id: str
    #: Id of a run.
    run_id: str


class SendMessageRunRunning(_Record):
    #: Another process continues the run; the text of an unfinished step starts again
    taken_over: Literal[True]


class SendMessageMessageDelta(_Record):
    #: Number of the step.
    step: int
    #: Next piece of the answer.
    delta: str


class SendMessageToolCall(_Record):
    #: Number of the step.
    step: int
    #: Unique id. It never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Arguments of the call, as JSON.
    arguments: str


class SendMessageToolResult(_Record):
    #: Number of the step.
    step: int
    #: Unique id. It never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Whether the call succeeded.
    ok: bool


class FollowRunRunQueued(_Record):
    pass


class FollowRunRunRunning(_Record):
    #: Another process continues the run; the text of an unfinished step starts again
    taken_over: Optional[Literal[True]] = None


class FollowRunRunWaiting(_Record):
    #: What the run waits for; null: nothing.
    waiting_for: Union[Literal["approval", "input", "budget", "outcome", "connection", "child"], str]


class FollowRunMessageDelta(_Record):
    #: Number of the step.
    step: int
    #: Next piece of the answer.
    delta: str


class FollowRunToolCall(_Record):
    #: Number of the step.
    step: int
    #: Unique id. It never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Arguments of the call, as JSON.
    arguments: str


class FollowRunToolResult(_Record):
    #: Number of the step.
    step: int
    #: Unique id. It never changes.
    id: str
    #: Name of a tool.
    tool: str
    #: Whether the call succeeded.
    ok: bool


class FollowRunRunCompleted(_Record):
    pass


class FollowRunRunFailed(_Record):
    #: Error code for programs. It does not change between releases.
    code: str


class FollowRunRunCanceled(_Record):
    #: Why it was canceled, unless a person did that
    reason: Optional[Union[Literal["agent_stopped", "parent_ended"], str]] = None


Metrics = Union[Metrics1, Metrics2]
SendMessageMessageCompleted = SendMessageAnswer
SendMessageRunWaiting = SendMessageAnswer202
SendMessageError = ApiError

rebuild(globals())
