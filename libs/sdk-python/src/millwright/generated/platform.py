"""Made by `npm run openapi`: do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union

from pydantic import Field

from .._model import Model as _Record, rebuild


class ApiErrorError(_Record):
    """What went amiss."""

    #: Name of the error for programs. Later releases may add names.
    code: str
    #: Error message: what is wrong and what to do.
    message: str
    #: The HTTP status of the answer.
    status: int


class ApiError(_Record):
    #: What went amiss.
    error: ApiErrorError


class SkillParametersValue(_Record):
    #: Type.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: Accepted values.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value to use when none is given.
    default: Optional[Union[str, float, bool]] = None


class Skill(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: System instructions for the model.
    instructions: str
    #: Parameters by name.
    parameters: Dict[str, SkillParametersValue]
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class AgentModelParameters(_Record):
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


class Agent(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: str
    #: Description, as free text.
    description: str
    #: Ids of the skills of the agent.
    skill_ids: List[str]
    #: Ids of the plugins that the agent may use.
    plugin_ids: List[str]
    #: Tags of the content that the agent may read.
    content_tags: List[str]
    #: Ids of the MCP servers whose tools the agent may use.
    mcp_server_ids: List[str]
    #: Agents that it may call as tools
    agent_ids: List[str]
    #: Tools of its MCP servers that it may use: *, server/* or server/tool. The clock and the calculator of this installation are not among *: platform/*, platform/current_time or platform/calculate
    mcp_tools: List[str]
    #: Tools that it calls only after a person's decision, besides those whose rule says so: *, server/*, server/tool, plugins/*, plugins/id, agents/* or agents/id
    ask_tools: List[str]
    #: Name of a language model.
    model: Optional[str]
    #: Parameters of its model's calls, in front of the model's own defaults
    model_parameters: AgentModelParameters
    #: System instructions for the model.
    instructions: str
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails
    on_unknown: Union[Literal["ask", "tell", "fail"], str]
    #: Time at which an admin stopped the agent; no run of it starts
    stopped_at: Optional[str]
    #: Whether users and other agents may use the agent.
    published: bool
    #: The installation answers for this one where none is named
    is_default: bool
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class SkillVersionBy(_Record):
    """Author of the change."""

    #: Id of an account.
    user_id: str
    #: Kind of the actor: a user, a job or an MCP client.
    actor_kind: Union[Literal["user", "job", "mcp"], str]
    #: Id of the actor.
    actor_id: str


class SkillVersionStateParametersValue(_Record):
    #: Type.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: Accepted values.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value to use when none is given.
    default: Optional[Union[str, float, bool]] = None


class SkillVersionState(_Record):
    """Fields of the skill in this version."""

    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: System instructions for the model.
    instructions: str
    #: Parameters by name.
    parameters: Dict[str, SkillVersionStateParametersValue]
    #: Status.
    status: Union[Literal["active", "inactive"], str]


class SkillVersion(_Record):
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Time of the event, in UTC.
    at: str
    #: Author of the change.
    by: SkillVersionBy
    #: Names of the fields that changed.
    changed: List[str]
    #: Fields of the skill in this version.
    state: SkillVersionState


class AgentVersionBy(_Record):
    """Author of the change."""

    #: Id of an account.
    user_id: str
    #: Kind of the actor: a user, a job or an MCP client.
    actor_kind: Union[Literal["user", "job", "mcp"], str]
    #: Id of the actor.
    actor_id: str


class AgentVersionStateModelParameters(_Record):
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


class AgentVersionState(_Record):
    """Fields of the agent in this version."""

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
    #: Agents that it may call as tools
    agent_ids: Optional[List[str]] = None
    #: Tools of its MCP servers that it may use: *, server/* or server/tool. The clock and the calculator of this installation are not among *: platform/*, platform/current_time or platform/calculate
    mcp_tools: Optional[List[str]] = None
    #: Tools that it calls only after a person's decision, besides those whose rule says so: *, server/*, server/tool, plugins/*, plugins/id, agents/* or agents/id
    ask_tools: Optional[List[str]] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: Parameters of its model's calls, in front of the model's own defaults
    model_parameters: Optional[AgentVersionStateModelParameters] = None
    #: System instructions for the model.
    instructions: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: Whether users and other agents may use the agent.
    published: Optional[bool] = None


class AgentVersion(_Record):
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Time of the event, in UTC.
    at: str
    #: Author of the change.
    by: AgentVersionBy
    #: Names of the fields that changed.
    changed: List[str]
    #: Fields of the agent in this version.
    state: AgentVersionState


class Plugin(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Type.
    type: Union[Literal["tool", "data_source", "integration", "filter"], str]
    #: Configuration of the plugin. `config_schema` describes it.
    config: Dict[str, Any]
    #: JSON Schema of the configuration.
    config_schema: Dict[str, Any]
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: Whether the last check succeeded; null: not checked yet.
    reachable: Optional[bool]
    #: Time of the last check; null: never.
    last_checked_at: Optional[str]
    #: Error of the last attempt; null after a success.
    last_error: Optional[str]
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class Content(_Record):
    #: Unique id. It never changes.
    id: str
    #: Title to display.
    title: str
    #: Text of the content item, in Markdown.
    body: str
    #: Tags.
    tags: List[str]
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class KnowledgeSearch(_Record):
    #: Name of the model that makes vectors; null: full text only
    embedding_model: Optional[str]
    #: Length of the vectors that is requested; null: the model's
    dimensions: Optional[int]
    #: `full_text`: no embedding model is set. `no_pgvector`: the database cannot compare vectors. `indexing`: vectors are made, until then searches are full text. `failing`: the model makes none, and is called again later. `ready`: searches use words and vectors.
    state: Union[Literal["full_text", "no_pgvector", "indexing", "failing", "ready"], str]
    #: The state in a sentence, for people
    message: str
    #: Content items and passages that have vectors
    indexed: int
    #: Content items and passages whose vectors are still to be made
    pending: int
    #: Content items and passages that the model refused; they are found by words alone
    refused: int
    #: Time of the last change, in UTC.
    updated_at: Optional[str]


class McpServerAuth1(_Record):
    #: Type.
    type: Literal["none"]


class McpServerAuth2(_Record):
    #: Type.
    type: Literal["agent_token"]
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerAuth3(_Record):
    #: Type.
    type: Literal["client_credentials"]
    #: Token endpoint of the authorization server.
    token_url: str
    #: Id of an OAuth client.
    client_id: str
    #: Secret of the OAuth client. It is never returned.
    client_secret: Literal["********"]
    #: Authentication method of the client at the token endpoint.
    client_auth: Union[Literal["client_secret_basic", "client_secret_post"], str]
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerAuth4(_Record):
    #: Type.
    type: Literal["user"]
    #: Issuer URL of the authorization server.
    issuer: Optional[str] = None
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: Secret of the OAuth client. It is never returned.
    client_secret: Optional[Literal["********"]] = None
    #: Authentication method of the client at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post", "none"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerAgentCard(_Record):
    #: Whether the agent may be used only while its card has a valid signature.
    require_signature: bool
    #: URL of the keys that may sign the card; null: the URL that the signature names, on the origin of the card.
    jwks_url: Optional[str]
    #: Result of the last verification; null: not verified yet.
    signature: Optional[Union[Literal["verified", "unsigned", "invalid"], str]]


class McpServer(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: str
    #: Absolute URL.
    url: str
    #: Description, as free text.
    description: str
    #: Headers of each request to the server, by name.
    headers: Dict[str, Literal["********"]]
    #: Authentication of requests to the server.
    auth: Union[McpServerAuth1, McpServerAuth2, McpServerAuth3, McpServerAuth4]
    #: Status.
    status: Union[Literal["active", "inactive", "unreachable"], str]
    #: `streamable-http` for an MCP server, `a2a` for an external agent.
    transport: Union[Literal["streamable-http", "a2a"], str]
    #: How the card of an external agent is verified; null for an MCP server.
    agent_card: Optional[McpServerAgentCard]
    #: Whether changed tools need an approval before they can be used.
    pin_tools: bool
    #: Number of available tools.
    tools_count: int
    #: Time of the last use or the last answer; null: never.
    last_seen_at: Optional[str]
    #: Error of the last attempt; null after a success.
    last_error: Optional[str]
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class McpRegistry(_Record):
    #: Base address of the MCP registry; null: none is configured
    url: Optional[str]


class ToolPolicy(_Record):
    #: `ask_when_tainted`: a decision is needed in runs that have read text of others
    unmarked_tools: Union[Literal["allow", "ask_when_tainted", "ask"], str]
    #: Whether another user than the requester has to decide
    other_decider: bool
    #: Whether it is the installation's setting
    is_default: bool
    #: Time of the last change, in UTC.
    updated_at: Optional[str]


class PluginRule(_Record):
    #: Whether an admin has said that a call may be repeated when its outcome is unknown, for the present definition
    repeatable: bool
    #: The mark of an admin; null: none
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether the definition is the one that was marked
    is_current: bool
    #: Whether another user than the requester has to decide
    other_decider: bool
    #: The rule in runs that have read no text of others
    effective: Union[Literal["allow", "ask", "deny"], str]


class AgentRule(_Record):
    #: The mark of an admin; null: none
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether the definition is the one that was marked
    is_current: bool
    #: Whether another user than the requester has to decide
    other_decider: bool
    #: The rule in runs that have read no text of others
    effective: Union[Literal["allow", "ask", "deny"], str]


class GuardsRulesSecrets(_Record):
    """API keys, tokens, passwords, private keys, connection strings"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsRulesEmail(_Record):
    """Actions for e-mail addresses."""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsRulesPhone(_Record):
    """Numbers with + or 00, and the national ones of `phone_countries`"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsRulesCard(_Record):
    """Numbers of payment cards, by their check digit"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsRulesIban(_Record):
    """Numbers of bank accounts, by their check digits"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsRules(_Record):
    """What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has"""

    #: API keys, tokens, passwords, private keys, connection strings
    secrets: Optional[GuardsRulesSecrets] = None
    #: Actions for e-mail addresses.
    email: Optional[GuardsRulesEmail] = None
    #: Numbers with + or 00, and the national ones of `phone_countries`
    phone: Optional[GuardsRulesPhone] = None
    #: Numbers of payment cards, by their check digit
    card: Optional[GuardsRulesCard] = None
    #: Numbers of bank accounts, by their check digits
    iban: Optional[GuardsRulesIban] = None


class GuardsFiltersItem(_Record):
    #: Id of a plugin.
    plugin_id: str
    #: Name.
    name: str
    #: The approved version
    version: int
    #: False: the plugin has changed since, or is inactive. It is not asked, and the runs end.
    is_current: bool
    #: Values over time, oldest first.
    points: List[Union[Literal["input", "output", "tools"], str]]
    #: When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass
    on_failure: Union[Literal["block", "allow"], str]


class Guards(_Record):
    #: What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has
    rules: GuardsRules
    #: Countries (ISO 3166-1 alpha-2) whose national telephone numbers count
    phone_countries: List[str]
    #: External guards, in the order in which they are asked
    filters: List[GuardsFiltersItem]
    #: Null: nothing was ever set
    updated_at: Optional[str]


class AgentGuardsRulesSecrets(_Record):
    """API keys, tokens, passwords, private keys, connection strings"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsRulesEmail(_Record):
    """Actions for e-mail addresses."""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsRulesPhone(_Record):
    """Numbers with + or 00, and the national ones of `phone_countries`"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsRulesCard(_Record):
    """Numbers of payment cards, by their check digit"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsRulesIban(_Record):
    """Numbers of bank accounts, by their check digits"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsRules(_Record):
    """What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has"""

    #: API keys, tokens, passwords, private keys, connection strings
    secrets: Optional[AgentGuardsRulesSecrets] = None
    #: Actions for e-mail addresses.
    email: Optional[AgentGuardsRulesEmail] = None
    #: Numbers with + or 00, and the national ones of `phone_countries`
    phone: Optional[AgentGuardsRulesPhone] = None
    #: Numbers of payment cards, by their check digit
    card: Optional[AgentGuardsRulesCard] = None
    #: Numbers of bank accounts, by their check digits
    iban: Optional[AgentGuardsRulesIban] = None


class AgentGuardsFiltersItem(_Record):
    #: Id of a plugin.
    plugin_id: str
    #: Name.
    name: str
    #: The approved version
    version: int
    #: False: the plugin has changed since, or is inactive. It is not asked, and the runs end.
    is_current: bool
    #: Values over time, oldest first.
    points: List[Union[Literal["input", "output", "tools"], str]]
    #: When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass
    on_failure: Union[Literal["block", "allow"], str]


class AgentGuardsEffectiveRulesSecrets(_Record):
    """API keys, tokens, passwords, private keys, connection strings"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsEffectiveRulesEmail(_Record):
    """Actions for e-mail addresses."""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsEffectiveRulesPhone(_Record):
    """Numbers with + or 00, and the national ones of `phone_countries`"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsEffectiveRulesCard(_Record):
    """Numbers of payment cards, by their check digit"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsEffectiveRulesIban(_Record):
    """Numbers of bank accounts, by their check digits"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class AgentGuardsEffectiveRules(_Record):
    """What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has"""

    #: API keys, tokens, passwords, private keys, connection strings
    secrets: Optional[AgentGuardsEffectiveRulesSecrets] = None
    #: Actions for e-mail addresses.
    email: Optional[AgentGuardsEffectiveRulesEmail] = None
    #: Numbers with + or 00, and the national ones of `phone_countries`
    phone: Optional[AgentGuardsEffectiveRulesPhone] = None
    #: Numbers of payment cards, by their check digit
    card: Optional[AgentGuardsEffectiveRulesCard] = None
    #: Numbers of bank accounts, by their check digits
    iban: Optional[AgentGuardsEffectiveRulesIban] = None


class AgentGuardsEffectiveFiltersItem(_Record):
    #: Id of a plugin.
    plugin_id: str
    #: Name.
    name: str
    #: The approved version
    version: int
    #: False: the plugin has changed since, or is inactive. It is not asked, and the runs end.
    is_current: bool
    #: Values over time, oldest first.
    points: List[Union[Literal["input", "output", "tools"], str]]
    #: When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass
    on_failure: Union[Literal["block", "allow"], str]


class AgentGuardsEffective(_Record):
    """What holds for runs of the agent, with the rules of its project"""

    #: What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has
    rules: AgentGuardsEffectiveRules
    #: Countries (ISO 3166-1 alpha-2) whose national telephone numbers count
    phone_countries: List[str]
    #: External guards, in the order in which they are asked
    filters: List[AgentGuardsEffectiveFiltersItem]


class AgentGuards(_Record):
    #: What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has
    rules: AgentGuardsRules
    #: Countries (ISO 3166-1 alpha-2) whose national telephone numbers count
    phone_countries: List[str]
    #: External guards, in the order in which they are asked
    filters: List[AgentGuardsFiltersItem]
    #: Null: nothing was ever set
    updated_at: Optional[str]
    #: What holds for runs of the agent, with the rules of its project
    effective: AgentGuardsEffective


class Webhook(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Absolute URL.
    url: str
    #: Description, as free text.
    description: str
    #: Types of the events to send.
    event_types: List[str]
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: Reason for which it was disabled; null: not disabled.
    disabled_reason: Optional[Union[Literal["failing", "gone"], str]]
    #: Time since which all attempts have failed; null: the last one succeeded.
    failing_since: Optional[str]
    #: Time until which the previous secret is valid; null: it is not valid.
    former_secret_until: Optional[str]
    #: Number of deliveries that wait for an attempt.
    waiting: int
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class WebhookDeliveryEvent(_Record):
    """The event."""

    #: Unique id. It never changes.
    id: str
    #: Type.
    type: str
    #: Id of the record that the event is about.
    subject: str
    #: Number of the event for its subject, from 1.
    sequence: int
    #: Time of creation, in UTC.
    created_at: str


class WebhookDelivery(_Record):
    #: Unique id. It never changes.
    id: str
    #: The event.
    event: WebhookDeliveryEvent
    #: Current state.
    state: Union[Literal["pending", "delivered", "failed", "skipped"], str]
    #: Number of attempts.
    attempts: int
    #: Time of the next attempt; null: none.
    next_attempt_at: Optional[str]
    #: Time of the last attempt; null: never.
    last_attempt_at: Optional[str]
    #: HTTP status of the last answer; null: no answer.
    last_status: Optional[int]
    #: Error of the last attempt; null after a success.
    last_error: Optional[str]
    #: Start of the receiver's answer; null: none yet.
    answer: Optional[str]
    #: Data of the event.
    data: Any


class TriggerBudget(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Union[Literal["usd", "tokens"], str]
    #: Maximum amount, in `unit`.
    amount: float


class TriggerOwner(_Record):
    """Owner."""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class Trigger(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: Kind.
    kind: Union[Literal["cron", "webhook"], str]
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: Reason for which it was disabled; null: not disabled.
    disabled_reason: Optional[Union[Literal["owner", "failing"], str]]
    #: Agent.
    agent: str
    #: Message that starts each run.
    input: str
    #: Whether each run starts a new conversation or continues the same one.
    context: Union[Literal["new", "same"], str]
    #: Id of a conversation with an agent.
    context_id: Optional[str]
    #: What to do when the previous run has not ended: skip, queue, or run both.
    overlap: Union[Literal["skip", "queue", "allow"], str]
    #: What to do about scheduled times that were missed: nothing, or one run.
    missed: Union[Literal["skip", "once"], str]
    #: Cron expression of five fields; null: the trigger is started by webhooks.
    schedule: Optional[str]
    #: IANA time zone of the schedule.
    timezone: Optional[str]
    #: Earliest time of a firing; null: no limit.
    starts_at: Optional[str]
    #: Latest time of a firing; null: no limit.
    ends_at: Optional[str]
    #: Next scheduled time; null: none.
    next_at: Optional[str]
    #: Path of the webhook on the runtime API; null for a schedule.
    path: Optional[str]
    #: Signature scheme of the webhook requests.
    signature: Optional[Union[Literal["standard", "github", "stripe"], str]]
    #: Time until which the previous secret is valid; null: it is not valid.
    former_secret_until: Optional[str]
    #: Maximum cost; null: no limit.
    budget: Optional[TriggerBudget]
    #: Owner.
    owner: TriggerOwner
    #: Number of consecutive failures that disables the trigger.
    max_failures: int
    #: Number of consecutive failures.
    failures: int
    #: Number of firings.
    firings: int
    #: Time of the last firing; null: never.
    last_fired_at: Optional[str]
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class BudgetSubjectPart(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class BudgetWindow(_Record):
    """The present period, in the unit of `amount`"""

    #: First day in UTC; null: the budget has no periods
    starts_on: Optional[str]
    #: First day of the next period
    ends_on: Optional[str]
    #: Amount that was spent in the period, in `unit`.
    spent: float
    #: What calls under way may still spend
    reserved: float


class Budget(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: What the budget limits.
    level: Union[Literal["project", "api_key", "client", "user", "agent", "trigger", "run"], str]
    #: The API key, client, user, agent, trigger or run; null for the whole project
    subject: Optional[BudgetSubjectPart]
    #: Length of a period; periods start in UTC
    period: Union[Literal["day", "month", "total"], str]
    #: Unit of the amount: US dollars or tokens.
    unit: Union[Literal["usd", "tokens"], str]
    #: US dollars, with six decimals at most, or tokens
    amount: float
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: The present period, in the unit of `amount`
    window: BudgetWindow
    #: Runs of agents that wait for it; 1,000 at most are counted
    waiting_runs: int
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str


class Client(_Record):
    #: Id of an OAuth client.
    client_id: str
    #: Name.
    name: str
    #: Allowed redirect URIs.
    redirect_uris: List[str]
    #: Scopes of the credential.
    scopes: List[str]
    #: Tools of MCP servers that it may use: `*`, `server/*` or `server/tool`
    mcp_tools: List[str]
    #: `Core`, `Commerce`, or the id of a project that a platform admin made
    project: str
    #: Time of creation, in UTC.
    created_at: str
    #: When the client and its tokens end, unless it is rotated; null: never
    expires_at: Optional[str]
    #: Time of the last use; null: never.
    last_used_at: Optional[str]


class ModelParameters(_Record):
    """Default parameters; those of agents and prompts come first"""

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


class ModelPrices(_Record):
    #: US dollars for a million input tokens
    input: float
    #: US dollars for a million output tokens
    output: float


class ModelHealthLastFailure(_Record):
    #: Time of the event, in UTC.
    at: str
    #: Kind.
    kind: Union[Literal["timeout", "rate_limited", "failed", "unreachable", "rejected", "garbage"], str]
    #: HTTP status of the answer; null: there was none
    status: Optional[int]
    #: Error text of the model server, without credentials; null without the scope `admin`
    message: Optional[str]


class ModelHealth(_Record):
    """How the model last answered this project"""

    #: `unknown`: not called yet. `paused`: not called for some seconds after failures in a row
    state: Union[Literal["unknown", "healthy", "failing", "paused"], str]
    #: Time of the last answer, to within a minute
    last_success_at: Optional[str]
    #: The latest failure, also when a later call succeeded
    last_failure: Optional[ModelHealthLastFailure]


class Model(_Record):
    #: `environment:` and the name for a model of the environment
    id: str
    #: The name that agents and requests use
    name: str
    #: `environment`: of `MODEL_*` or `MODELS_FILE`, which an operator changes
    source: Union[Literal["project", "environment"], str]
    #: Null for a model of the environment
    preset: Optional[Union[Literal["openai", "anthropic", "google", "azure", "mistral", "groq", "ollama", "vllm", "litellm", "compatible"], str]]
    #: Base URL; null without the scope `admin`, and for the built-in offline model
    base_url: Optional[str]
    #: Name of the model at the base URL
    upstream_model: str
    #: Whether there is one; it is never shown
    api_key: Optional[Literal["********"]]
    #: Default parameters; those of agents and prompts come first
    parameters: ModelParameters
    #: Tokens
    context_window: int
    #: Longest answer in tokens; null: unknown
    max_output: Optional[int]
    #: Whether the model reads images
    images: bool
    #: Whether its server fetches images from addresses that clients name
    image_urls: bool
    #: US dollars for a million tokens at this moment; null: unknown
    prices: Optional[ModelPrices]
    #: Models that are called in turn when this one does not answer
    fallbacks: List[str]
    #: Used where an agent or a request names no model
    is_default: bool
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: How the model last answered this project
    health: ModelHealth
    #: Time of creation, in UTC.
    created_at: Optional[str]
    #: Time of the last change, in UTC.
    updated_at: Optional[str]


class McpServerTool(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: JSON Schema of the arguments.
    input_schema: Dict[str, Any]


class QuarantinedToolApproved(_Record):
    #: Description, as free text.
    description: str
    #: JSON Schema of the arguments.
    input_schema: Dict[str, Any]
    #: Title to display.
    title: Optional[str] = None
    #: Hints of the tool, as its MCP server declares them.
    annotations: Optional[Dict[str, Any]] = None
    #: JSON Schema of the output.
    output_schema: Optional[Dict[str, Any]] = None
    #: Members of the definition that MCP does not define.
    other_members: Optional[Dict[str, Any]] = None


class QuarantinedToolCurrent(_Record):
    #: Description, as free text.
    description: str
    #: JSON Schema of the arguments.
    input_schema: Dict[str, Any]
    #: Title to display.
    title: Optional[str] = None
    #: Hints of the tool, as its MCP server declares them.
    annotations: Optional[Dict[str, Any]] = None
    #: JSON Schema of the output.
    output_schema: Optional[Dict[str, Any]] = None
    #: Members of the definition that MCP does not define.
    other_members: Optional[Dict[str, Any]] = None


class QuarantinedToolDifferenceItem(_Record):
    #: Path of the field.
    path: str
    #: Value in the approved definition; null: none.
    approved: Any = None
    #: Value in the current definition.
    current: Any = None


class QuarantinedTool(_Record):
    #: Name.
    name: str
    #: Short reason.
    reason: Union[Literal["new", "changed", "removed"], str]
    #: SHA-256 of the definition, hexadecimal.
    hash: Optional[str]
    #: Definition that an admin approved; null: none.
    approved: Optional[QuarantinedToolApproved]
    #: Definition that the server sends at present.
    current: Optional[QuarantinedToolCurrent]
    #: Differences between the approved and the current definition.
    difference: List[QuarantinedToolDifferenceItem]


class McpRegistrySummaryDraftsItemHeadersItem(_Record):
    #: Name.
    name: str
    #: What the registry proposes; `{name}` in it stands for a value to enter
    value: str
    #: Description, as free text.
    description: str
    #: Whether the server needs it
    is_required: bool
    #: Whether its value is a secret
    is_secret: bool


class McpRegistrySummaryDraftsItemInputsItem(_Record):
    #: It stands in braces in `url`, or in the value of a header
    name: str
    #: Description, as free text.
    description: str
    #: Whether the server needs it
    is_required: bool
    #: Whether its value is a secret
    is_secret: bool
    #: Accepted values.
    choices: List[str]


class McpRegistrySummaryDraftsItem(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: The address by Streamable HTTP; `{name}` in it stands for a value to enter
    url: str
    #: Headers of each request to the server, by name.
    headers: List[McpRegistrySummaryDraftsItemHeadersItem]
    #: What is to be entered in `url` and `headers`
    inputs: List[McpRegistrySummaryDraftsItemInputsItem]


class McpRegistrySummary(_Record):
    #: The name in the registry, with its namespace
    name: str
    #: Title to display.
    title: Optional[str]
    #: Description, as free text.
    description: str
    #: Version number. Each change increases it. It is also the ETag.
    version: str
    #: Whether its author advises against it
    is_deprecated: bool
    #: One for each remote address by Streamable HTTP; empty for servers that only run locally
    drafts: List[McpRegistrySummaryDraftsItem]


class ToolRule(_Record):
    #: Name.
    name: str
    #: Identifies the approved definition
    hash: str
    #: Whether an admin has said that a call may be repeated when its outcome is unknown, for the present definition
    repeatable: bool
    #: The mark of an admin; null: none
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether the definition is the one that was marked
    is_current: bool
    #: Whether another user than the requester has to decide
    other_decider: bool
    #: The rule in runs that have read no text of others
    effective: Union[Literal["allow", "ask", "deny"], str]
    #: `allow` where the server says that the tool only reads
    suggested: Union[Literal["allow", "ask", "deny"], str]


class WebhookDeliverySummaryEvent(_Record):
    """The event."""

    #: Unique id. It never changes.
    id: str
    #: Type.
    type: str
    #: Id of the record that the event is about.
    subject: str
    #: Number of the event for its subject, from 1.
    sequence: int
    #: Time of creation, in UTC.
    created_at: str


class WebhookDeliverySummary(_Record):
    #: Unique id. It never changes.
    id: str
    #: The event.
    event: WebhookDeliverySummaryEvent
    #: Current state.
    state: Union[Literal["pending", "delivered", "failed", "skipped"], str]
    #: Number of attempts.
    attempts: int
    #: Time of the next attempt; null: none.
    next_attempt_at: Optional[str]
    #: Time of the last attempt; null: never.
    last_attempt_at: Optional[str]
    #: HTTP status of the last answer; null: no answer.
    last_status: Optional[int]
    #: Error of the last attempt; null after a success.
    last_error: Optional[str]
    #: Start of the receiver's answer; null: none yet.
    answer: Optional[str]


class TriggerFiring(_Record):
    #: Unique id. It never changes.
    id: str
    #: Number of the firing, from 1.
    number: int
    #: What started the firing.
    source: Union[Literal["schedule", "webhook", "test"], str]
    #: Time of the event, in UTC.
    at: str
    #: Current state.
    state: Union[Literal["pending", "started", "completed", "failed", "canceled", "skipped"], str]
    #: Short reason.
    reason: Optional[Union[Literal["missed", "overlap", "full", "inactive", "stopped", "owner", "agent", "message", "quota", "conflict", "unavailable", "run"], str]]
    #: Id of a run.
    run_id: Optional[str]
    #: Message that started the run.
    input: str
    #: Time of creation, in UTC.
    created_at: str
    #: End time, in UTC; null: not ended.
    ended_at: Optional[str]


class BudgetSubject(_Record):
    #: For `subject_id` of a new budget
    id: str
    #: Name.
    name: str
    #: Distinguishes subjects with the same name: an owner, an address or a slug
    detail: str


class ModelPrice(_Record):
    #: Null: a price of the installation, which its operator changes
    id: Optional[str]
    #: Name of a language model.
    model: str
    #: US dollars for a million tokens
    input: float
    #: US dollars for a million tokens
    output: float
    #: Null: until the first price of the project
    valid_from: Optional[str]
    #: Whether the price applies at present.
    is_current: bool
    #: Time of creation, in UTC.
    created_at: Optional[str]


class Key(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Start of the key, without its secret
    prefix: str
    #: Scopes of the credential.
    scopes: List[str]
    #: Plan of the key, which sets its rate limits.
    plan: Union[Literal["standard", "professional"], str]
    #: `Core`, `Commerce`, or the id of a project that a platform admin made
    project: str
    #: Time of creation, in UTC.
    created_at: str
    #: Expiry time; null: never.
    expires_at: Optional[str]
    #: Time of the last use; null: never.
    last_used_at: Optional[str]
    #: Id of the key by which it was replaced
    successor_id: Optional[str]


class ModelPreset(_Record):
    #: Unique id. It never changes.
    id: Union[Literal["openai", "anthropic", "google", "azure", "mistral", "groq", "ollama", "vllm", "litellm", "compatible"], str]
    #: Name.
    name: str
    #: A part in capitals is to be replaced; null: of your own
    base_url: Optional[str]
    #: Whether the provider requires an API key
    needs_key: bool
    #: The provider's list of its models
    models_url: Optional[str]


class SkillList(_Record):
    #: Records of this page.
    items: List[Skill]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class AgentList(_Record):
    #: Records of this page.
    items: List[Agent]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class SkillVersionList(_Record):
    #: Records of this page.
    items: List[SkillVersion]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class AgentVersionList(_Record):
    #: Records of this page.
    items: List[AgentVersion]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class PluginList(_Record):
    #: Records of this page.
    items: List[Plugin]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class ContentList(_Record):
    #: Records of this page.
    items: List[Content]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class McpServerList(_Record):
    #: Records of this page.
    items: List[McpServer]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class McpServerToolList(_Record):
    #: Records of this page.
    items: List[McpServerTool]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class QuarantinedToolList(_Record):
    #: Records of this page.
    items: List[QuarantinedTool]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class McpRegistryList(_Record):
    #: Records of this page.
    items: List[McpRegistrySummary]
    #: Entries of the page that are malformed or too large
    skipped: int
    #: Cursor of the next page; null on the last page
    next_cursor: Optional[str]
    #: Why the registry gave no entries; null: it answered
    error: Optional[str]


class ToolRuleList(_Record):
    #: Records of this page.
    items: List[ToolRule]


class WebhookList(_Record):
    #: Records of this page.
    items: List[Webhook]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class WebhookDeliveryList(_Record):
    #: Records of this page.
    items: List[WebhookDeliverySummary]
    #: Cursor of the next page; null on the last one.
    next_cursor: Optional[str]


class TriggerList(_Record):
    #: Records of this page.
    items: List[Trigger]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class TriggerTimeList(_Record):
    #: Times in UTC, earliest first.
    times: List[str]


class TriggerFiringList(_Record):
    #: Records of this page.
    items: List[TriggerFiring]
    #: Cursor of the next page; null on the last one.
    next_cursor: Optional[str]


class BudgetList(_Record):
    #: Records of this page.
    items: List[Budget]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records per page.
    per_page: int


class OwnBudgetList(_Record):
    #: Records of this page.
    items: List[Budget]


class BudgetSubjectList(_Record):
    #: Records of this page.
    items: List[BudgetSubject]


class ModelPriceList(_Record):
    #: Records of this page.
    items: List[ModelPrice]
    #: Names of the models.
    models: List[str]


class KeyList(_Record):
    #: Records of this page.
    items: List[Key]


class ClientList(_Record):
    #: Records of this page.
    items: List[Client]


class ModelList(_Record):
    #: Records of this page.
    items: List[Model]


class ModelPresetList(_Record):
    #: Records of this page.
    items: List[ModelPreset]


class NewSkillParametersValue(_Record):
    #: Type.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: Accepted values.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value to use when none is given.
    default: Optional[Union[str, float, bool]] = None


class NewSkill(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: System instructions for the model.
    instructions: str
    #: Parameters by name.
    parameters: Optional[Dict[str, NewSkillParametersValue]] = None


class SkillReplacementParametersValue(_Record):
    #: Type.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: Accepted values.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value to use when none is given.
    default: Optional[Union[str, float, bool]] = None


class SkillReplacement(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: System instructions for the model.
    instructions: str
    #: Parameters by name.
    parameters: Optional[Dict[str, SkillReplacementParametersValue]] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class SkillChangesParametersValue(_Record):
    #: Type.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: Accepted values.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value to use when none is given.
    default: Optional[Union[str, float, bool]] = None


class SkillChanges(_Record):
    #: Name.
    name: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: System instructions for the model.
    instructions: Optional[str] = None
    #: Parameters by name.
    parameters: Optional[Dict[str, SkillChangesParametersValue]] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class NewAgentModelParameters(_Record):
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


class NewAgent(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: str
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
    model_parameters: Optional[NewAgentModelParameters] = None
    #: System instructions for the model.
    instructions: Optional[str] = None
    #: What to do when the outcome of a tool call is unknown: ask a person, report it to the model, or fail the run.
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: Whether users and other agents may use the agent.
    published: Optional[bool] = None


class AgentReplacementModelParameters(_Record):
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


class AgentReplacement(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: str
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
    model_parameters: Optional[AgentReplacementModelParameters] = None
    #: System instructions for the model.
    instructions: Optional[str] = None
    #: What to do when the outcome of a tool call is unknown: ask a person, report it to the model, or fail the run.
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: Whether users and other agents may use the agent.
    published: Optional[bool] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: Optional[str] = None
    #: Whether requests that name no agent use this one.
    is_default: Optional[bool] = None
    #: Time at which the agent was stopped; null: not stopped.
    stopped_at: Optional[str] = None


class AgentChangesModelParameters(_Record):
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


class AgentChanges(_Record):
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
    model_parameters: Optional[AgentChangesModelParameters] = None
    #: System instructions for the model.
    instructions: Optional[str] = None
    #: What to do when the outcome of a tool call is unknown: ask a person, report it to the model, or fail the run.
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: Whether users and other agents may use the agent.
    published: Optional[bool] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: Optional[str] = None
    #: Whether requests that name no agent use this one.
    is_default: Optional[bool] = None
    #: Time at which the agent was stopped; null: not stopped.
    stopped_at: Optional[str] = None


class AssignSkillRequest(_Record):
    #: Id of a skill.
    skill_id: str


class NewPlugin(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: Optional[str] = None
    #: Type.
    type: Union[Literal["tool", "data_source", "integration", "filter"], str]
    #: Configuration of the plugin. `config_schema` describes it.
    config: Dict[str, Any]
    #: JSON Schema of the configuration.
    config_schema: Optional[Dict[str, Any]] = None


class PluginChanges(_Record):
    #: Name.
    name: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Type.
    type: Optional[Union[Literal["tool", "data_source", "integration", "filter"], str]] = None
    #: Configuration of the plugin. `config_schema` describes it.
    config: Optional[Dict[str, Any]] = None
    #: JSON Schema of the configuration.
    config_schema: Optional[Dict[str, Any]] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Version number. Each change increases it. It is also the ETag.
    version: Any = None
    #: Whether the last check succeeded; null: not checked yet.
    reachable: Any = None
    #: Time of the last check; null: never.
    last_checked_at: Any = None
    #: Error of the last attempt; null after a success.
    last_error: Any = None


class PluginConfigReplacement(_Record):
    pass


class NewContent(_Record):
    #: Title to display.
    title: str
    #: Text of the content item, in Markdown.
    body: str
    #: Tags.
    tags: Optional[List[str]] = None


class ContentReplacement(_Record):
    #: Title to display.
    title: str
    #: Text of the content item, in Markdown.
    body: str
    #: Tags.
    tags: Optional[List[str]] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class ContentChanges(_Record):
    #: Title to display.
    title: Optional[str] = None
    #: Text of the content item, in Markdown.
    body: Optional[str] = None
    #: Tags.
    tags: Optional[List[str]] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class KnowledgeSearchReplacement(_Record):
    #: Name of a model of the project that makes embeddings; null: full text only
    embedding_model: Optional[str]
    #: Length of the vectors, for models that make shorter ones on request; null: the model's
    dimensions: Optional[int] = None


class NewMcpServerAuth1(_Record):
    #: Type.
    type: Literal["none"]


class NewMcpServerAuth2(_Record):
    #: Type.
    type: Literal["agent_token"]
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class NewMcpServerAuth3(_Record):
    #: Type.
    type: Literal["client_credentials"]
    #: Token endpoint of the authorization server.
    token_url: str
    #: Id of an OAuth client.
    client_id: str
    #: Secret of the OAuth client. It is never returned.
    client_secret: str
    #: Authentication method of the client at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class NewMcpServerAuth4(_Record):
    #: Type.
    type: Literal["user"]
    #: Issuer URL of the authorization server.
    issuer: Optional[str] = None
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: Secret of the OAuth client. It is never returned.
    client_secret: Optional[str] = None
    #: Authentication method of the client at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post", "none"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class NewMcpServerAgentCard(_Record):
    #: Whether the agent may be used only while its card has a valid signature.
    require_signature: Optional[bool] = None
    #: URL of the keys that may sign the card; null: the URL that the signature names, on the origin of the card.
    jwks_url: Optional[str] = None
    #: Result of the last verification; null: not verified yet.
    signature: Any = None


class NewMcpServer(_Record):
    #: Name.
    name: str
    #: Absolute URL.
    url: str
    #: Description, as free text.
    description: Optional[str] = None
    #: Headers of each request to the server, by name.
    headers: Optional[Dict[str, str]] = None
    #: Authentication of requests to the server.
    auth: Optional[Union[NewMcpServerAuth1, NewMcpServerAuth2, NewMcpServerAuth3, NewMcpServerAuth4]] = None
    #: How the card of an external agent is verified; null for an MCP server.
    agent_card: Optional[NewMcpServerAgentCard] = None
    #: Whether changed tools need an approval before they can be used.
    pin_tools: Optional[bool] = None
    #: `streamable-http` for an MCP server, `a2a` for an external agent.
    transport: Optional[Union[Literal["streamable-http", "a2a"], str]] = None


class McpServerChangesAuth1(_Record):
    #: Type.
    type: Literal["none"]


class McpServerChangesAuth2(_Record):
    #: Type.
    type: Literal["agent_token"]
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerChangesAuth3(_Record):
    #: Type.
    type: Literal["client_credentials"]
    #: Token endpoint of the authorization server.
    token_url: str
    #: Id of an OAuth client.
    client_id: str
    #: Secret of the OAuth client. It is never returned.
    client_secret: str
    #: Authentication method of the client at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerChangesAuth4(_Record):
    #: Type.
    type: Literal["user"]
    #: Issuer URL of the authorization server.
    issuer: Optional[str] = None
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: Secret of the OAuth client. It is never returned.
    client_secret: Optional[str] = None
    #: Authentication method of the client at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post", "none"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerChangesAgentCard(_Record):
    #: Whether the agent may be used only while its card has a valid signature.
    require_signature: Optional[bool] = None
    #: URL of the keys that may sign the card; null: the URL that the signature names, on the origin of the card.
    jwks_url: Optional[str] = None
    #: Result of the last verification; null: not verified yet.
    signature: Any = None


class McpServerChanges(_Record):
    #: Name.
    name: Optional[str] = None
    #: Absolute URL.
    url: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Headers of each request to the server, by name.
    headers: Optional[Dict[str, str]] = None
    #: Authentication of requests to the server.
    auth: Optional[Union[McpServerChangesAuth1, McpServerChangesAuth2, McpServerChangesAuth3, McpServerChangesAuth4]] = None
    #: How the card of an external agent is verified; null for an MCP server.
    agent_card: Optional[McpServerChangesAgentCard] = None
    #: Whether changed tools need an approval before they can be used.
    pin_tools: Optional[bool] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive", "unreachable"], str]] = None
    #: Name in URLs: lower-case letters, digits and hyphens.
    slug: Any = None
    #: `streamable-http` for an MCP server, `a2a` for an external agent.
    transport: Any = None
    #: Number of available tools.
    tools_count: Any = None
    #: Time of the last use or the last answer; null: never.
    last_seen_at: Any = None
    #: Error of the last attempt; null after a success.
    last_error: Any = None


class ApproveToolRequest(_Record):
    #: SHA-256 of the definition, hexadecimal.
    hash: str


class MakeChangesRequestChangesItem11(_Record):
    #: Kind.
    kind: Literal["skill"]
    #: Action.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewSkill = Field(alias="fields")


class MakeChangesRequestChangesItem12(_Record):
    #: Kind.
    kind: Literal["skill"]
    #: Action.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: SkillChanges = Field(alias="fields")


class MakeChangesRequestChangesItem13(_Record):
    #: Kind.
    kind: Literal["skill"]
    #: Action.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequestChangesItem21(_Record):
    #: Kind.
    kind: Literal["content"]
    #: Action.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewContent = Field(alias="fields")


class MakeChangesRequestChangesItem22(_Record):
    #: Kind.
    kind: Literal["content"]
    #: Action.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: ContentChanges = Field(alias="fields")


class MakeChangesRequestChangesItem23(_Record):
    #: Kind.
    kind: Literal["content"]
    #: Action.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequestChangesItem31(_Record):
    #: Kind.
    kind: Literal["mcp_server"]
    #: Action.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewMcpServer = Field(alias="fields")


class MakeChangesRequestChangesItem32(_Record):
    #: Kind.
    kind: Literal["mcp_server"]
    #: Action.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: McpServerChanges = Field(alias="fields")


class MakeChangesRequestChangesItem33(_Record):
    #: Kind.
    kind: Literal["mcp_server"]
    #: Action.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequestChangesItem41(_Record):
    #: Kind.
    kind: Literal["agent"]
    #: Action.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewAgent = Field(alias="fields")


class MakeChangesRequestChangesItem42(_Record):
    #: Kind.
    kind: Literal["agent"]
    #: Action.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: AgentChanges = Field(alias="fields")


class MakeChangesRequestChangesItem43(_Record):
    #: Kind.
    kind: Literal["agent"]
    #: Action.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequest(_Record):
    #: Changes.
    changes: List[Union[Union[MakeChangesRequestChangesItem11, MakeChangesRequestChangesItem12, MakeChangesRequestChangesItem13], Union[MakeChangesRequestChangesItem21, MakeChangesRequestChangesItem22, MakeChangesRequestChangesItem23], Union[MakeChangesRequestChangesItem31, MakeChangesRequestChangesItem32, MakeChangesRequestChangesItem33], Union[MakeChangesRequestChangesItem41, MakeChangesRequestChangesItem42, MakeChangesRequestChangesItem43]]]


class ToolPolicyReplacement(_Record):
    #: Rule for tools that have no rule of their own.
    unmarked_tools: Union[Literal["allow", "ask_when_tainted", "ask"], str]
    #: Whether another person than the requester must decide.
    other_decider: Optional[bool] = None


class ToolRulesReplacementRulesItem(_Record):
    #: Name.
    name: str
    #: SHA-256 of the definition, hexadecimal.
    hash: str
    #: Whether calls are allowed, need an approval, or are denied; null: the policy of the project applies.
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether another person than the requester must decide.
    other_decider: Optional[bool] = None
    #: A call may be repeated when its outcome is unknown; left out, the mark stays as it is
    repeatable: Optional[bool] = None


class ToolRulesReplacement(_Record):
    #: Rules to set.
    rules: List[ToolRulesReplacementRulesItem]


class PluginRuleReplacement(_Record):
    #: Whether calls are allowed, need an approval, or are denied; null: the policy of the project applies.
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether another person than the requester must decide.
    other_decider: Optional[bool] = None
    #: A call may be repeated when its outcome is unknown; left out, the mark stays as it is
    repeatable: Optional[bool] = None


class AgentRuleReplacement(_Record):
    #: Whether calls are allowed, need an approval, or are denied; null: the policy of the project applies.
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether another person than the requester must decide.
    other_decider: Optional[bool] = None


class GuardsReplacementRulesSecrets(_Record):
    """API keys, tokens, passwords, private keys, connection strings"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsReplacementRulesEmail(_Record):
    """Actions for e-mail addresses."""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsReplacementRulesPhone(_Record):
    """Numbers with + or 00, and the national ones of `phone_countries`"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsReplacementRulesCard(_Record):
    """Numbers of payment cards, by their check digit"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsReplacementRulesIban(_Record):
    """Numbers of bank accounts, by their check digits"""

    #: For everything that a run receives, except the instructions that agents, skills and prompts have
    input: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what the model writes: answers, and arguments of calls
    output: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None
    #: For what tools, servers and other agents answer
    tools: Optional[Union[Literal["off", "flag", "redact", "block"], str]] = None


class GuardsReplacementRules(_Record):
    """What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has"""

    #: API keys, tokens, passwords, private keys, connection strings
    secrets: Optional[GuardsReplacementRulesSecrets] = None
    #: Actions for e-mail addresses.
    email: Optional[GuardsReplacementRulesEmail] = None
    #: Numbers with + or 00, and the national ones of `phone_countries`
    phone: Optional[GuardsReplacementRulesPhone] = None
    #: Numbers of payment cards, by their check digit
    card: Optional[GuardsReplacementRulesCard] = None
    #: Numbers of bank accounts, by their check digits
    iban: Optional[GuardsReplacementRulesIban] = None


class GuardsReplacementFiltersItem(_Record):
    #: A plugin of type `filter`
    plugin_id: str
    #: The version of the plugin that is approved: it must be the present one
    version: int
    #: Values over time, oldest first.
    points: List[Union[Literal["input", "output", "tools"], str]]
    #: When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass
    on_failure: Optional[Union[Literal["block", "allow"], str]] = None


class GuardsReplacement(_Record):
    #: What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has
    rules: GuardsReplacementRules
    #: Countries (ISO 3166-1 alpha-2) whose national telephone numbers count
    phone_countries: Optional[List[str]] = None
    #: External guards, in the order in which they are asked
    filters: Optional[List[GuardsReplacementFiltersItem]] = None


class NewWebhook(_Record):
    #: Name.
    name: str
    #: Absolute URL.
    url: str
    #: Description, as free text.
    description: Optional[str] = None
    #: Types of the events to send.
    event_types: Optional[List[Union[Literal["run.completed", "run.failed", "run.canceled", "run.waiting", "trigger.disabled", "approval.requested", "approval.decided", "budget.warning", "budget.exhausted"], str]]] = None


class WebhookChanges(_Record):
    #: Name.
    name: Optional[str] = None
    #: Absolute URL.
    url: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Types of the events to send.
    event_types: Optional[List[Union[Literal["run.completed", "run.failed", "run.canceled", "run.waiting", "trigger.disabled", "approval.requested", "approval.decided", "budget.warning", "budget.exhausted"], str]]] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class ReplayWebhookRequest(_Record):
    #: Start of the period, included.
    since: str
    #: End of the period, excluded.
    until: Optional[str] = None
    #: Whether to send delivered events again as well.
    delivered: Optional[bool] = None


class NewTriggerBudget1(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["usd"]
    #: Maximum amount, in `unit`.
    amount: float


class NewTriggerBudget2(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["tokens"]
    #: Maximum amount, in `unit`.
    amount: int


class NewTrigger(_Record):
    #: Name.
    name: str
    #: Description, as free text.
    description: Optional[str] = None
    #: Agent.
    agent: str
    #: Message that starts each run.
    input: str
    #: Whether each run starts a new conversation or continues the same one.
    context: Optional[Union[Literal["new", "same"], str]] = None
    #: What to do when the previous run has not ended: skip, queue, or run both.
    overlap: Optional[Union[Literal["skip", "queue", "allow"], str]] = None
    #: What to do about scheduled times that were missed: nothing, or one run.
    missed: Optional[Union[Literal["skip", "once"], str]] = None
    #: Cron expression of five fields; null: the trigger is started by webhooks.
    schedule: Optional[str] = None
    #: IANA time zone of the schedule.
    timezone: Optional[str] = None
    #: Earliest time of a firing; null: no limit.
    starts_at: Optional[str] = None
    #: Latest time of a firing; null: no limit.
    ends_at: Optional[str] = None
    #: Signature scheme of the webhook requests.
    signature: Optional[Union[Literal["standard", "github", "stripe"], str]] = None
    #: Maximum cost; null: no limit.
    budget: Optional[Union[NewTriggerBudget1, NewTriggerBudget2]] = None
    #: Number of consecutive failures that disables the trigger.
    max_failures: Optional[int] = None
    #: Kind.
    kind: Union[Literal["cron", "webhook"], str]
    #: Secret of the signatures. It is returned only once.
    secret: Optional[str] = None


class TriggerChangesBudget1(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["usd"]
    #: Maximum amount, in `unit`.
    amount: float


class TriggerChangesBudget2(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Literal["tokens"]
    #: Maximum amount, in `unit`.
    amount: int


class TriggerChanges(_Record):
    #: Name.
    name: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Agent.
    agent: Optional[str] = None
    #: Message that starts each run.
    input: Optional[str] = None
    #: Whether each run starts a new conversation or continues the same one.
    context: Optional[Union[Literal["new", "same"], str]] = None
    #: What to do when the previous run has not ended: skip, queue, or run both.
    overlap: Optional[Union[Literal["skip", "queue", "allow"], str]] = None
    #: What to do about scheduled times that were missed: nothing, or one run.
    missed: Optional[Union[Literal["skip", "once"], str]] = None
    #: Cron expression of five fields; null: the trigger is started by webhooks.
    schedule: Optional[str] = None
    #: IANA time zone of the schedule.
    timezone: Optional[str] = None
    #: Earliest time of a firing; null: no limit.
    starts_at: Optional[str] = None
    #: Latest time of a firing; null: no limit.
    ends_at: Optional[str] = None
    #: Signature scheme of the webhook requests.
    signature: Optional[Union[Literal["standard", "github", "stripe"], str]] = None
    #: Maximum cost; null: no limit.
    budget: Optional[Union[TriggerChangesBudget1, TriggerChangesBudget2]] = None
    #: Number of consecutive failures that disables the trigger.
    max_failures: Optional[int] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Id of your own account, which becomes the owner of the trigger.
    owner_id: Optional[str] = None


class RotateTriggerSecretRequest(_Record):
    #: Secret of the signatures. It is returned only once.
    secret: Optional[str] = None


class FireTriggerRequest(_Record):
    #: Body of the webhook to simulate.
    body: Optional[str] = None


class NewBudget(_Record):
    #: Name.
    name: str
    #: What the budget limits.
    level: Union[Literal["project", "api_key", "client", "user", "agent", "trigger"], str]
    #: Id of the API key, user, agent or trigger, or the `client_id` of the client; none for `project`
    subject_id: Optional[str] = None
    #: Length of the period.
    period: Union[Literal["day", "month", "total"], str]
    #: Unit of the amount: US dollars or tokens.
    unit: Union[Literal["usd", "tokens"], str]
    #: US dollars, with six decimals at most, or tokens
    amount: float
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class BudgetChanges(_Record):
    #: Name.
    name: Optional[str] = None
    #: Maximum amount, in `unit`.
    amount: Optional[float] = None
    #: Status.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class NewModelPrice(_Record):
    #: Name of a language model.
    model: str
    #: US dollars for a million tokens of input.
    input: float
    #: US dollars for a million tokens of output.
    output: float
    #: Default: now. Not in the past
    valid_from: Optional[str] = None


class NewKey(_Record):
    #: Name.
    name: str
    #: Scopes of the key of the request, by name; never `*`, `keys:write` or those of admins
    scopes: List[str]
    #: At most that of the key of the request
    plan: Optional[Union[Literal["standard", "professional"], str]] = None
    #: Null: no expiry. It ends no later than the key of the request; when left out, after 90 days or with that key
    expires_in_days: Optional[int] = None


class NewClient(_Record):
    #: Name.
    name: str
    #: https anywhere, http on loopback addresses. None for a client that only uses its own grant
    redirect_uris: Optional[List[str]] = None
    #: Allowed tools of MCP servers, as `server/tool` or `server/*`.
    mcp_tools: Optional[List[str]] = None
    #: Scopes of the key of the request, by name; never `*` or those of keys and admins
    scopes: List[str]
    #: Null: no expiry. It ends no later than the key of the request; when left out, with that key
    expires_in_days: Optional[int] = None


class ClientChanges(_Record):
    #: Name.
    name: Optional[str] = None
    #: https anywhere, http on loopback addresses. None for a client that only uses its own grant
    redirect_uris: Optional[List[str]] = None
    #: Allowed tools of MCP servers, as `server/tool` or `server/*`.
    mcp_tools: Optional[List[str]] = None


class RotateClientSecretRequest(_Record):
    #: 0 ends the former secret at once
    overlap_hours: Optional[int] = None
    #: Null: no expiry. It ends no later than the key of the request; when left out, with that key
    expires_in_days: Optional[int] = None


class NewModelParameters(_Record):
    """Default parameters; those of agents and prompts come first"""

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


class NewModelPrices(_Record):
    """US dollars for a million tokens; a new price from now on, as by `POST /api/v1/model-prices`"""

    #: US dollars for a million input tokens
    input: float
    #: US dollars for a million output tokens
    output: float


class NewModel(_Record):
    #: Name.
    name: str
    #: The provider that the address is of
    preset: Union[Literal["openai", "anthropic", "google", "azure", "mistral", "groq", "ollama", "vllm", "litellm", "compatible"], str]
    #: Default: the preset's, where it has one
    base_url: Optional[str] = None
    #: Name of the model at the base URL. Default: `name`
    upstream_model: Optional[str] = None
    #: Stored encrypted and never shown; null: the address needs none; `********` keeps the stored one
    api_key: Optional[str] = None
    #: Default parameters; those of agents and prompts come first
    parameters: Optional[NewModelParameters] = None
    #: Tokens that the model reads and writes at once
    context_window: Optional[int] = None
    #: Longest answer in tokens; null: unknown
    max_output: Optional[int] = None
    #: Whether it reads images: requests with images are refused elsewhere
    images: Optional[bool] = None
    #: Whether its server fetches images from https addresses that clients name; only for servers outside your network
    image_urls: Optional[bool] = None
    #: US dollars for a million tokens; a new price from now on, as by `POST /api/v1/model-prices`
    prices: Optional[NewModelPrices] = None
    #: Models that are called in turn when this one does not answer
    fallbacks: Optional[List[str]] = None
    #: Used where an agent or a request names no model
    is_default: Optional[bool] = None
    #: `inactive`: no call reaches it
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class ModelChangesParameters(_Record):
    """Default parameters; those of agents and prompts come first"""

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


class ModelChangesPrices(_Record):
    """US dollars for a million tokens; a new price from now on, as by `POST /api/v1/model-prices`"""

    #: US dollars for a million input tokens
    input: float
    #: US dollars for a million output tokens
    output: float


class ModelChanges(_Record):
    #: The provider that the address is of
    preset: Optional[Union[Literal["openai", "anthropic", "google", "azure", "mistral", "groq", "ollama", "vllm", "litellm", "compatible"], str]] = None
    #: Base address of an OpenAI-compatible API, `/v1` included
    base_url: Optional[str] = None
    #: Name of the model at the base URL
    upstream_model: Optional[str] = None
    #: Stored encrypted and never shown; null: the address needs none; `********` keeps the stored one
    api_key: Optional[str] = None
    #: Default parameters; those of agents and prompts come first
    parameters: Optional[ModelChangesParameters] = None
    #: Tokens that the model reads and writes at once
    context_window: Optional[int] = None
    #: Longest answer in tokens; null: unknown
    max_output: Optional[int] = None
    #: Whether it reads images: requests with images are refused elsewhere
    images: Optional[bool] = None
    #: Whether its server fetches images from https addresses that clients name; only for servers outside your network
    image_urls: Optional[bool] = None
    #: US dollars for a million tokens; a new price from now on
    prices: Optional[ModelChangesPrices] = None
    #: Models that are called in turn when this one does not answer
    fallbacks: Optional[List[str]] = None
    #: Used where an agent or a request names no model
    is_default: Optional[bool] = None
    #: `inactive`: no call reaches it
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Never changes: agents and runs refer to it
    name: Optional[str] = None
    #: Ignored in requests
    source: Any = None
    #: Ignored in requests
    health: Any = None


class MakeChangesAnswerChangesItem(_Record):
    #: Kind of the record
    kind: str
    #: Action.
    action: Union[Literal["create", "update", "delete"], str]
    #: Unique id. It never changes.
    id: str
    #: The ETag of the record; null for one that is deleted
    etag: Optional[str]


class MakeChangesAnswer(_Record):
    #: Changes.
    changes: List[MakeChangesAnswerChangesItem]


class CreatedWebhook(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Absolute URL.
    url: str
    #: Description, as free text.
    description: str
    #: Types of the events to send.
    event_types: List[str]
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: Reason for which it was disabled; null: not disabled.
    disabled_reason: Optional[Union[Literal["failing", "gone"], str]]
    #: Time since which all attempts have failed; null: the last one succeeded.
    failing_since: Optional[str]
    #: Time until which the previous secret is valid; null: it is not valid.
    former_secret_until: Optional[str]
    #: Number of deliveries that wait for an attempt.
    waiting: int
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str
    #: Secret of the signatures. It is returned only once.
    secret: str


class ReplayWebhookAnswer(_Record):
    #: Number of deliveries that are sent again.
    replayed: int
    #: Whether more deliveries remain.
    more: bool


class CreatedTriggerBudget(_Record):
    #: Unit of the amount: US dollars or tokens.
    unit: Union[Literal["usd", "tokens"], str]
    #: Maximum amount, in `unit`.
    amount: float


class CreatedTriggerOwner(_Record):
    """Owner."""

    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str


class CreatedTrigger(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: Kind.
    kind: Union[Literal["cron", "webhook"], str]
    #: Status.
    status: Union[Literal["active", "inactive"], str]
    #: Reason for which it was disabled; null: not disabled.
    disabled_reason: Optional[Union[Literal["owner", "failing"], str]]
    #: Agent.
    agent: str
    #: Message that starts each run.
    input: str
    #: Whether each run starts a new conversation or continues the same one.
    context: Union[Literal["new", "same"], str]
    #: Id of a conversation with an agent.
    context_id: Optional[str]
    #: What to do when the previous run has not ended: skip, queue, or run both.
    overlap: Union[Literal["skip", "queue", "allow"], str]
    #: What to do about scheduled times that were missed: nothing, or one run.
    missed: Union[Literal["skip", "once"], str]
    #: Cron expression of five fields; null: the trigger is started by webhooks.
    schedule: Optional[str]
    #: IANA time zone of the schedule.
    timezone: Optional[str]
    #: Earliest time of a firing; null: no limit.
    starts_at: Optional[str]
    #: Latest time of a firing; null: no limit.
    ends_at: Optional[str]
    #: Next scheduled time; null: none.
    next_at: Optional[str]
    #: Path of the webhook on the runtime API; null for a schedule.
    path: Optional[str]
    #: Signature scheme of the webhook requests.
    signature: Optional[Union[Literal["standard", "github", "stripe"], str]]
    #: Time until which the previous secret is valid; null: it is not valid.
    former_secret_until: Optional[str]
    #: Maximum cost; null: no limit.
    budget: Optional[CreatedTriggerBudget]
    #: Owner.
    owner: CreatedTriggerOwner
    #: Number of consecutive failures that disables the trigger.
    max_failures: int
    #: Number of consecutive failures.
    failures: int
    #: Number of firings.
    firings: int
    #: Time of the last firing; null: never.
    last_fired_at: Optional[str]
    #: Time of creation, in UTC.
    created_at: str
    #: Time of the last change, in UTC.
    updated_at: str
    #: Secret of the signatures. It is returned only once.
    secret: Optional[str]


class CreatedKey(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Start of the key, without its secret
    prefix: str
    #: Scopes of the credential.
    scopes: List[str]
    #: Plan of the key, which sets its rate limits.
    plan: Union[Literal["standard", "professional"], str]
    #: `Core`, `Commerce`, or the id of a project that a platform admin made
    project: str
    #: Time of creation, in UTC.
    created_at: str
    #: Expiry time; null: never.
    expires_at: Optional[str]
    #: Time of the last use; null: never.
    last_used_at: Optional[str]
    #: Id of the key by which it was replaced
    successor_id: Optional[str]
    #: The key itself
    key: str


class CreatedClient(_Record):
    #: Id of an OAuth client.
    client_id: str
    #: Name.
    name: str
    #: Allowed redirect URIs.
    redirect_uris: List[str]
    #: Scopes of the credential.
    scopes: List[str]
    #: Tools of MCP servers that it may use: `*`, `server/*` or `server/tool`
    mcp_tools: List[str]
    #: `Core`, `Commerce`, or the id of a project that a platform admin made
    project: str
    #: Time of creation, in UTC.
    created_at: str
    #: When the client and its tokens end, unless it is rotated; null: never
    expires_at: Optional[str]
    #: Time of the last use; null: never.
    last_used_at: Optional[str]
    #: Secret of the OAuth client. It is returned only once.
    client_secret: str


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


class TestDraftModelAnswerFailure(_Record):
    #: Kind.
    kind: Union[Literal["timeout", "rate_limited", "failed", "unreachable", "rejected", "garbage"], str]
    #: HTTP status of the answer; null: there was none
    status: Optional[int]
    #: Error text of the model server, without credentials
    message: str
    #: What to do
    advice: str


class TestDraftModelAnswer(_Record):
    #: Whether the call succeeded.
    ok: bool
    #: Milliseconds until the whole answer
    latency_ms: int
    #: What the model wrote, 200 characters at most
    answer: Optional[str]
    #: The name by which the server answered
    upstream_model: Optional[str]
    #: Error of the call; null: the model answered
    failure: Optional[TestDraftModelAnswerFailure]


GetPluginConfigAnswer = Dict[str, Any]
ReplacePluginConfigAnswer = Dict[str, Any]

rebuild(globals())
