"""Made by `npm run openapi`: do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union

from pydantic import Field

from .._model import Model as _Record, rebuild


class ApiErrorError(_Record):
    """What went amiss."""

    #: Name of the error for programs. Later releases may add names.
    code: str
    #: Sentence for people: what is wrong and what to do.
    message: str
    #: The HTTP status of the answer.
    status: int


class ApiError(_Record):
    #: What went amiss.
    error: ApiErrorError


class SkillParametersValue(_Record):
    #: Which type it is.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: The values that are accepted.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value where none is given.
    default: Optional[Union[str, float, bool]] = None


class Skill(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: What the model reads before each conversation.
    instructions: str
    #: Parameters by name.
    parameters: Dict[str, SkillParametersValue]
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
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
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: str
    #: Purpose of the record.
    description: str
    #: Ids of the skills that it has.
    skill_ids: List[str]
    #: Ids of the plugins that it may use.
    plugin_ids: List[str]
    #: Tags of the content that it may read.
    content_tags: List[str]
    #: Ids of the MCP servers whose tools it may use.
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
    #: What the model reads before each conversation.
    instructions: str
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails
    on_unknown: Union[Literal["ask", "tell", "fail"], str]
    #: Since when an admin has stopped it; no run of it starts
    stopped_at: Optional[str]
    #: Whether users and other agents may reach it.
    published: bool
    #: The installation answers for this one where none is named
    is_default: bool
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str


class SkillVersionBy(_Record):
    """Who did it."""

    #: Id of an account.
    user_id: str
    #: Kind of who acted: a user, a job or a client of MCP.
    actor_kind: Union[Literal["user", "job", "mcp"], str]
    #: Id of who acted.
    actor_id: str


class SkillVersionStateParametersValue(_Record):
    #: Which type it is.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: The values that are accepted.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value where none is given.
    default: Optional[Union[str, float, bool]] = None


class SkillVersionState(_Record):
    """State at present."""

    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: What the model reads before each conversation.
    instructions: str
    #: Parameters by name.
    parameters: Dict[str, SkillVersionStateParametersValue]
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]


class SkillVersion(_Record):
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: When it happened, in UTC.
    at: str
    #: Who did it.
    by: SkillVersionBy
    #: Fields that differ from the version before.
    changed: List[str]
    #: State at present.
    state: SkillVersionState


class AgentVersionBy(_Record):
    """Who did it."""

    #: Id of an account.
    user_id: str
    #: Kind of who acted: a user, a job or a client of MCP.
    actor_kind: Union[Literal["user", "job", "mcp"], str]
    #: Id of who acted.
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
    """State at present."""

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
    #: What the model reads before each conversation.
    instructions: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: Whether users and other agents may reach it.
    published: Optional[bool] = None


class AgentVersion(_Record):
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: When it happened, in UTC.
    at: str
    #: Who did it.
    by: AgentVersionBy
    #: Fields that differ from the version before.
    changed: List[str]
    #: State at present.
    state: AgentVersionState


class Plugin(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: Which type it is.
    type: Union[Literal["tool", "data_source", "integration", "filter"], str]
    #: Configuration of the plugin, as its `config_schema` describes.
    config: Dict[str, Any]
    #: JSON Schema of the configuration.
    config_schema: Dict[str, Any]
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: Whether it answered the last check; null: not checked yet.
    reachable: Optional[bool]
    #: When it was last checked; null: never.
    last_checked_at: Optional[str]
    #: Why the last attempt failed; null after a success.
    last_error: Optional[str]
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str


class Content(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Title for people.
    title: str
    #: Text of the content item, in Markdown.
    body: str
    #: Words to find it by.
    tags: List[str]
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str


class McpServerAuth1(_Record):
    #: Which type it is.
    type: Literal["none"]


class McpServerAuth2(_Record):
    #: Which type it is.
    type: Literal["agent_token"]
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerAuth3(_Record):
    #: Which type it is.
    type: Literal["client_credentials"]
    #: Token endpoint of the authorization server.
    token_url: str
    #: Id of an OAuth client.
    client_id: str
    #: Secret of the OAuth client; it is never read back.
    client_secret: Literal["********"]
    #: How the client proves its secret at the token endpoint.
    client_auth: Union[Literal["client_secret_basic", "client_secret_post"], str]
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerAuth4(_Record):
    #: Which type it is.
    type: Literal["user"]
    #: Address of the authorization server.
    issuer: Optional[str] = None
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: Secret of the OAuth client; it is never read back.
    client_secret: Optional[Literal["********"]] = None
    #: How the client proves its secret at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post", "none"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerAgentCard(_Record):
    #: Whether the agent is used only with a validly signed card.
    require_signature: bool
    #: Address of the keys that may sign the card; null: the one that the signature names, at the origin of the card.
    jwks_url: Optional[str]
    #: How posts are signed, or the signature itself.
    signature: Optional[Union[Literal["verified", "unsigned", "invalid"], str]]


class McpServer(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: str
    #: Address, absolute.
    url: str
    #: Purpose of the record.
    description: str
    #: Headers of every request to the server, by name.
    headers: Dict[str, Literal["********"]]
    #: How calls of the server are authenticated.
    auth: Union[McpServerAuth1, McpServerAuth2, McpServerAuth3, McpServerAuth4]
    #: State of the record.
    status: Union[Literal["active", "inactive", "unreachable"], str]
    #: `streamable-http` for an MCP server, `a2a` for an agent of another system.
    transport: Union[Literal["streamable-http", "a2a"], str]
    #: How the card of an agent of another system is verified; null for an MCP server.
    agent_card: Optional[McpServerAgentCard]
    #: Whether tools that changed wait for an approval before they are available.
    pin_tools: bool
    #: Number of available tools.
    tools_count: int
    #: When it last answered or was last used; null: never.
    last_seen_at: Optional[str]
    #: Why the last attempt failed; null after a success.
    last_error: Optional[str]
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
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
    #: When the record last changed, in UTC.
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
    """E-mail address; in guards, the actions for e-mail addresses."""

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
    #: E-mail address; in guards, the actions for e-mail addresses.
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
    #: Name for people and programs.
    name: str
    #: The approved version
    version: int
    #: False: the plugin has changed since, or is inactive. It is not asked, and the runs end.
    is_current: bool
    #: Values, oldest first.
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
    """E-mail address; in guards, the actions for e-mail addresses."""

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
    #: E-mail address; in guards, the actions for e-mail addresses.
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
    #: Name for people and programs.
    name: str
    #: The approved version
    version: int
    #: False: the plugin has changed since, or is inactive. It is not asked, and the runs end.
    is_current: bool
    #: Values, oldest first.
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
    """E-mail address; in guards, the actions for e-mail addresses."""

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
    #: E-mail address; in guards, the actions for e-mail addresses.
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
    #: Name for people and programs.
    name: str
    #: The approved version
    version: int
    #: False: the plugin has changed since, or is inactive. It is not asked, and the runs end.
    is_current: bool
    #: Values, oldest first.
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
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Address, absolute.
    url: str
    #: Purpose of the record.
    description: str
    #: Types of the events that are sent.
    event_types: List[str]
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: Why it was disabled; null: it was not.
    disabled_reason: Optional[Union[Literal["failing", "gone"], str]]
    #: Since when every attempt has failed; null: the last one succeeded.
    failing_since: Optional[str]
    #: Until when the former secret is still valid; null: it is not.
    former_secret_until: Optional[str]
    #: Deliveries that wait for their attempt.
    waiting: int
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str


class WebhookDeliveryEvent(_Record):
    """What happened."""

    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: str
    #: What it is about.
    subject: str
    #: Number of the event for its subject, from 1.
    sequence: int
    #: When the record was made, in UTC.
    created_at: str


class WebhookDelivery(_Record):
    #: Id of the record; it never changes.
    id: str
    #: What happened.
    event: WebhookDeliveryEvent
    #: State at present.
    state: Union[Literal["pending", "delivered", "failed", "skipped"], str]
    #: Attempts so far.
    attempts: int
    #: When it is attempted next; null: not again.
    next_attempt_at: Optional[str]
    #: When it was last attempted; null: never.
    last_attempt_at: Optional[str]
    #: HTTP status of the last answer; null: there was none.
    last_status: Optional[int]
    #: Why the last attempt failed; null after a success.
    last_error: Optional[str]
    #: Text of the answer; null: none yet.
    answer: Optional[str]
    #: The content.
    data: Any


class TriggerBudget(_Record):
    #: What is counted: US dollars or tokens.
    unit: Union[Literal["usd", "tokens"], str]
    #: The most that may be spent, in `unit`.
    amount: float


class TriggerOwner(_Record):
    """Who owns it."""

    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class Trigger(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: Which kind it is.
    kind: Union[Literal["cron", "webhook"], str]
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: Why it was disabled; null: it was not.
    disabled_reason: Optional[Union[Literal["owner", "failing"], str]]
    #: The agent concerned.
    agent: str
    #: What it works on.
    input: str
    #: Whether each run begins a conversation, or all continue one.
    context: Union[Literal["new", "same"], str]
    #: Id of a conversation with an agent.
    context_id: Optional[str]
    #: What happens when the run before has not ended: skip, queue, or allow both.
    overlap: Union[Literal["skip", "queue", "allow"], str]
    #: What happens with scheduled times that passed while nothing ran: none, or one run.
    missed: Union[Literal["skip", "once"], str]
    #: Cron expression of five fields; null: a webhook trigger.
    schedule: Optional[str]
    #: IANA time zone of the schedule.
    timezone: Optional[str]
    #: When it begins to fire; null: at once.
    starts_at: Optional[str]
    #: When it ceases to fire; null: never.
    ends_at: Optional[str]
    #: The next scheduled time; null: there is none.
    next_at: Optional[str]
    #: Where: a path or an address below the base address.
    path: Optional[str]
    #: How posts are signed, or the signature itself.
    signature: Optional[Union[Literal["standard", "github", "stripe"], str]]
    #: Until when the former secret is still valid; null: it is not.
    former_secret_until: Optional[str]
    #: The most that may be spent; null: no limit.
    budget: Optional[TriggerBudget]
    #: Who owns it.
    owner: TriggerOwner
    #: Failures in a row after which it is disabled.
    max_failures: int
    #: Failures in a row.
    failures: int
    #: Firings so far.
    firings: int
    #: When it last fired; null: never.
    last_fired_at: Optional[str]
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str


class BudgetSubjectPart(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class BudgetWindow(_Record):
    """The present period, in the unit of `amount`"""

    #: First day in UTC; null: the budget has no periods
    starts_on: Optional[str]
    #: First day of the next period
    ends_on: Optional[str]
    #: What was spent in the period, in `unit`.
    spent: float
    #: What calls under way may still spend
    reserved: float


class Budget(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: What the budget counts.
    level: Union[Literal["project", "api_key", "client", "user", "agent", "trigger", "run"], str]
    #: The API key, client, user, agent, trigger or run; null for the whole project
    subject: Optional[BudgetSubjectPart]
    #: In UTC
    period: Union[Literal["day", "month", "total"], str]
    #: What is counted: US dollars or tokens.
    unit: Union[Literal["usd", "tokens"], str]
    #: US dollars, with six decimals at most, or tokens
    amount: float
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: The present period, in the unit of `amount`
    window: BudgetWindow
    #: Runs of agents that wait for it; 1,000 at most are counted
    waiting_runs: int
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str


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
    #: When it happened, in UTC.
    at: str
    #: Which kind it is.
    kind: Union[Literal["timeout", "rate_limited", "failed", "unreachable", "rejected", "garbage"], str]
    #: HTTP status of the answer; null: there was none
    status: Optional[int]
    #: The server's own words, without credentials; null without the scope `admin`
    message: Optional[str]


class ModelHealth(_Record):
    """How the model last answered this project"""

    #: `unknown`: not called yet. `paused`: not called for some seconds after failures in a row
    state: Union[Literal["unknown", "healthy", "failing", "paused"], str]
    #: When it last answered, to within a minute
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
    #: Null without the scope `admin`, and for the built-in offline model
    base_url: Optional[str]
    #: The name at the base address
    upstream_model: str
    #: Whether there is one; it is never shown
    api_key: Optional[Literal["********"]]
    #: Default parameters; those of agents and prompts come first
    parameters: ModelParameters
    #: Tokens
    context_window: int
    #: Longest answer in tokens; null: unknown
    max_output: Optional[int]
    #: Whether it reads images
    images: bool
    #: Whether its server fetches images from addresses that clients name
    image_urls: bool
    #: US dollars for a million tokens at this moment; null: unknown
    prices: Optional[ModelPrices]
    #: Models that are called in turn when this one does not answer
    fallbacks: List[str]
    #: Used where an agent or a request names no model
    is_default: bool
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: How the model last answered this project
    health: ModelHealth
    #: When the record was made, in UTC.
    created_at: Optional[str]
    #: When the record last changed, in UTC.
    updated_at: Optional[str]


class McpServerTool(_Record):
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: JSON Schema of the arguments.
    input_schema: Dict[str, Any]


class QuarantinedToolApproved(_Record):
    #: Purpose of the record.
    description: str
    #: JSON Schema of the arguments.
    input_schema: Dict[str, Any]
    #: Title for people.
    title: Optional[str] = None
    #: Hints or notes of whoever wrote it.
    annotations: Optional[Dict[str, Any]] = None
    #: JSON Schema of the output.
    output_schema: Optional[Dict[str, Any]] = None
    #: Members of the definition that the protocol does not name.
    other_members: Optional[Dict[str, Any]] = None


class QuarantinedToolCurrent(_Record):
    #: Purpose of the record.
    description: str
    #: JSON Schema of the arguments.
    input_schema: Dict[str, Any]
    #: Title for people.
    title: Optional[str] = None
    #: Hints or notes of whoever wrote it.
    annotations: Optional[Dict[str, Any]] = None
    #: JSON Schema of the output.
    output_schema: Optional[Dict[str, Any]] = None
    #: Members of the definition that the protocol does not name.
    other_members: Optional[Dict[str, Any]] = None


class QuarantinedToolDifferenceItem(_Record):
    #: Where: a path or an address below the base address.
    path: str
    #: As an admin approved it; null: it never was.
    approved: Any = None
    #: Whether it is in use now, or what the server sends now.
    current: Any = None


class QuarantinedTool(_Record):
    #: Name for people and programs.
    name: str
    #: The reason, in a few words.
    reason: Union[Literal["new", "changed", "removed"], str]
    #: SHA-256 of the definition, hexadecimal.
    hash: Optional[str]
    #: As an admin approved it; null: it never was.
    approved: Optional[QuarantinedToolApproved]
    #: Whether it is in use now, or what the server sends now.
    current: Optional[QuarantinedToolCurrent]
    #: Each difference between the two, by path.
    difference: List[QuarantinedToolDifferenceItem]


class McpRegistrySummaryDraftsItemHeadersItem(_Record):
    #: Name for people and programs.
    name: str
    #: What the registry proposes; `{name}` in it stands for a value to enter
    value: str
    #: Purpose of the record.
    description: str
    #: Whether the server needs it
    is_required: bool
    #: Whether its value is a secret
    is_secret: bool


class McpRegistrySummaryDraftsItemInputsItem(_Record):
    #: It stands in braces in `url`, or in the value of a header
    name: str
    #: Purpose of the record.
    description: str
    #: Whether the server needs it
    is_required: bool
    #: Whether its value is a secret
    is_secret: bool
    #: The answers; there is one.
    choices: List[str]


class McpRegistrySummaryDraftsItem(_Record):
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: The address by Streamable HTTP; `{name}` in it stands for a value to enter
    url: str
    #: Headers of every request to the server, by name.
    headers: List[McpRegistrySummaryDraftsItemHeadersItem]
    #: What is to be entered in `url` and `headers`
    inputs: List[McpRegistrySummaryDraftsItemInputsItem]


class McpRegistrySummary(_Record):
    #: The name in the registry, with its namespace
    name: str
    #: Title for people.
    title: Optional[str]
    #: Purpose of the record.
    description: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: str
    #: Whether its author advises against it
    is_deprecated: bool
    #: One for each remote address by Streamable HTTP; empty for servers that only run locally
    drafts: List[McpRegistrySummaryDraftsItem]


class ToolRule(_Record):
    #: Name for people and programs.
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
    """What happened."""

    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: str
    #: What it is about.
    subject: str
    #: Number of the event for its subject, from 1.
    sequence: int
    #: When the record was made, in UTC.
    created_at: str


class WebhookDeliverySummary(_Record):
    #: Id of the record; it never changes.
    id: str
    #: What happened.
    event: WebhookDeliverySummaryEvent
    #: State at present.
    state: Union[Literal["pending", "delivered", "failed", "skipped"], str]
    #: Attempts so far.
    attempts: int
    #: When it is attempted next; null: not again.
    next_attempt_at: Optional[str]
    #: When it was last attempted; null: never.
    last_attempt_at: Optional[str]
    #: HTTP status of the last answer; null: there was none.
    last_status: Optional[int]
    #: Why the last attempt failed; null after a success.
    last_error: Optional[str]
    #: Text of the answer; null: none yet.
    answer: Optional[str]


class TriggerFiring(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Number of the firing, from 1.
    number: int
    #: Where it comes from.
    source: Union[Literal["schedule", "webhook", "test"], str]
    #: When it happened, in UTC.
    at: str
    #: State at present.
    state: Union[Literal["pending", "started", "completed", "failed", "canceled", "skipped"], str]
    #: The reason, in a few words.
    reason: Optional[Union[Literal["missed", "overlap", "full", "inactive", "stopped", "owner", "agent", "message", "quota", "conflict", "unavailable", "run"], str]]
    #: Id of a run.
    run_id: Optional[str]
    #: What it works on.
    input: str
    #: When the record was made, in UTC.
    created_at: str
    #: When it ended, in UTC; null: not yet.
    ended_at: Optional[str]


class BudgetSubject(_Record):
    #: For `subject_id` of a new budget
    id: str
    #: Name for people and programs.
    name: str
    #: Tells subjects of one name apart: an owner, an address, a slug
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
    #: Whether it is valid now.
    is_current: bool
    #: When the record was made, in UTC.
    created_at: Optional[str]


class Key(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Start of the key, without its secret
    prefix: str
    #: What the credential may do.
    scopes: List[str]
    #: Limits of requests: the plan of the key.
    plan: Union[Literal["standard", "professional"], str]
    #: `Core`, `Commerce`, or the id of a project that a platform admin made
    project: str
    #: When the record was made, in UTC.
    created_at: str
    #: When it ceases to be valid; null: never.
    expires_at: Optional[str]
    #: When it was last used; null: never.
    last_used_at: Optional[str]
    #: Id of the key by which it was replaced
    successor_id: Optional[str]


class ModelPreset(_Record):
    #: Id of the record; it never changes.
    id: Union[Literal["openai", "anthropic", "google", "azure", "mistral", "groq", "ollama", "vllm", "litellm", "compatible"], str]
    #: Name for people and programs.
    name: str
    #: A part in capitals is to be replaced; null: of your own
    base_url: Optional[str]
    #: Whether the provider requires an API key
    needs_key: bool
    #: The provider's list of its models
    models_url: Optional[str]


class SkillList(_Record):
    #: The records of this page.
    items: List[Skill]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class AgentList(_Record):
    #: The records of this page.
    items: List[Agent]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class SkillVersionList(_Record):
    #: The records of this page.
    items: List[SkillVersion]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class AgentVersionList(_Record):
    #: The records of this page.
    items: List[AgentVersion]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class PluginList(_Record):
    #: The records of this page.
    items: List[Plugin]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class ContentList(_Record):
    #: The records of this page.
    items: List[Content]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class McpServerList(_Record):
    #: The records of this page.
    items: List[McpServer]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class McpServerToolList(_Record):
    #: The records of this page.
    items: List[McpServerTool]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class QuarantinedToolList(_Record):
    #: The records of this page.
    items: List[QuarantinedTool]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class McpRegistryList(_Record):
    #: The records of this page.
    items: List[McpRegistrySummary]
    #: Entries of the page that are malformed or too large
    skipped: int
    #: Leads on; null at the end
    next_cursor: Optional[str]
    #: Why the registry gave no entries; null: it answered
    error: Optional[str]


class ToolRuleList(_Record):
    #: The records of this page.
    items: List[ToolRule]


class WebhookList(_Record):
    #: The records of this page.
    items: List[Webhook]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class WebhookDeliveryList(_Record):
    #: The records of this page.
    items: List[WebhookDeliverySummary]
    #: Cursor of the next page; null on the last one.
    next_cursor: Optional[str]


class TriggerList(_Record):
    #: The records of this page.
    items: List[Trigger]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class TriggerTimeList(_Record):
    #: Times in UTC, earliest first.
    times: List[str]


class TriggerFiringList(_Record):
    #: The records of this page.
    items: List[TriggerFiring]
    #: Cursor of the next page; null on the last one.
    next_cursor: Optional[str]


class BudgetList(_Record):
    #: The records of this page.
    items: List[Budget]
    #: Number of records in all pages.
    total: int
    #: Number of the page, from 1.
    page: int
    #: Records on a page.
    per_page: int


class OwnBudgetList(_Record):
    #: The records of this page.
    items: List[Budget]


class BudgetSubjectList(_Record):
    #: The records of this page.
    items: List[BudgetSubject]


class ModelPriceList(_Record):
    #: The records of this page.
    items: List[ModelPrice]
    #: Models, by name or with their figures.
    models: List[str]


class KeyList(_Record):
    #: The records of this page.
    items: List[Key]


class ModelList(_Record):
    #: The records of this page.
    items: List[Model]


class ModelPresetList(_Record):
    #: The records of this page.
    items: List[ModelPreset]


class NewSkillParametersValue(_Record):
    #: Which type it is.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: The values that are accepted.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value where none is given.
    default: Optional[Union[str, float, bool]] = None


class NewSkill(_Record):
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: What the model reads before each conversation.
    instructions: str
    #: Parameters by name.
    parameters: Optional[Dict[str, NewSkillParametersValue]] = None


class SkillReplacementParametersValue(_Record):
    #: Which type it is.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: The values that are accepted.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value where none is given.
    default: Optional[Union[str, float, bool]] = None


class SkillReplacement(_Record):
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: What the model reads before each conversation.
    instructions: str
    #: Parameters by name.
    parameters: Optional[Dict[str, SkillReplacementParametersValue]] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class SkillChangesParametersValue(_Record):
    #: Which type it is.
    type: Union[Literal["string", "integer", "number", "boolean"], str]
    #: The values that are accepted.
    enum: Optional[List[Union[str, float, bool]]] = None
    #: Value where none is given.
    default: Optional[Union[str, float, bool]] = None


class SkillChanges(_Record):
    #: Name for people and programs.
    name: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: What the model reads before each conversation.
    instructions: Optional[str] = None
    #: Parameters by name.
    parameters: Optional[Dict[str, SkillChangesParametersValue]] = None
    #: State of the record.
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
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
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
    model_parameters: Optional[NewAgentModelParameters] = None
    #: What the model reads before each conversation.
    instructions: Optional[str] = None
    #: What happens when the outcome of a tool call is unknown: a person is asked, the model is told, or the run fails.
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: Whether users and other agents may reach it.
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
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
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
    model_parameters: Optional[AgentReplacementModelParameters] = None
    #: What the model reads before each conversation.
    instructions: Optional[str] = None
    #: What happens when the outcome of a tool call is unknown: a person is asked, the model is told, or the run fails.
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: Whether users and other agents may reach it.
    published: Optional[bool] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: Optional[str] = None
    #: Whether it answers where no agent is named.
    is_default: Optional[bool] = None
    #: When it was stopped; null: it works.
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
    model_parameters: Optional[AgentChangesModelParameters] = None
    #: What the model reads before each conversation.
    instructions: Optional[str] = None
    #: What happens when the outcome of a tool call is unknown: a person is asked, the model is told, or the run fails.
    on_unknown: Optional[Union[Literal["ask", "tell", "fail"], str]] = None
    #: Whether users and other agents may reach it.
    published: Optional[bool] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: Optional[str] = None
    #: Whether it answers where no agent is named.
    is_default: Optional[bool] = None
    #: When it was stopped; null: it works.
    stopped_at: Optional[str] = None


class AssignSkillRequest(_Record):
    #: Id of a skill.
    skill_id: str


class NewPlugin(_Record):
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: Which type it is.
    type: Union[Literal["tool", "data_source", "integration", "filter"], str]
    #: Configuration of the plugin, as its `config_schema` describes.
    config: Dict[str, Any]
    #: JSON Schema of the configuration.
    config_schema: Optional[Dict[str, Any]] = None


class PluginChanges(_Record):
    #: Name for people and programs.
    name: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Which type it is.
    type: Optional[Union[Literal["tool", "data_source", "integration", "filter"], str]] = None
    #: Configuration of the plugin, as its `config_schema` describes.
    config: Optional[Dict[str, Any]] = None
    #: JSON Schema of the configuration.
    config_schema: Optional[Dict[str, Any]] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Any = None
    #: Whether it answered the last check; null: not checked yet.
    reachable: Any = None
    #: When it was last checked; null: never.
    last_checked_at: Any = None
    #: Why the last attempt failed; null after a success.
    last_error: Any = None


class PluginConfigReplacement(_Record):
    pass


class NewContent(_Record):
    #: Title for people.
    title: str
    #: Text of the content item, in Markdown.
    body: str
    #: Words to find it by.
    tags: Optional[List[str]] = None


class ContentReplacement(_Record):
    #: Title for people.
    title: str
    #: Text of the content item, in Markdown.
    body: str
    #: Words to find it by.
    tags: Optional[List[str]] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class ContentChanges(_Record):
    #: Title for people.
    title: Optional[str] = None
    #: Text of the content item, in Markdown.
    body: Optional[str] = None
    #: Words to find it by.
    tags: Optional[List[str]] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class NewMcpServerAuth1(_Record):
    #: Which type it is.
    type: Literal["none"]


class NewMcpServerAuth2(_Record):
    #: Which type it is.
    type: Literal["agent_token"]
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class NewMcpServerAuth3(_Record):
    #: Which type it is.
    type: Literal["client_credentials"]
    #: Token endpoint of the authorization server.
    token_url: str
    #: Id of an OAuth client.
    client_id: str
    #: Secret of the OAuth client; it is never read back.
    client_secret: str
    #: How the client proves its secret at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class NewMcpServerAuth4(_Record):
    #: Which type it is.
    type: Literal["user"]
    #: Address of the authorization server.
    issuer: Optional[str] = None
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: Secret of the OAuth client; it is never read back.
    client_secret: Optional[str] = None
    #: How the client proves its secret at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post", "none"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class NewMcpServerAgentCard(_Record):
    #: Whether the agent is used only with a validly signed card.
    require_signature: Optional[bool] = None
    #: Address of the keys that may sign the card; null: the one that the signature names, at the origin of the card.
    jwks_url: Optional[str] = None
    #: How posts are signed, or the signature itself.
    signature: Any = None


class NewMcpServer(_Record):
    #: Name for people and programs.
    name: str
    #: Address, absolute.
    url: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: Headers of every request to the server, by name.
    headers: Optional[Dict[str, str]] = None
    #: How calls of the server are authenticated.
    auth: Optional[Union[NewMcpServerAuth1, NewMcpServerAuth2, NewMcpServerAuth3, NewMcpServerAuth4]] = None
    #: How the card of an agent of another system is verified; null for an MCP server.
    agent_card: Optional[NewMcpServerAgentCard] = None
    #: Whether tools that changed wait for an approval before they are available.
    pin_tools: Optional[bool] = None
    #: `streamable-http` for an MCP server, `a2a` for an agent of another system.
    transport: Optional[Union[Literal["streamable-http", "a2a"], str]] = None


class McpServerChangesAuth1(_Record):
    #: Which type it is.
    type: Literal["none"]


class McpServerChangesAuth2(_Record):
    #: Which type it is.
    type: Literal["agent_token"]
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerChangesAuth3(_Record):
    #: Which type it is.
    type: Literal["client_credentials"]
    #: Token endpoint of the authorization server.
    token_url: str
    #: Id of an OAuth client.
    client_id: str
    #: Secret of the OAuth client; it is never read back.
    client_secret: str
    #: How the client proves its secret at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerChangesAuth4(_Record):
    #: Which type it is.
    type: Literal["user"]
    #: Address of the authorization server.
    issuer: Optional[str] = None
    #: Id of an OAuth client.
    client_id: Optional[str] = None
    #: Secret of the OAuth client; it is never read back.
    client_secret: Optional[str] = None
    #: How the client proves its secret at the token endpoint.
    client_auth: Optional[Union[Literal["client_secret_basic", "client_secret_post", "none"], str]] = None
    #: OAuth scopes, separated by spaces.
    scope: Optional[str] = None


class McpServerChangesAgentCard(_Record):
    #: Whether the agent is used only with a validly signed card.
    require_signature: Optional[bool] = None
    #: Address of the keys that may sign the card; null: the one that the signature names, at the origin of the card.
    jwks_url: Optional[str] = None
    #: How posts are signed, or the signature itself.
    signature: Any = None


class McpServerChanges(_Record):
    #: Name for people and programs.
    name: Optional[str] = None
    #: Address, absolute.
    url: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Headers of every request to the server, by name.
    headers: Optional[Dict[str, str]] = None
    #: How calls of the server are authenticated.
    auth: Optional[Union[McpServerChangesAuth1, McpServerChangesAuth2, McpServerChangesAuth3, McpServerChangesAuth4]] = None
    #: How the card of an agent of another system is verified; null for an MCP server.
    agent_card: Optional[McpServerChangesAgentCard] = None
    #: Whether tools that changed wait for an approval before they are available.
    pin_tools: Optional[bool] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive", "unreachable"], str]] = None
    #: Name in addresses: lower-case letters, digits and hyphens.
    slug: Any = None
    #: `streamable-http` for an MCP server, `a2a` for an agent of another system.
    transport: Any = None
    #: Number of available tools.
    tools_count: Any = None
    #: When it last answered or was last used; null: never.
    last_seen_at: Any = None
    #: Why the last attempt failed; null after a success.
    last_error: Any = None


class ApproveToolRequest(_Record):
    #: SHA-256 of the definition, hexadecimal.
    hash: str


class MakeChangesRequestChangesItem11(_Record):
    #: Which kind it is.
    kind: Literal["skill"]
    #: What was done or attempted.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewSkill = Field(alias="fields")


class MakeChangesRequestChangesItem12(_Record):
    #: Which kind it is.
    kind: Literal["skill"]
    #: What was done or attempted.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: SkillChanges = Field(alias="fields")


class MakeChangesRequestChangesItem13(_Record):
    #: Which kind it is.
    kind: Literal["skill"]
    #: What was done or attempted.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequestChangesItem21(_Record):
    #: Which kind it is.
    kind: Literal["content"]
    #: What was done or attempted.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewContent = Field(alias="fields")


class MakeChangesRequestChangesItem22(_Record):
    #: Which kind it is.
    kind: Literal["content"]
    #: What was done or attempted.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: ContentChanges = Field(alias="fields")


class MakeChangesRequestChangesItem23(_Record):
    #: Which kind it is.
    kind: Literal["content"]
    #: What was done or attempted.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequestChangesItem31(_Record):
    #: Which kind it is.
    kind: Literal["mcp_server"]
    #: What was done or attempted.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewMcpServer = Field(alias="fields")


class MakeChangesRequestChangesItem32(_Record):
    #: Which kind it is.
    kind: Literal["mcp_server"]
    #: What was done or attempted.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: McpServerChanges = Field(alias="fields")


class MakeChangesRequestChangesItem33(_Record):
    #: Which kind it is.
    kind: Literal["mcp_server"]
    #: What was done or attempted.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequestChangesItem41(_Record):
    #: Which kind it is.
    kind: Literal["agent"]
    #: What was done or attempted.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewAgent = Field(alias="fields")


class MakeChangesRequestChangesItem42(_Record):
    #: Which kind it is.
    kind: Literal["agent"]
    #: What was done or attempted.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: AgentChanges = Field(alias="fields")


class MakeChangesRequestChangesItem43(_Record):
    #: Which kind it is.
    kind: Literal["agent"]
    #: What was done or attempted.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequest(_Record):
    #: Fields that differ.
    changes: List[Union[Union[MakeChangesRequestChangesItem11, MakeChangesRequestChangesItem12, MakeChangesRequestChangesItem13], Union[MakeChangesRequestChangesItem21, MakeChangesRequestChangesItem22, MakeChangesRequestChangesItem23], Union[MakeChangesRequestChangesItem31, MakeChangesRequestChangesItem32, MakeChangesRequestChangesItem33], Union[MakeChangesRequestChangesItem41, MakeChangesRequestChangesItem42, MakeChangesRequestChangesItem43]]]


class ToolPolicyReplacement(_Record):
    #: What holds for tools without a rule of their own.
    unmarked_tools: Union[Literal["allow", "ask_when_tainted", "ask"], str]
    #: Whether someone else than the requester has to decide.
    other_decider: Optional[bool] = None


class ToolRulesReplacementRulesItem(_Record):
    #: Name for people and programs.
    name: str
    #: SHA-256 of the definition, hexadecimal.
    hash: str
    #: Whether calls are allowed, ask for an approval, or are denied; null: the policy of the project holds.
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether someone else than the requester has to decide.
    other_decider: Optional[bool] = None
    #: A call may be repeated when its outcome is unknown; left out, the mark stays as it is
    repeatable: Optional[bool] = None


class ToolRulesReplacement(_Record):
    #: The rules to set.
    rules: List[ToolRulesReplacementRulesItem]


class PluginRuleReplacement(_Record):
    #: Whether calls are allowed, ask for an approval, or are denied; null: the policy of the project holds.
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether someone else than the requester has to decide.
    other_decider: Optional[bool] = None
    #: A call may be repeated when its outcome is unknown; left out, the mark stays as it is
    repeatable: Optional[bool] = None


class AgentRuleReplacement(_Record):
    #: Whether calls are allowed, ask for an approval, or are denied; null: the policy of the project holds.
    rule: Optional[Union[Literal["allow", "ask", "deny"], str]]
    #: Whether someone else than the requester has to decide.
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
    """E-mail address; in guards, the actions for e-mail addresses."""

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
    #: E-mail address; in guards, the actions for e-mail addresses.
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
    #: Values, oldest first.
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
    #: Name for people and programs.
    name: str
    #: Address, absolute.
    url: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: Types of the events that are sent.
    event_types: Optional[List[Union[Literal["run.completed", "run.failed", "run.canceled", "run.waiting", "trigger.disabled", "approval.requested", "approval.decided", "budget.warning", "budget.exhausted"], str]]] = None


class WebhookChanges(_Record):
    #: Name for people and programs.
    name: Optional[str] = None
    #: Address, absolute.
    url: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Types of the events that are sent.
    event_types: Optional[List[Union[Literal["run.completed", "run.failed", "run.canceled", "run.waiting", "trigger.disabled", "approval.requested", "approval.decided", "budget.warning", "budget.exhausted"], str]]] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class ReplayWebhookRequest(_Record):
    #: Start of the period, included.
    since: str
    #: End of the period, excluded.
    until: Optional[str] = None
    #: Whether delivered events are sent again as well.
    delivered: Optional[bool] = None


class NewTriggerBudget1(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["usd"]
    #: The most that may be spent, in `unit`.
    amount: float


class NewTriggerBudget2(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["tokens"]
    #: The most that may be spent, in `unit`.
    amount: int


class NewTrigger(_Record):
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: The agent concerned.
    agent: str
    #: What it works on.
    input: str
    #: Whether each run begins a conversation, or all continue one.
    context: Optional[Union[Literal["new", "same"], str]] = None
    #: What happens when the run before has not ended: skip, queue, or allow both.
    overlap: Optional[Union[Literal["skip", "queue", "allow"], str]] = None
    #: What happens with scheduled times that passed while nothing ran: none, or one run.
    missed: Optional[Union[Literal["skip", "once"], str]] = None
    #: Cron expression of five fields; null: a webhook trigger.
    schedule: Optional[str] = None
    #: IANA time zone of the schedule.
    timezone: Optional[str] = None
    #: When it begins to fire; null: at once.
    starts_at: Optional[str] = None
    #: When it ceases to fire; null: never.
    ends_at: Optional[str] = None
    #: How posts are signed, or the signature itself.
    signature: Optional[Union[Literal["standard", "github", "stripe"], str]] = None
    #: The most that may be spent; null: no limit.
    budget: Optional[Union[NewTriggerBudget1, NewTriggerBudget2]] = None
    #: Failures in a row after which it is disabled.
    max_failures: Optional[int] = None
    #: Which kind it is.
    kind: Union[Literal["cron", "webhook"], str]
    #: The secret of signatures, in this answer only.
    secret: Optional[str] = None


class TriggerChangesBudget1(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["usd"]
    #: The most that may be spent, in `unit`.
    amount: float


class TriggerChangesBudget2(_Record):
    #: What is counted: US dollars or tokens.
    unit: Literal["tokens"]
    #: The most that may be spent, in `unit`.
    amount: int


class TriggerChanges(_Record):
    #: Name for people and programs.
    name: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: The agent concerned.
    agent: Optional[str] = None
    #: What it works on.
    input: Optional[str] = None
    #: Whether each run begins a conversation, or all continue one.
    context: Optional[Union[Literal["new", "same"], str]] = None
    #: What happens when the run before has not ended: skip, queue, or allow both.
    overlap: Optional[Union[Literal["skip", "queue", "allow"], str]] = None
    #: What happens with scheduled times that passed while nothing ran: none, or one run.
    missed: Optional[Union[Literal["skip", "once"], str]] = None
    #: Cron expression of five fields; null: a webhook trigger.
    schedule: Optional[str] = None
    #: IANA time zone of the schedule.
    timezone: Optional[str] = None
    #: When it begins to fire; null: at once.
    starts_at: Optional[str] = None
    #: When it ceases to fire; null: never.
    ends_at: Optional[str] = None
    #: How posts are signed, or the signature itself.
    signature: Optional[Union[Literal["standard", "github", "stripe"], str]] = None
    #: The most that may be spent; null: no limit.
    budget: Optional[Union[TriggerChangesBudget1, TriggerChangesBudget2]] = None
    #: Failures in a row after which it is disabled.
    max_failures: Optional[int] = None
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None
    #: Your own id: you become the owner of the trigger.
    owner_id: Optional[str] = None


class RotateTriggerSecretRequest(_Record):
    #: The secret of signatures, in this answer only.
    secret: Optional[str] = None


class FireTriggerRequest(_Record):
    #: Text of the content item, in Markdown.
    body: Optional[str] = None


class NewBudget(_Record):
    #: Name for people and programs.
    name: str
    #: What the budget counts.
    level: Union[Literal["project", "api_key", "client", "user", "agent", "trigger"], str]
    #: Id of the API key, user, agent or trigger, or the `client_id` of the client; none for `project`
    subject_id: Optional[str] = None
    #: Length of the period.
    period: Union[Literal["day", "month", "total"], str]
    #: What is counted: US dollars or tokens.
    unit: Union[Literal["usd", "tokens"], str]
    #: US dollars, with six decimals at most, or tokens
    amount: float
    #: State of the record.
    status: Optional[Union[Literal["active", "inactive"], str]] = None


class BudgetChanges(_Record):
    #: Name for people and programs.
    name: Optional[str] = None
    #: The most that may be spent, in `unit`.
    amount: Optional[float] = None
    #: State of the record.
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
    #: Name for people and programs.
    name: str
    #: Scopes of the key of the request, by name; never `*`, `keys:write` or those of admins
    scopes: List[str]
    #: At most that of the key of the request
    plan: Optional[Union[Literal["standard", "professional"], str]] = None
    #: Null: no expiry. It ends no later than the key of the request; when left out, after 90 days or with that key
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
    #: Name for people and programs.
    name: str
    #: The provider that the address is of
    preset: Union[Literal["openai", "anthropic", "google", "azure", "mistral", "groq", "ollama", "vllm", "litellm", "compatible"], str]
    #: Default: the preset's, where it has one
    base_url: Optional[str] = None
    #: Default: the name
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
    #: The name at the base address
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
    #: Ignored
    source: Any = None
    #: Ignored
    health: Any = None


class MakeChangesAnswerChangesItem(_Record):
    #: Kind of the record
    kind: str
    #: What was done or attempted.
    action: Union[Literal["create", "update", "delete"], str]
    #: Id of the record; it never changes.
    id: str
    #: The ETag of the record; null for one that is deleted
    etag: Optional[str]


class MakeChangesAnswer(_Record):
    #: Fields that differ.
    changes: List[MakeChangesAnswerChangesItem]


class CreatedWebhook(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Address, absolute.
    url: str
    #: Purpose of the record.
    description: str
    #: Types of the events that are sent.
    event_types: List[str]
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: Why it was disabled; null: it was not.
    disabled_reason: Optional[Union[Literal["failing", "gone"], str]]
    #: Since when every attempt has failed; null: the last one succeeded.
    failing_since: Optional[str]
    #: Until when the former secret is still valid; null: it is not.
    former_secret_until: Optional[str]
    #: Deliveries that wait for their attempt.
    waiting: int
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str
    #: The secret of signatures, in this answer only.
    secret: str


class ReplayWebhookAnswer(_Record):
    #: Number of deliveries that wait again.
    replayed: int
    #: Whether further ones are left.
    more: bool


class CreatedTriggerBudget(_Record):
    #: What is counted: US dollars or tokens.
    unit: Union[Literal["usd", "tokens"], str]
    #: The most that may be spent, in `unit`.
    amount: float


class CreatedTriggerOwner(_Record):
    """Who owns it."""

    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str


class CreatedTrigger(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: Which kind it is.
    kind: Union[Literal["cron", "webhook"], str]
    #: State of the record.
    status: Union[Literal["active", "inactive"], str]
    #: Why it was disabled; null: it was not.
    disabled_reason: Optional[Union[Literal["owner", "failing"], str]]
    #: The agent concerned.
    agent: str
    #: What it works on.
    input: str
    #: Whether each run begins a conversation, or all continue one.
    context: Union[Literal["new", "same"], str]
    #: Id of a conversation with an agent.
    context_id: Optional[str]
    #: What happens when the run before has not ended: skip, queue, or allow both.
    overlap: Union[Literal["skip", "queue", "allow"], str]
    #: What happens with scheduled times that passed while nothing ran: none, or one run.
    missed: Union[Literal["skip", "once"], str]
    #: Cron expression of five fields; null: a webhook trigger.
    schedule: Optional[str]
    #: IANA time zone of the schedule.
    timezone: Optional[str]
    #: When it begins to fire; null: at once.
    starts_at: Optional[str]
    #: When it ceases to fire; null: never.
    ends_at: Optional[str]
    #: The next scheduled time; null: there is none.
    next_at: Optional[str]
    #: Where: a path or an address below the base address.
    path: Optional[str]
    #: How posts are signed, or the signature itself.
    signature: Optional[Union[Literal["standard", "github", "stripe"], str]]
    #: Until when the former secret is still valid; null: it is not.
    former_secret_until: Optional[str]
    #: The most that may be spent; null: no limit.
    budget: Optional[CreatedTriggerBudget]
    #: Who owns it.
    owner: CreatedTriggerOwner
    #: Failures in a row after which it is disabled.
    max_failures: int
    #: Failures in a row.
    failures: int
    #: Firings so far.
    firings: int
    #: When it last fired; null: never.
    last_fired_at: Optional[str]
    #: When the record was made, in UTC.
    created_at: str
    #: When the record last changed, in UTC.
    updated_at: str
    #: The secret of signatures, in this answer only.
    secret: Optional[str]


class CreatedKey(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Start of the key, without its secret
    prefix: str
    #: What the credential may do.
    scopes: List[str]
    #: Limits of requests: the plan of the key.
    plan: Union[Literal["standard", "professional"], str]
    #: `Core`, `Commerce`, or the id of a project that a platform admin made
    project: str
    #: When the record was made, in UTC.
    created_at: str
    #: When it ceases to be valid; null: never.
    expires_at: Optional[str]
    #: When it was last used; null: never.
    last_used_at: Optional[str]
    #: Id of the key by which it was replaced
    successor_id: Optional[str]
    #: The key itself
    key: str


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
    #: Which kind it is.
    kind: Union[Literal["timeout", "rate_limited", "failed", "unreachable", "rejected", "garbage"], str]
    #: HTTP status of the answer; null: there was none
    status: Optional[int]
    #: The server's own words, without credentials
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
    #: Null: the model answered
    failure: Optional[TestDraftModelAnswerFailure]


GetPluginConfigAnswer = Dict[str, Any]
ReplacePluginConfigAnswer = Dict[str, Any]

rebuild(globals())
