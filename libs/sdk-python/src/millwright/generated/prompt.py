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
    #: Kind of the error, as in OpenAI's API.
    type: str
    #: The field at fault; null when no field is.
    param: Optional[str]


class ApiError(_Record):
    #: What went amiss.
    error: ApiErrorError
    #: Error message: what is wrong and what to do.
    message: str


class PromptInstruction(_Record):
    """Instructions: a static, a dynamic and a state part."""

    #: Part that is the same in each run.
    static: str
    #: Part about the current state, which each run fills in.
    state: str
    #: Part with variables, which each run fills in.
    dynamic: str


class PromptModelParameters(_Record):
    """Parameters of the calls of the model. They override the model's own defaults."""

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


class PromptMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: str
    #: Description, as free text.
    description: str
    #: Tags.
    tag: List[str]
    #: Description of the change.
    log_message: str
    #: Time of creation, in UTC.
    created: str
    #: Time of the last change, in UTC.
    updated: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Status.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Prompt(_Record):
    #: Unique id. It never changes.
    id: str
    #: Instructions: a static, a dynamic and a state part.
    instruction: PromptInstruction
    #: Definition of the input.
    input: Definition
    #: Definition of the output.
    output: Definition
    #: Parameters of the calls of the model. They override the model's own defaults.
    model_parameters: PromptModelParameters
    #: Title, description, tags and times.
    metadata: PromptMetadata
    #: URL of the record.
    link: str = Field(alias="_link")


class DefinitionReferenceItem(_Record):
    #: Unique id, a UUID. It never changes.
    uuid: str
    #: URL of the record.
    link: str
    #: Type.
    type: Union[Literal["input", "output"], str]


class Definition(_Record):
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Description, as free text.
    description: str
    #: Type.
    type: Union[str, List[str]]
    #: Referenced records.
    reference: List[DefinitionReferenceItem]
    #: JSON Schema of the data.
    schema_: Dict[str, Any] = Field(alias="schema")


class PromptVersionUsageUsage(_Record):
    """Tokens that were used."""

    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of the output; null: unknown.
    completion_tokens: int
    #: Tokens of input and output.
    total_tokens: int


class PromptVersionUsageModelsItemUsage(_Record):
    """Tokens that were used."""

    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of the output; null: unknown.
    completion_tokens: int
    #: Tokens of input and output.
    total_tokens: int


class PromptVersionUsageModelsItem(_Record):
    #: Name of a language model.
    model: str
    #: Number of runs.
    runs: int
    #: Tokens that were used.
    usage: PromptVersionUsageModelsItemUsage
    #: Cost in US dollars; null: the price is unknown.
    cost_usd: Optional[float]
    #: Runs whose price is not known
    unpriced_runs: int
    #: Runs with tokens that are estimated: the model sent no count, or an answer was cut off
    estimated_runs: int


class PromptVersionUsage(_Record):
    #: Id of the prompt.
    prompt: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Number of runs.
    runs: int
    #: Tokens that were used.
    usage: PromptVersionUsageUsage
    #: Cost in US dollars; null: the price is unknown.
    cost_usd: Optional[float]
    #: Runs whose price is not known
    unpriced_runs: int
    #: Runs with tokens that are estimated: the model sent no count, or an answer was cut off
    estimated_runs: int
    #: Time of the latest run; null: none.
    last_run: Optional[str]
    #: Usage by model.
    models: List[PromptVersionUsageModelsItem]


class Model(_Record):
    #: The name to send as `model`
    id: str
    #: Type of the object, in OpenAI's terms.
    object: Literal["model"]
    #: Unix time in seconds; 0 for a configured model
    created: int
    #: What the name stands for
    owned_by: Union[Literal["model", "agent", "prompt"], str]
    #: Name for people
    name: str


class ModelResponseError(_Record):
    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str


class ModelResponseIncompleteDetails(_Record):
    #: Short reason.
    reason: Union[Literal["max_output_tokens", "content_filter"], str]


class ModelResponseOutputItem1ContentItem1(_Record):
    #: Type.
    type: Literal["output_text"]
    #: Text.
    text: str
    #: Annotations of the text.
    annotations: List[Any]


class ModelResponseOutputItem1ContentItem2(_Record):
    #: Type.
    type: Literal["refusal"]
    #: The model's refusal to answer.
    refusal: str


class ModelResponseOutputItem1(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["message"]
    #: Role of the author.
    role: Literal["assistant"]
    #: Status.
    status: Union[Literal["in_progress", "completed", "incomplete"], str]
    #: Parts of the answer.
    content: List[Union[ModelResponseOutputItem1ContentItem1, ModelResponseOutputItem1ContentItem2]]


class ModelResponseOutputItem2(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["function_call"]
    #: Status.
    status: Union[Literal["in_progress", "completed"], str]
    #: Id of the tool call.
    call_id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class ModelResponseOutputItem3(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["mcp_call"]
    #: Status.
    status: Union[Literal["in_progress", "completed", "failed"], str]
    #: Name of the tool
    name: str
    #: Arguments as the model wrote them, as JSON
    arguments: str
    #: Slug of the MCP server
    server_label: str
    #: Id of the `mcp_approval_request` that decided about the call
    approval_request_id: Optional[str]
    #: Result of the call; null when it failed
    output: Optional[str]
    #: Why the call failed or was refused, as the model reads it
    error: Optional[str]


class ModelResponseOutputItem4(_Record):
    #: Id of the approval
    id: str
    #: Type.
    type: Literal["mcp_approval_request"]
    #: Name of the tool
    name: str
    #: Arguments as the model wrote them, as JSON
    arguments: str
    #: Name of the tool's MCP server or plugin
    server_label: str


class ModelResponseConversation(_Record):
    #: Unique id. It never changes.
    id: str


class ModelResponsePromptVariablesValue2(_Record):
    #: Type.
    type: Literal["input_text"]
    #: Text.
    text: str


class ModelResponsePrompt(_Record):
    #: Unique id. It never changes.
    id: str
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[str] = None
    #: Values of the variables, by name.
    variables: Optional[Dict[str, Union[str, ModelResponsePromptVariablesValue2]]] = None


class ModelResponseTextFormat(_Record):
    """Format of the output."""

    #: Type.
    type: str


class ModelResponseText(_Record):
    """Settings of the text output."""

    #: Format of the output.
    format: ModelResponseTextFormat


class ModelResponseToolChoice2(_Record):
    #: Type.
    type: Literal["function"]
    #: Name.
    name: str


class ModelResponseToolsItem1(_Record):
    #: Type.
    type: Literal["function"]
    #: Name.
    name: str
    #: Description, as free text.
    description: Optional[str] = None
    #: JSON Schema of the arguments.
    parameters: Optional[Dict[str, Any]] = None
    #: Whether the output must match the schema exactly.
    strict: Optional[bool] = None


class ModelResponseToolsItem2AllowedTools2(_Record):
    #: Names of tools as the server lists them
    tool_names: Optional[List[str]] = None
    #: Not supported
    read_only: Any = None


class ModelResponseToolsItem2RequireApproval2Always(_Record):
    #: Names of tools as the server lists them
    tool_names: Optional[List[str]] = None
    #: Not supported
    read_only: Any = None


class ModelResponseToolsItem2RequireApproval2Never(_Record):
    #: Names of tools as the server lists them
    tool_names: Optional[List[str]] = None
    #: Not supported
    read_only: Any = None


class ModelResponseToolsItem2RequireApproval2(_Record):
    #: Tools whose calls wait for a decision, as those of neither list do
    always: Optional[ModelResponseToolsItem2RequireApproval2Always] = None
    #: Tools whose calls wait only where the rules of the project say so
    never: Optional[ModelResponseToolsItem2RequireApproval2Never] = None


class ModelResponseToolsItem2(_Record):
    #: Type.
    type: Literal["mcp"]
    #: Slug of a registered MCP server of the project; `platform`: the clock and the calculator of this installation
    server_label: str
    #: The tools that the model may call; all that the server has and the credential allows by default
    allowed_tools: Optional[Union[List[str], ModelResponseToolsItem2AllowedTools2]] = None
    #: Which calls wait for a decision; `always` by default. It makes the rules of the project stricter, never looser: a tool whose rule is `ask` or `deny` keeps it with `never`
    require_approval: Optional[Union[Union[Literal["always", "never"], str], ModelResponseToolsItem2RequireApproval2]] = None


class ModelResponseReasoning(_Record):
    """Settings of the reasoning."""

    #: How much the model reasons before it answers.
    effort: Optional[str]


class ModelResponseUsageInputTokensDetails(_Record):
    """Tokens of the input, by kind."""

    #: Input tokens from the cache of the model server.
    cached_tokens: int


class ModelResponseUsageOutputTokensDetails(_Record):
    """Tokens of the output, by kind."""

    #: Output tokens of the reasoning.
    reasoning_tokens: int


class ModelResponseUsage(_Record):
    #: Tokens of the input.
    input_tokens: int
    #: Tokens of the input, by kind.
    input_tokens_details: Optional[ModelResponseUsageInputTokensDetails] = None
    #: Tokens of the output.
    output_tokens: int
    #: Tokens of the output, by kind.
    output_tokens_details: Optional[ModelResponseUsageOutputTokensDetails] = None
    #: Tokens of input and output.
    total_tokens: int


class ModelResponse(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type of the object, in OpenAI's terms.
    object: Literal["response"]
    #: Time of creation, in UTC.
    created_at: int
    #: Time of completion; null: not completed.
    completed_at: Optional[int]
    #: Status.
    status: Union[Literal["in_progress", "completed", "incomplete", "failed", "cancelled"], str]
    #: Whether to create the response in the background.
    background: bool
    #: The error; null or absent: no error.
    error: Optional[ModelResponseError]
    #: Reason for which the response is incomplete; null: complete.
    incomplete_details: Optional[ModelResponseIncompleteDetails]
    #: System instructions for the model.
    instructions: Optional[str]
    #: Maximum number of output tokens; null: the limit of the model.
    max_output_tokens: Optional[int]
    #: Key-value pairs of your own.
    metadata: Dict[str, str]
    #: Name of a language model.
    model: str
    #: Items that the model wrote.
    output: List[Union[ModelResponseOutputItem1, ModelResponseOutputItem2, ModelResponseOutputItem3, ModelResponseOutputItem4]]
    #: Whether the model may call several tools at once.
    parallel_tool_calls: bool
    #: Id of the response that this one continues; null: none.
    previous_response_id: Optional[str]
    #: Conversation.
    conversation: Optional[ModelResponseConversation]
    #: Prompt that was run: its id, version and variables.
    prompt: Optional[ModelResponsePrompt]
    #: Cache key for the model server; null: none.
    prompt_cache_key: Optional[str]
    #: Id of your end user, passed to the model server; null: none.
    safety_identifier: Optional[str]
    #: Whether to store the response.
    store: bool
    #: Randomness of the answer; null: the default of the model.
    temperature: Optional[float]
    #: Settings of the text output.
    text: ModelResponseText
    #: Whether the model may call tools.
    tool_choice: Union[Union[Literal["auto", "none", "required"], str], ModelResponseToolChoice2]
    #: Tools.
    tools: List[Union[ModelResponseToolsItem1, ModelResponseToolsItem2]]
    #: Settings of the reasoning.
    reasoning: Optional[ModelResponseReasoning] = None
    #: Share of the most likely tokens to consider; null: the default of the model.
    top_p: Optional[float]
    #: What to do when the input is too long.
    truncation: Union[Literal["auto", "disabled"], str]
    #: Tokens that were used.
    usage: Optional[ModelResponseUsage]
    #: Id of your end user, passed to the model server.
    user: Optional[str]
    #: Warnings about input that is missing or was not used.
    warnings: List[str]


class ConversationMessageItemReferenceItem(_Record):
    #: Unique id, a UUID. It never changes.
    uuid: str
    #: URL of the record.
    link: str
    #: Type.
    type: str


class ConversationMessageItemMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: str
    #: Description, as free text.
    description: str
    #: Tags.
    tag: List[str]
    #: Description of the change.
    log_message: str
    #: Time of creation, in UTC.
    created: str
    #: Time of the last change, in UTC.
    updated: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Status.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class ConversationMessageItem(_Record):
    #: Unique id. It never changes.
    id: str
    #: Role of the author.
    role: Union[Literal["system", "user", "assistant", "tool"], str]
    #: Text of the message, or its parts.
    content: str
    #: Referenced records.
    reference: List[ConversationMessageItemReferenceItem]
    #: Name of a language model.
    model: str
    #: Title, description, tags and times.
    metadata: ConversationMessageItemMetadata


class ConversationMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: str
    #: Description, as free text.
    description: str
    #: Tags.
    tag: List[str]
    #: Description of the change.
    log_message: str
    #: Time of creation, in UTC.
    created: str
    #: Time of the last change, in UTC.
    updated: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Status.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Conversation(_Record):
    #: Unique id. It never changes.
    id: str
    #: Messages of the conversation, oldest first.
    message: List[ConversationMessageItem]
    #: Title, description, tags and times.
    metadata: ConversationMetadata
    #: URL of the record.
    link: str = Field(alias="_link")


class ConversationItem1ContentItem1(_Record):
    #: Type.
    type: Literal["input_text"]
    #: Text.
    text: str


class ConversationItem1ContentItem2(_Record):
    #: Type.
    type: Literal["input_image"]
    #: The image as a data URL, or its address
    image_url: str
    #: Resolution at which the model reads the image.
    detail: Union[Literal["auto", "low", "high"], str]
    #: Always null
    file_id: None


class ConversationItem1ContentItem3(_Record):
    #: Type.
    type: Literal["output_text"]
    #: Text.
    text: str
    #: Annotations of the text.
    annotations: List[Any]


class ConversationItem1(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["message"]
    #: Role of the author.
    role: Union[Literal["user", "assistant", "system"], str]
    #: Status.
    status: Literal["completed"]
    #: Parts of the message.
    content: List[Union[ConversationItem1ContentItem1, ConversationItem1ContentItem2, ConversationItem1ContentItem3]]


class ConversationItem2(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["function_call"]
    #: Status.
    status: Literal["completed"]
    #: Id of the tool call.
    call_id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class ConversationItem3Output2Item1(_Record):
    #: Type.
    type: Literal["input_text"]
    #: Text.
    text: str


class ConversationItem3Output2Item2(_Record):
    #: Type.
    type: Literal["input_image"]
    #: The image as a data URL, or its address
    image_url: str
    #: Resolution at which the model reads the image.
    detail: Union[Literal["auto", "low", "high"], str]
    #: Always null
    file_id: None


class ConversationItem3Output2Item3(_Record):
    #: Type.
    type: Literal["output_text"]
    #: Text.
    text: str
    #: Annotations of the text.
    annotations: List[Any]


class ConversationItem3(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["function_call_output"]
    #: Status.
    status: Literal["completed"]
    #: Id of the tool call.
    call_id: str
    #: A list when it has images
    output: Union[str, List[Union[ConversationItem3Output2Item1, ConversationItem3Output2Item2, ConversationItem3Output2Item3]]]


class AgentMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: str
    #: Description, as free text.
    description: str
    #: Tags.
    tag: List[str]
    #: Description of the change.
    log_message: str
    #: Time of creation, in UTC.
    created: str
    #: Time of the last change, in UTC.
    updated: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Status.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Agent(_Record):
    #: Unique id. It never changes.
    id: str
    #: Text.
    content: str
    #: Text in front of the content.
    prefix: str
    #: Title, description, tags and times.
    metadata: AgentMetadata
    #: URL of the record.
    link: str = Field(alias="_link")


class ArtifactMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: str
    #: Description, as free text.
    description: str
    #: Tags.
    tag: List[str]
    #: Description of the change.
    log_message: str
    #: Time of creation, in UTC.
    created: str
    #: Time of the last change, in UTC.
    updated: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Status.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Artifact(_Record):
    #: Unique id. It never changes.
    id: str
    #: Text.
    content: str
    #: Title, description, tags and times.
    metadata: ArtifactMetadata
    #: URL of the record.
    link: str = Field(alias="_link")


class BlockMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: str
    #: Description, as free text.
    description: str
    #: Tags.
    tag: List[str]
    #: Description of the change.
    log_message: str
    #: Time of creation, in UTC.
    created: str
    #: Time of the last change, in UTC.
    updated: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Status.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Block(_Record):
    #: Unique id. It never changes.
    id: str
    #: Text.
    content: str
    #: Text in front of the content.
    prefix: str
    #: Title, description, tags and times.
    metadata: BlockMetadata
    #: URL of the record.
    link: str = Field(alias="_link")


class OwnUserUser(_Record):
    """Account."""

    #: Unique id. It never changes.
    id: str
    #: Unique id, a UUID. It never changes.
    uuid: str
    #: Name.
    name: str
    #: E-mail address.
    email: str
    #: Roles of the account.
    roles: List[str]
    #: Project.
    project: str


class OwnUserContent(_Record):
    """Number of records of each kind."""

    #: Number of prompts.
    prompt: int
    #: Number of artifacts.
    artifact: int
    #: Number of blocks.
    block: int
    #: Number of conversations.
    conversation: int


class OwnUserUsageAi(_Record):
    """Usage of models."""

    #: Number of runs.
    execution: int
    #: Number of tokens.
    token: int


class OwnUserUsage(_Record):
    """Usage of the account."""

    #: Usage of models.
    ai: OwnUserUsageAi


class OwnUser(_Record):
    #: Account.
    user: OwnUserUser
    #: Number of records of each kind.
    content: OwnUserContent
    #: Usage of the account.
    usage: OwnUserUsage


class ModelList(_Record):
    #: Type of the object, in OpenAI's terms.
    object: Literal["list"]
    #: Models.
    data: List[Model]


class ResponseInputItemList(_Record):
    #: Type of the object, in OpenAI's terms.
    object: Literal["list"]
    #: Input items.
    data: List[ConversationItem]
    #: Id of the first item of the page
    first_id: Optional[str]
    #: Id of the last item of the page, for `after`
    last_id: Optional[str]
    #: Whether items follow
    has_more: bool


class NewPromptInstruction(_Record):
    """Instructions: a static, a dynamic and a state part."""

    #: Part that is the same in each run.
    static: Optional[str] = None
    #: Part about the current state, which each run fills in.
    state: Optional[str] = None
    #: Part with variables, which each run fills in.
    dynamic: Optional[str] = None


class NewPromptInput(_Record):
    """Definition of the input."""

    #: Name.
    name: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Type.
    type: Optional[Union[str, List[str]]] = None
    #: Referenced records.
    reference: Optional[List[str]] = None
    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")


class NewPromptOutput(_Record):
    """Definition of the output."""

    #: Name.
    name: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Type.
    type: Optional[Union[str, List[str]]] = None
    #: Referenced records.
    reference: Optional[List[str]] = None
    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")


class NewPromptModelParameters(_Record):
    """Parameters of the calls of the model. They override the model's own defaults."""

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


class NewPromptMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Description of the change.
    log_message: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None


class NewPrompt(_Record):
    #: Instructions: a static, a dynamic and a state part.
    instruction: NewPromptInstruction
    #: Definition of the input.
    input: NewPromptInput
    #: Definition of the output.
    output: NewPromptOutput
    #: Parameters of the calls of the model. They override the model's own defaults.
    model_parameters: Optional[NewPromptModelParameters] = None
    #: Title, description, tags and times.
    metadata: NewPromptMetadata


class PromptChangesInstruction(_Record):
    """Instructions: a static, a dynamic and a state part."""

    #: Part that is the same in each run.
    static: Optional[str] = None
    #: Part about the current state, which each run fills in.
    state: Optional[str] = None
    #: Part with variables, which each run fills in.
    dynamic: Optional[str] = None


class PromptChangesInputReferenceItem2(_Record):
    #: Unique id, a UUID. It never changes.
    uuid: str
    #: URL of the record.
    link: str
    #: Type.
    type: Union[Literal["input", "output"], str]


class PromptChangesInput(_Record):
    """Definition of the input."""

    #: Name.
    name: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Type.
    type: Optional[Union[str, List[str]]] = None
    #: Referenced records.
    reference: Optional[List[Union[str, PromptChangesInputReferenceItem2]]] = None
    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")


class PromptChangesOutputReferenceItem2(_Record):
    #: Unique id, a UUID. It never changes.
    uuid: str
    #: URL of the record.
    link: str
    #: Type.
    type: Union[Literal["input", "output"], str]


class PromptChangesOutput(_Record):
    """Definition of the output."""

    #: Name.
    name: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Type.
    type: Optional[Union[str, List[str]]] = None
    #: Referenced records.
    reference: Optional[List[Union[str, PromptChangesOutputReferenceItem2]]] = None
    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")


class PromptChangesModelParameters(_Record):
    """Parameters of the calls of the model. They override the model's own defaults."""

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


class PromptChangesMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Description of the change.
    log_message: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int] = None


class PromptChanges(_Record):
    #: Instructions: a static, a dynamic and a state part.
    instruction: Optional[PromptChangesInstruction] = None
    #: Definition of the input.
    input: Optional[PromptChangesInput] = None
    #: Definition of the output.
    output: Optional[PromptChangesOutput] = None
    #: Parameters of the calls of the model. They override the model's own defaults.
    model_parameters: Optional[PromptChangesModelParameters] = None
    #: Title, description, tags and times.
    metadata: Optional[PromptChangesMetadata] = None


class RenderPromptRequest(_Record):
    #: Message of the user.
    message: Optional[str] = None
    #: Values of the variables. The input schema describes them.
    structured_data: Optional[Dict[str, Any]] = None
    #: Referenced records.
    reference: Optional[List[str]] = None
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int] = None
    #: Label of the version to use.
    label: Optional[str] = None


class MovePromptLabelRequest(_Record):
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Short reason.
    reason: Optional[str] = None
    #: Whether moving the label needs an admin and a reason.
    protected: Optional[bool] = None


class RunPromptRequestModelParameters(_Record):
    """Parameters of the calls of the model. They override the model's own defaults."""

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


class RunPromptRequest(_Record):
    #: Message of the user.
    message: Optional[str] = None
    #: Values of the variables. The input schema describes them.
    structured_data: Optional[Dict[str, Any]] = None
    #: Referenced records.
    reference: Optional[List[str]] = None
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int] = None
    #: Label of the version to use.
    label: Optional[str] = None
    #: Id of the conversation to continue.
    conversation: Optional[str] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: Parameters of the calls of the model. They override the model's own defaults.
    model_parameters: Optional[RunPromptRequestModelParameters] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None


class RenderDraftRequestInstruction(_Record):
    """Instructions: a static, a dynamic and a state part."""

    #: Part that is the same in each run.
    static: Optional[str] = None
    #: Part about the current state, which each run fills in.
    state: Optional[str] = None
    #: Part with variables, which each run fills in.
    dynamic: Optional[str] = None


class RenderDraftRequestInput(_Record):
    """Definition of the input."""

    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")
    #: Referenced records.
    reference: Optional[List[str]] = None


class RenderDraftRequestOutput(_Record):
    """Definition of the output."""

    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")
    #: Referenced records.
    reference: Optional[List[str]] = None


class RenderDraftRequest(_Record):
    #: Instructions: a static, a dynamic and a state part.
    instruction: RenderDraftRequestInstruction
    #: Definition of the input.
    input: Optional[RenderDraftRequestInput] = None
    #: Definition of the output.
    output: Optional[RenderDraftRequestOutput] = None
    #: Message of the user.
    message: Optional[str] = None
    #: Values of the variables. The input schema describes them.
    structured_data: Optional[Dict[str, Any]] = None


class RunDraftRequestInstruction(_Record):
    """Instructions: a static, a dynamic and a state part."""

    #: Part that is the same in each run.
    static: Optional[str] = None
    #: Part about the current state, which each run fills in.
    state: Optional[str] = None
    #: Part with variables, which each run fills in.
    dynamic: Optional[str] = None


class RunDraftRequestInput(_Record):
    """Definition of the input."""

    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")
    #: Referenced records.
    reference: Optional[List[str]] = None


class RunDraftRequestOutput(_Record):
    """Definition of the output."""

    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")
    #: Referenced records.
    reference: Optional[List[str]] = None


class RunDraftRequestModelParameters(_Record):
    """Parameters of the calls of the model. They override the model's own defaults."""

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


class RunDraftRequestHistoryItem(_Record):
    #: Role of the author.
    role: Union[Literal["user", "assistant"], str]
    #: Text.
    content: str


class RunDraftRequest(_Record):
    #: Instructions: a static, a dynamic and a state part.
    instruction: RunDraftRequestInstruction
    #: Definition of the input.
    input: Optional[RunDraftRequestInput] = None
    #: Definition of the output.
    output: Optional[RunDraftRequestOutput] = None
    #: Message of the user.
    message: Optional[str] = None
    #: Values of the variables. The input schema describes them.
    structured_data: Optional[Dict[str, Any]] = None
    #: Parameters of the calls of the model. They override the model's own defaults.
    model_parameters: Optional[RunDraftRequestModelParameters] = None
    #: Id of the prompt that the draft changes.
    prompt: Optional[str] = None
    #: Earlier messages, oldest first.
    history: Optional[List[RunDraftRequestHistoryItem]] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None


class NewChatCompletionMessagesItem1Content2Item(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str


class NewChatCompletionMessagesItem1(_Record):
    #: Role of the author.
    role: Union[Literal["system", "developer"], str]
    #: Text of the message, or its parts.
    content: Union[str, List[NewChatCompletionMessagesItem1Content2Item]]
    #: Name.
    name: Optional[str] = None


class NewChatCompletionMessagesItem2Content2Item1(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str


class NewChatCompletionMessagesItem2Content2Item2ImageUrl(_Record):
    """The image"""

    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    url: str
    #: Resolution at which the model reads the image.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class NewChatCompletionMessagesItem2Content2Item2(_Record):
    #: Type.
    type: Literal["image_url"]
    #: The image
    image_url: NewChatCompletionMessagesItem2Content2Item2ImageUrl


class NewChatCompletionMessagesItem2Content2Item3File(_Record):
    """The file."""

    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Id of a file.
    file_id: Optional[str] = None


class NewChatCompletionMessagesItem2Content2Item3(_Record):
    #: Type.
    type: Literal["file"]
    #: The file.
    file: NewChatCompletionMessagesItem2Content2Item3File


class NewChatCompletionMessagesItem2(_Record):
    #: Role of the author.
    role: Literal["user"]
    #: Text of the message, or its parts.
    content: Union[str, List[Union[NewChatCompletionMessagesItem2Content2Item1, NewChatCompletionMessagesItem2Content2Item2, NewChatCompletionMessagesItem2Content2Item3]]]
    #: Name.
    name: Optional[str] = None


class NewChatCompletionMessagesItem3Content2Item1(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str


class NewChatCompletionMessagesItem3Content2Item2(_Record):
    #: Type.
    type: Literal["refusal"]
    #: The model's refusal to answer.
    refusal: str


class NewChatCompletionMessagesItem3ToolCallsItemFunction(_Record):
    """Function to call, with its arguments."""

    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class NewChatCompletionMessagesItem3ToolCallsItem(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["function"]
    #: Function to call, with its arguments.
    function: NewChatCompletionMessagesItem3ToolCallsItemFunction


class NewChatCompletionMessagesItem3(_Record):
    #: Role of the author.
    role: Literal["assistant"]
    #: Text of the message, or its parts.
    content: Optional[Union[str, List[Union[NewChatCompletionMessagesItem3Content2Item1, NewChatCompletionMessagesItem3Content2Item2]]]] = None
    #: The model's refusal to answer.
    refusal: Optional[str] = None
    #: Name.
    name: Optional[str] = None
    #: Calls of tools.
    tool_calls: Optional[List[NewChatCompletionMessagesItem3ToolCallsItem]] = None
    #: Not supported: leave it out.
    audio: Any = None
    #: Not supported: leave it out.
    function_call: Any = None


class NewChatCompletionMessagesItem4Content2Item1(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str


class NewChatCompletionMessagesItem4Content2Item2ImageUrl(_Record):
    """The image"""

    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    url: str
    #: Resolution at which the model reads the image.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class NewChatCompletionMessagesItem4Content2Item2(_Record):
    #: Type.
    type: Literal["image_url"]
    #: The image
    image_url: NewChatCompletionMessagesItem4Content2Item2ImageUrl


class NewChatCompletionMessagesItem4Content2Item3File(_Record):
    """The file."""

    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Id of a file.
    file_id: Optional[str] = None


class NewChatCompletionMessagesItem4Content2Item3(_Record):
    #: Type.
    type: Literal["file"]
    #: The file.
    file: NewChatCompletionMessagesItem4Content2Item3File


class NewChatCompletionMessagesItem4(_Record):
    #: Role of the author.
    role: Literal["tool"]
    #: Text of the message, or its parts.
    content: Union[str, List[Union[NewChatCompletionMessagesItem4Content2Item1, NewChatCompletionMessagesItem4Content2Item2, NewChatCompletionMessagesItem4Content2Item3]]]
    #: Id of the call to which the output belongs.
    tool_call_id: str


class NewChatCompletionToolsItemFunction(_Record):
    """Function that the model may call."""

    #: Name.
    name: str
    #: Description, as free text.
    description: Optional[str] = None
    #: JSON Schema of the arguments.
    parameters: Optional[Dict[str, Any]] = None
    #: Whether the output must match the schema exactly.
    strict: Optional[bool] = None


class NewChatCompletionToolsItem(_Record):
    #: Type.
    type: Literal["function"]
    #: Function that the model may call.
    function: NewChatCompletionToolsItemFunction


class NewChatCompletionToolChoice2Function(_Record):
    """Function that the model may call."""

    #: Name.
    name: str


class NewChatCompletionToolChoice2(_Record):
    #: Type.
    type: Literal["function"]
    #: Function that the model may call.
    function: NewChatCompletionToolChoice2Function


class NewChatCompletionResponseFormat1(_Record):
    #: Type.
    type: Literal["text"]


class NewChatCompletionResponseFormat2(_Record):
    #: Type.
    type: Literal["json_object"]


class NewChatCompletionResponseFormat3JsonSchema(_Record):
    """Name and JSON Schema of the answer."""

    #: Name.
    name: str
    #: JSON Schema of the data.
    schema_: Dict[str, Any] = Field(alias="schema")
    #: Whether the output must match the schema exactly.
    strict: Optional[bool] = None
    #: Description, as free text.
    description: Optional[str] = None


class NewChatCompletionResponseFormat3(_Record):
    #: Type.
    type: Literal["json_schema"]
    #: Name and JSON Schema of the answer.
    json_schema: NewChatCompletionResponseFormat3JsonSchema


class NewChatCompletionStreamOptions(_Record):
    #: Whether the last chunk of the stream reports the usage.
    include_usage: Optional[bool] = None
    #: Not supported: leave it out.
    include_obfuscation: Any = None


class NewChatCompletion(_Record):
    #: `agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, or a configured model; the default model when left out
    model: Optional[str] = None
    #: Messages, oldest first.
    messages: List[Union[NewChatCompletionMessagesItem1, NewChatCompletionMessagesItem2, NewChatCompletionMessagesItem3, NewChatCompletionMessagesItem4]]
    #: Tools.
    tools: Optional[List[NewChatCompletionToolsItem]] = None
    #: Whether the model may call tools.
    tool_choice: Optional[Union[Union[Literal["auto", "none", "required"], str], NewChatCompletionToolChoice2]] = None
    #: Whether the model may call several tools at once.
    parallel_tool_calls: Optional[bool] = None
    #: Format of the answer.
    response_format: Optional[Union[NewChatCompletionResponseFormat1, NewChatCompletionResponseFormat2, NewChatCompletionResponseFormat3]] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None
    #: Settings of the stream.
    stream_options: Optional[NewChatCompletionStreamOptions] = None
    #: Maximum number of output tokens. Use `max_completion_tokens` instead.
    max_tokens: Optional[int] = None
    #: Maximum number of output tokens.
    max_completion_tokens: Optional[int] = None
    #: Randomness of the answer; null: the default of the model.
    temperature: Optional[float] = None
    #: Share of the most likely tokens to consider; null: the default of the model.
    top_p: Optional[float] = None
    #: Texts at which the model stops.
    stop: Optional[Union[str, List[str]]] = None
    #: Seed for repeatable answers, if the model server supports it.
    seed: Optional[int] = None
    #: Penalty for repeated words.
    frequency_penalty: Optional[float] = None
    #: Penalty for repeated subjects.
    presence_penalty: Optional[float] = None
    #: How much the model reasons before it answers.
    reasoning_effort: Optional[Union[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"], str]] = None
    #: Length of the answer.
    verbosity: Optional[Union[Literal["low", "medium", "high"], str]] = None
    #: false: the run keeps no content
    store: Optional[bool] = None
    #: Key-value pairs of your own.
    metadata: Optional[Dict[str, str]] = None
    #: Id of your end user, passed to the model server.
    user: Optional[str] = None
    #: Id of your end user, passed to the model server; null: none.
    safety_identifier: Optional[str] = None
    #: Cache key for the model server; null: none.
    prompt_cache_key: Optional[str] = None
    #: Not supported: leave it out.
    audio: Any = None
    #: Not supported: leave it out.
    function_call: Any = None
    #: Not supported: leave it out.
    functions: Any = None
    #: Not supported: leave it out.
    logit_bias: Any = None
    #: Not supported: false or null.
    logprobs: Any = None
    #: Kinds of output: text.
    modalities: Any = None
    #: Not supported: leave it out.
    moderation: Any = None
    #: Number of answers; only 1 is supported.
    n: Any = None
    #: Not supported: leave it out.
    prediction: Any = None
    #: Not supported: leave it out.
    prompt_cache_options: Any = None
    #: Not supported: leave it out.
    prompt_cache_retention: Any = None
    #: Not supported: leave it out.
    service_tier: Any = None
    #: Not supported: leave it out.
    top_logprobs: Any = None
    #: Not supported: leave it out.
    web_search_options: Any = None


class NewMessageMessagesItem1Content2Item1CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item1(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item1CacheControl] = None
    #: Not supported
    citations: Any = None


class NewMessageMessagesItem1Content2Item2Source1(_Record):
    #: Type.
    type: Literal["base64"]
    #: Type of the image
    media_type: Union[Literal["image/jpeg", "image/png", "image/gif", "image/webp"], str]
    #: The image in base64
    data: str


class NewMessageMessagesItem1Content2Item2Source2(_Record):
    #: Type.
    type: Literal["url"]
    #: An https address, for models with `image_urls`
    url: str


class NewMessageMessagesItem1Content2Item2CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item2(_Record):
    #: Type.
    type: Literal["image"]
    #: Data or URL of the image or document.
    source: Union[NewMessageMessagesItem1Content2Item2Source1, NewMessageMessagesItem1Content2Item2Source2]
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item2CacheControl] = None


class NewMessageMessagesItem1Content2Item3Source1(_Record):
    #: Type.
    type: Literal["text"]
    #: Always text/plain
    media_type: Literal["text/plain"]
    #: The text
    data: str


class NewMessageMessagesItem1Content2Item3Source2(_Record):
    #: Type.
    type: Literal["base64"]
    #: Always application/pdf
    media_type: Literal["application/pdf"]
    #: The document in base64: the model reads its text
    data: str


class NewMessageMessagesItem1Content2Item3CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item3(_Record):
    #: Type.
    type: Literal["document"]
    #: Data or URL of the image or document.
    source: Union[NewMessageMessagesItem1Content2Item3Source1, NewMessageMessagesItem1Content2Item3Source2]
    #: Name of the document
    title: Optional[str] = None
    #: What the document is, before its text
    context: Optional[str] = None
    #: Not supported
    citations: Any = None
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item3CacheControl] = None


class NewMessageMessagesItem1Content2Item4Content2Item1CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item4Content2Item1(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item4Content2Item1CacheControl] = None
    #: Not supported
    citations: Any = None


class NewMessageMessagesItem1Content2Item4Content2Item2Source1(_Record):
    #: Type.
    type: Literal["base64"]
    #: Type of the image
    media_type: Union[Literal["image/jpeg", "image/png", "image/gif", "image/webp"], str]
    #: The image in base64
    data: str


class NewMessageMessagesItem1Content2Item4Content2Item2Source2(_Record):
    #: Type.
    type: Literal["url"]
    #: An https address, for models with `image_urls`
    url: str


class NewMessageMessagesItem1Content2Item4Content2Item2CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item4Content2Item2(_Record):
    #: Type.
    type: Literal["image"]
    #: Data or URL of the image or document.
    source: Union[NewMessageMessagesItem1Content2Item4Content2Item2Source1, NewMessageMessagesItem1Content2Item4Content2Item2Source2]
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item4Content2Item2CacheControl] = None


class NewMessageMessagesItem1Content2Item4Content2Item3Source1(_Record):
    #: Type.
    type: Literal["text"]
    #: Always text/plain
    media_type: Literal["text/plain"]
    #: The text
    data: str


class NewMessageMessagesItem1Content2Item4Content2Item3Source2(_Record):
    #: Type.
    type: Literal["base64"]
    #: Always application/pdf
    media_type: Literal["application/pdf"]
    #: The document in base64: the model reads its text
    data: str


class NewMessageMessagesItem1Content2Item4Content2Item3CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item4Content2Item3(_Record):
    #: Type.
    type: Literal["document"]
    #: Data or URL of the image or document.
    source: Union[NewMessageMessagesItem1Content2Item4Content2Item3Source1, NewMessageMessagesItem1Content2Item4Content2Item3Source2]
    #: Name of the document
    title: Optional[str] = None
    #: What the document is, before its text
    context: Optional[str] = None
    #: Not supported
    citations: Any = None
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item4Content2Item3CacheControl] = None


class NewMessageMessagesItem1Content2Item4CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item4(_Record):
    #: Type.
    type: Literal["tool_result"]
    #: Id of the call
    tool_use_id: str
    #: Text.
    content: Optional[Union[str, List[Union[NewMessageMessagesItem1Content2Item4Content2Item1, NewMessageMessagesItem1Content2Item4Content2Item2, NewMessageMessagesItem1Content2Item4Content2Item3]]]] = None
    #: Whether the tool failed: the model reads `Error:` before the content
    is_error: Optional[bool] = None
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item4CacheControl] = None


class NewMessageMessagesItem1(_Record):
    #: Role of the author.
    role: Literal["user"]
    #: Text of the message, or its parts.
    content: Union[str, List[Union[NewMessageMessagesItem1Content2Item1, NewMessageMessagesItem1Content2Item2, NewMessageMessagesItem1Content2Item3, NewMessageMessagesItem1Content2Item4]]]


class NewMessageMessagesItem2Content2Item1CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem2Content2Item1(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem2Content2Item1CacheControl] = None
    #: Not supported
    citations: Any = None


class NewMessageMessagesItem2Content2Item2CacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageMessagesItem2Content2Item2(_Record):
    #: Type.
    type: Literal["tool_use"]
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    input: Dict[str, Any]
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem2Content2Item2CacheControl] = None


class NewMessageMessagesItem2(_Record):
    #: Role of the author.
    role: Literal["assistant"]
    #: Text of the message, or its parts.
    content: Union[str, List[Union[NewMessageMessagesItem2Content2Item1, NewMessageMessagesItem2Content2Item2]]]


class NewMessageSystem2ItemCacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageSystem2Item(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str
    #: Has no effect on the answer
    cache_control: Optional[NewMessageSystem2ItemCacheControl] = None
    #: Not supported
    citations: Any = None


class NewMessageToolsItemCacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessageToolsItem(_Record):
    #: Only `custom`, which is the default
    type: Optional[Literal["custom"]] = None
    #: Name.
    name: str
    #: Description, as free text.
    description: Optional[str] = None
    #: JSON Schema of the arguments
    input_schema: Dict[str, Any]
    #: Whether the output must match the schema exactly.
    strict: Optional[bool] = None
    #: Has no effect on the answer
    cache_control: Optional[NewMessageToolsItemCacheControl] = None


class NewMessageToolChoice1(_Record):
    #: Type.
    type: Union[Literal["auto", "any"], str]
    #: Whether an answer has at most one call
    disable_parallel_tool_use: Optional[bool] = None


class NewMessageToolChoice2(_Record):
    #: Type.
    type: Literal["none"]


class NewMessageToolChoice3(_Record):
    #: Type.
    type: Literal["tool"]
    #: Name.
    name: str
    #: Whether an answer has at most one call
    disable_parallel_tool_use: Optional[bool] = None


class NewMessageOutputConfigFormat(_Record):
    #: Type.
    type: Literal["json_schema"]
    #: JSON Schema of the data.
    schema_: Dict[str, Any] = Field(alias="schema")


class NewMessageOutputConfig(_Record):
    #: How much the model thinks
    effort: Optional[Union[Literal["low", "medium", "high", "xhigh", "max"], str]] = None
    #: Format of the output.
    format: Optional[NewMessageOutputConfigFormat] = None


class NewMessageMetadata(_Record):
    #: Id of an account.
    user_id: Optional[str] = None


class NewMessageCacheControl(_Record):
    #: Type.
    type: Literal["ephemeral"]


class NewMessage(_Record):
    #: `agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, or a configured model
    model: str
    #: Limit of the answer in tokens; an agent has its own
    max_tokens: int
    #: Messages, oldest first.
    messages: List[Union[NewMessageMessagesItem1, NewMessageMessagesItem2]]
    #: Instructions before the messages
    system: Optional[Union[str, List[NewMessageSystem2Item]]] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None
    #: Randomness of the answer; null: the default of the model.
    temperature: Optional[float] = None
    #: Share of the most likely tokens to consider; null: the default of the model.
    top_p: Optional[float] = None
    #: Texts that end the answer, at most 4
    stop_sequences: Optional[List[str]] = None
    #: Tools.
    tools: Optional[List[NewMessageToolsItem]] = None
    #: Whether the model may call tools.
    tool_choice: Optional[Union[NewMessageToolChoice1, NewMessageToolChoice2, NewMessageToolChoice3]] = None
    #: The form of the answer, and how much the model thinks
    output_config: Optional[NewMessageOutputConfig] = None
    #: Id of your end user.
    metadata: Optional[NewMessageMetadata] = None
    #: Has no effect on the answer
    cache_control: Optional[NewMessageCacheControl] = None
    #: Not supported
    container: Any = None
    #: Not supported
    context_management: Any = None
    #: Not supported
    inference_geo: Any = None
    #: Not supported
    mcp_servers: Any = None
    #: Not supported
    output_format: Any = None
    #: Not supported: leave it out.
    service_tier: Any = None
    #: Only `disabled`
    thinking: Any = None
    #: Not supported
    top_k: Any = None


class NewEmbeddings(_Record):
    #: A configured model that makes embeddings
    model: str
    #: Lists of tokens are not supported
    input: Union[str, List[str]]
    #: Length of the vectors, for models that can shorten them
    dimensions: Optional[int] = None
    #: base64: the 32-bit floats of a vector, little-endian; `float` by default
    encoding_format: Optional[Union[Literal["float", "base64"], str]] = None
    #: Id of your end user, passed to the model server.
    user: Optional[str] = None


class NewResponsePromptVariablesValue2(_Record):
    #: Type.
    type: Literal["input_text"]
    #: Text.
    text: str


class NewResponsePrompt(_Record):
    #: Unique id. It never changes.
    id: str
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[str] = None
    #: Values of the variables, by name.
    variables: Optional[Dict[str, Union[str, NewResponsePromptVariablesValue2]]] = None


class NewResponseInput2Item1Content2Item1(_Record):
    #: Type.
    type: Union[Literal["input_text", "output_text"], str]
    #: Text.
    text: str


class NewResponseInput2Item1Content2Item2(_Record):
    #: Type.
    type: Literal["refusal"]
    #: The model's refusal to answer.
    refusal: str


class NewResponseInput2Item1Content2Item3(_Record):
    #: Type.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Resolution at which the model reads the image.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class NewResponseInput2Item1Content2Item4(_Record):
    #: Type.
    type: Literal["input_file"]
    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Not supported: addresses are not fetched
    file_url: Optional[str] = None


class NewResponseInput2Item1(_Record):
    #: Type.
    type: Optional[Literal["message"]] = None
    #: Role of the author.
    role: Union[Literal["user", "assistant", "system", "developer"], str]
    #: Text of the message, or its parts.
    content: Union[str, List[Union[NewResponseInput2Item1Content2Item1, NewResponseInput2Item1Content2Item2, NewResponseInput2Item1Content2Item3, NewResponseInput2Item1Content2Item4]]]


class NewResponseInput2Item2(_Record):
    #: Type.
    type: Literal["function_call"]
    #: Id of the tool call.
    call_id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class NewResponseInput2Item3Output2Item1(_Record):
    #: Type.
    type: Union[Literal["input_text", "output_text"], str]
    #: Text.
    text: str


class NewResponseInput2Item3Output2Item2(_Record):
    #: Type.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Resolution at which the model reads the image.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class NewResponseInput2Item3Output2Item3(_Record):
    #: Type.
    type: Literal["input_file"]
    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Not supported: addresses are not fetched
    file_url: Optional[str] = None


class NewResponseInput2Item3(_Record):
    #: Type.
    type: Literal["function_call_output"]
    #: Id of the tool call.
    call_id: str
    #: Output of the call.
    output: Union[str, List[Union[NewResponseInput2Item3Output2Item1, NewResponseInput2Item3Output2Item2, NewResponseInput2Item3Output2Item3]]]


class NewResponseInput2Item4(_Record):
    #: Type.
    type: Literal["mcp_approval_response"]
    #: Id of the `mcp_approval_request`
    approval_request_id: str
    #: false: the call is refused, and the run goes on without it
    approve: bool
    #: Reason that the model reads when the call is refused
    reason: Optional[str] = None
    #: Unique id. It never changes.
    id: Optional[str] = None


class NewResponseInput2Item5(_Record):
    #: Type.
    type: Optional[Literal["item_reference"]] = None
    #: Unique id. It never changes.
    id: str


class NewResponseConversation2(_Record):
    #: Unique id. It never changes.
    id: str


class NewResponseTextFormat1(_Record):
    #: Type.
    type: Literal["text"]


class NewResponseTextFormat2(_Record):
    #: Type.
    type: Literal["json_object"]


class NewResponseTextFormat3(_Record):
    #: Name.
    name: str
    #: JSON Schema of the data.
    schema_: Dict[str, Any] = Field(alias="schema")
    #: Whether the output must match the schema exactly.
    strict: Optional[bool] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Type.
    type: Literal["json_schema"]


class NewResponseText(_Record):
    #: Format of the output.
    format: Optional[Union[NewResponseTextFormat1, NewResponseTextFormat2, NewResponseTextFormat3]] = None
    #: Length of the answer.
    verbosity: Optional[Union[Literal["low", "medium", "high"], str]] = None


class NewResponseToolChoice2(_Record):
    #: Type.
    type: Literal["function"]
    #: Name.
    name: str


class NewResponseToolsItem1(_Record):
    #: Type.
    type: Literal["function"]
    #: Name.
    name: str
    #: Description, as free text.
    description: Optional[str] = None
    #: JSON Schema of the arguments.
    parameters: Optional[Dict[str, Any]] = None
    #: Whether the output must match the schema exactly.
    strict: Optional[bool] = None


class NewResponseToolsItem2AllowedTools2(_Record):
    #: Names of tools as the server lists them
    tool_names: Optional[List[str]] = None
    #: Not supported
    read_only: Any = None


class NewResponseToolsItem2RequireApproval2Always(_Record):
    #: Names of tools as the server lists them
    tool_names: Optional[List[str]] = None
    #: Not supported
    read_only: Any = None


class NewResponseToolsItem2RequireApproval2Never(_Record):
    #: Names of tools as the server lists them
    tool_names: Optional[List[str]] = None
    #: Not supported
    read_only: Any = None


class NewResponseToolsItem2RequireApproval2(_Record):
    #: Tools whose calls wait for a decision, as those of neither list do
    always: Optional[NewResponseToolsItem2RequireApproval2Always] = None
    #: Tools whose calls wait only where the rules of the project say so
    never: Optional[NewResponseToolsItem2RequireApproval2Never] = None


class NewResponseToolsItem2(_Record):
    #: Type.
    type: Literal["mcp"]
    #: Slug of a registered MCP server of the project; `platform`: the clock and the calculator of this installation
    server_label: str
    #: The tools that the model may call; all that the server has and the credential allows by default
    allowed_tools: Optional[Union[List[str], NewResponseToolsItem2AllowedTools2]] = None
    #: Which calls wait for a decision; `always` by default. It makes the rules of the project stricter, never looser: a tool whose rule is `ask` or `deny` keeps it with `never`
    require_approval: Optional[Union[Union[Literal["always", "never"], str], NewResponseToolsItem2RequireApproval2]] = None
    #: Not supported: the descriptions of the tools are sent
    server_description: Any = None
    #: Not supported: the MCP server is registered in the project
    server_url: Any = None
    #: Not supported: the MCP server is registered in the project
    connector_id: Any = None
    #: Not supported: the MCP server is registered in the project
    authorization: Any = None
    #: Not supported: the MCP server is registered in the project
    headers: Any = None


class NewResponseReasoning(_Record):
    #: How much the model reasons before it answers.
    effort: Optional[Union[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"], str]] = None
    #: Not supported: leave it out.
    context: Any = None
    #: Only `standard`
    mode: Any = None
    #: Not supported: leave it out.
    summary: Any = None
    #: Not supported: leave it out.
    generate_summary: Any = None


class NewResponse(_Record):
    #: Prompt to run: its id, version and variables.
    prompt: Optional[NewResponsePrompt] = None
    #: Input of the model: a text or a list of items.
    input: Optional[Union[str, List[Union[NewResponseInput2Item1, NewResponseInput2Item2, NewResponseInput2Item3, NewResponseInput2Item4, NewResponseInput2Item5]]]] = None
    #: System instructions for the model.
    instructions: Optional[str] = None
    #: Id of the response that this one continues; null: none.
    previous_response_id: Optional[str] = None
    #: Conversation to continue.
    conversation: Optional[Union[str, NewResponseConversation2]] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: Maximum number of output tokens; null: the limit of the model.
    max_output_tokens: Optional[int] = None
    #: Randomness of the answer; null: the default of the model.
    temperature: Optional[float] = None
    #: Settings of the text output.
    text: Optional[NewResponseText] = None
    #: What to do when the input is too long.
    truncation: Optional[Union[Literal["auto", "disabled"], str]] = None
    #: Whether to store the response.
    store: Optional[bool] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None
    #: Key-value pairs of your own.
    metadata: Optional[Dict[str, str]] = None
    #: Id of your end user, passed to the model server.
    user: Optional[str] = None
    #: Id of your end user, passed to the model server; null: none.
    safety_identifier: Optional[str] = None
    #: Cache key for the model server; null: none.
    prompt_cache_key: Optional[str] = None
    #: Whether the model may call several tools at once.
    parallel_tool_calls: Optional[bool] = None
    #: Whether the model may call tools.
    tool_choice: Optional[Union[Union[Literal["auto", "none", "required"], str], NewResponseToolChoice2]] = None
    #: Tools.
    tools: Optional[List[Union[NewResponseToolsItem1, NewResponseToolsItem2]]] = None
    #: Share of the most likely tokens to consider; null: the default of the model.
    top_p: Optional[float] = None
    #: Settings of the reasoning.
    reasoning: Optional[NewResponseReasoning] = None
    #: Not supported: leave it out.
    access_programs: Any = None
    #: Whether to create the response in the background.
    background: Optional[bool] = None
    #: Not supported: leave it out.
    context_management: Any = None
    #: Not supported: leave it out.
    image: Any = None
    #: Additional parts of the response.
    include: Optional[List[Union[Literal["code_interpreter_call.outputs", "computer_call_output.output.image_url", "file_search_call.results", "message.input_image.image_url", "reasoning.encrypted_content", "web_search_call.action.sources", "web_search_call.results"], str]]] = None
    #: Not supported: leave it out.
    max_tool_calls: Any = None
    #: Not supported: leave it out.
    moderation: Any = None
    #: Not supported: leave it out.
    prompt_cache_options: Any = None
    #: Not supported: leave it out.
    prompt_cache_retention: Any = None
    #: Not supported: leave it out.
    service_tier: Any = None
    #: Settings of the stream.
    stream_options: Any = None
    #: Not supported: leave it out.
    top_logprobs: Any = None


class NewConversationMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Description of the change.
    log_message: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None


class NewConversation(_Record):
    #: Title, description, tags and times.
    metadata: NewConversationMetadata


class ConversationChangesMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Description of the change.
    log_message: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int] = None


class ConversationChanges(_Record):
    #: Title, description, tags and times.
    metadata: Optional[ConversationChangesMetadata] = None


class StartConversationRequestItemsItem1Content2Item1(_Record):
    #: Type.
    type: Union[Literal["input_text", "output_text"], str]
    #: Text.
    text: str


class StartConversationRequestItemsItem1Content2Item2(_Record):
    #: Type.
    type: Literal["refusal"]
    #: The model's refusal to answer.
    refusal: str


class StartConversationRequestItemsItem1Content2Item3(_Record):
    #: Type.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Resolution at which the model reads the image.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class StartConversationRequestItemsItem1Content2Item4(_Record):
    #: Type.
    type: Literal["input_file"]
    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Not supported: addresses are not fetched
    file_url: Optional[str] = None


class StartConversationRequestItemsItem1(_Record):
    #: Type.
    type: Optional[Literal["message"]] = None
    #: Role of the author.
    role: Union[Literal["user", "assistant", "system", "developer"], str]
    #: Text of the message, or its parts.
    content: Union[str, List[Union[StartConversationRequestItemsItem1Content2Item1, StartConversationRequestItemsItem1Content2Item2, StartConversationRequestItemsItem1Content2Item3, StartConversationRequestItemsItem1Content2Item4]]]


class StartConversationRequestItemsItem2(_Record):
    #: Type.
    type: Literal["function_call"]
    #: Id of the tool call.
    call_id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class StartConversationRequestItemsItem3Output2Item1(_Record):
    #: Type.
    type: Union[Literal["input_text", "output_text"], str]
    #: Text.
    text: str


class StartConversationRequestItemsItem3Output2Item2(_Record):
    #: Type.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Resolution at which the model reads the image.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class StartConversationRequestItemsItem3Output2Item3(_Record):
    #: Type.
    type: Literal["input_file"]
    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Not supported: addresses are not fetched
    file_url: Optional[str] = None


class StartConversationRequestItemsItem3(_Record):
    #: Type.
    type: Literal["function_call_output"]
    #: Id of the tool call.
    call_id: str
    #: Output of the call.
    output: Union[str, List[Union[StartConversationRequestItemsItem3Output2Item1, StartConversationRequestItemsItem3Output2Item2, StartConversationRequestItemsItem3Output2Item3]]]


class StartConversationRequest(_Record):
    #: First messages and calls of functions, at most 20
    items: Optional[List[Union[StartConversationRequestItemsItem1, StartConversationRequestItemsItem2, StartConversationRequestItemsItem3]]] = None
    #: The client's own pairs, at most 16
    metadata: Optional[Dict[str, str]] = None


class ChangeConversationRequest(_Record):
    #: Replaces the pairs, at most 16; a name has 64 characters, a value 512
    metadata: Dict[str, str]


class AddConversationItemsRequestItemsItem1Content2Item1(_Record):
    #: Type.
    type: Union[Literal["input_text", "output_text"], str]
    #: Text.
    text: str


class AddConversationItemsRequestItemsItem1Content2Item2(_Record):
    #: Type.
    type: Literal["refusal"]
    #: The model's refusal to answer.
    refusal: str


class AddConversationItemsRequestItemsItem1Content2Item3(_Record):
    #: Type.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Resolution at which the model reads the image.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class AddConversationItemsRequestItemsItem1Content2Item4(_Record):
    #: Type.
    type: Literal["input_file"]
    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Not supported: addresses are not fetched
    file_url: Optional[str] = None


class AddConversationItemsRequestItemsItem1(_Record):
    #: Type.
    type: Optional[Literal["message"]] = None
    #: Role of the author.
    role: Union[Literal["user", "assistant", "system", "developer"], str]
    #: Text of the message, or its parts.
    content: Union[str, List[Union[AddConversationItemsRequestItemsItem1Content2Item1, AddConversationItemsRequestItemsItem1Content2Item2, AddConversationItemsRequestItemsItem1Content2Item3, AddConversationItemsRequestItemsItem1Content2Item4]]]


class AddConversationItemsRequestItemsItem2(_Record):
    #: Type.
    type: Literal["function_call"]
    #: Id of the tool call.
    call_id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class AddConversationItemsRequestItemsItem3Output2Item1(_Record):
    #: Type.
    type: Union[Literal["input_text", "output_text"], str]
    #: Text.
    text: str


class AddConversationItemsRequestItemsItem3Output2Item2(_Record):
    #: Type.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Resolution at which the model reads the image.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class AddConversationItemsRequestItemsItem3Output2Item3(_Record):
    #: Type.
    type: Literal["input_file"]
    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Not supported: addresses are not fetched
    file_url: Optional[str] = None


class AddConversationItemsRequestItemsItem3(_Record):
    #: Type.
    type: Literal["function_call_output"]
    #: Id of the tool call.
    call_id: str
    #: Output of the call.
    output: Union[str, List[Union[AddConversationItemsRequestItemsItem3Output2Item1, AddConversationItemsRequestItemsItem3Output2Item2, AddConversationItemsRequestItemsItem3Output2Item3]]]


class AddConversationItemsRequest(_Record):
    #: Messages and calls of functions, 1 to 20
    items: List[Union[AddConversationItemsRequestItemsItem1, AddConversationItemsRequestItemsItem2, AddConversationItemsRequestItemsItem3]]


class NewAgentMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: str
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published"], str]] = None


class NewAgent(_Record):
    #: Text.
    content: str
    #: Text in front of the content.
    prefix: Optional[str] = None
    #: Title, description, tags and times.
    metadata: NewAgentMetadata


class AgentChangesMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published"], str]] = None
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int] = None


class AgentChanges(_Record):
    #: Text.
    content: Optional[str] = None
    #: Title, description, tags and times.
    metadata: Optional[AgentChangesMetadata] = None


class NewArtifactMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Description of the change.
    log_message: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None


class NewArtifact(_Record):
    #: Text.
    content: str
    #: Title, description, tags and times.
    metadata: NewArtifactMetadata


class ArtifactChangesMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Description of the change.
    log_message: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int] = None


class ArtifactChanges(_Record):
    #: Text.
    content: Optional[str] = None
    #: Title, description, tags and times.
    metadata: Optional[ArtifactChangesMetadata] = None


class NewBlockMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Description of the change.
    log_message: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None


class NewBlock(_Record):
    #: Text in front of the content.
    prefix: str
    #: Text.
    content: Optional[str] = None
    #: Title, description, tags and times.
    metadata: NewBlockMetadata


class BlockChangesMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: Optional[str] = None
    #: Description, as free text.
    description: Optional[str] = None
    #: Tags.
    tag: Optional[List[str]] = None
    #: Description of the change.
    log_message: Optional[str] = None
    #: Status.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None
    #: Version number. Each change increases it. It is also the ETag.
    version: Optional[int] = None


class BlockChanges(_Record):
    #: Text in front of the content.
    prefix: Optional[str] = None
    #: Text.
    content: Optional[str] = None
    #: Title, description, tags and times.
    metadata: Optional[BlockChangesMetadata] = None


class MakeChangesRequestChangesItem11(_Record):
    #: Kind.
    kind: Literal["block"]
    #: Action.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewBlock = Field(alias="fields")


class MakeChangesRequestChangesItem12(_Record):
    #: Kind.
    kind: Literal["block"]
    #: Action.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: BlockChanges = Field(alias="fields")


class MakeChangesRequestChangesItem13(_Record):
    #: Kind.
    kind: Literal["block"]
    #: Action.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequestChangesItem21(_Record):
    #: Kind.
    kind: Literal["prompt"]
    #: Action.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewPrompt = Field(alias="fields")


class MakeChangesRequestChangesItem22(_Record):
    #: Kind.
    kind: Literal["prompt"]
    #: Action.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: PromptChanges = Field(alias="fields")


class MakeChangesRequestChangesItem23(_Record):
    #: Kind.
    kind: Literal["prompt"]
    #: Action.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequest(_Record):
    #: Changes.
    changes: List[Union[Union[MakeChangesRequestChangesItem11, MakeChangesRequestChangesItem12, MakeChangesRequestChangesItem13], Union[MakeChangesRequestChangesItem21, MakeChangesRequestChangesItem22, MakeChangesRequestChangesItem23]]]


class OwnUserChangesUser(_Record):
    """Account."""

    #: Name.
    name: Optional[str] = None


class OwnUserChanges(_Record):
    #: Account.
    user: Optional[OwnUserChangesUser] = None


class RenderPromptAnswerDataTokenCounts(_Record):
    """Tokens of each part."""

    #: Tokens of the static part.
    static: int
    #: Tokens of the dynamic part.
    dynamic: int
    #: Tokens of the state part.
    state: int


class RenderPromptAnswerData(_Record):
    """The rendered prompt."""

    #: Rendered static part.
    static: str
    #: Rendered dynamic part.
    dynamic: str
    #: Rendered state part.
    state: str
    #: JSON Schema of the output.
    output_schema: Dict[str, Any]
    #: Names of the replaced variables.
    parsed_tokens: List[str]
    #: Tokens of each part.
    token_counts: RenderPromptAnswerDataTokenCounts
    #: Prompt.
    prompt: Prompt


class RenderPromptAnswer(_Record):
    #: Whether it succeeded.
    success: bool
    #: The rendered prompt.
    data: RenderPromptAnswerData
    #: Warnings about input that is missing or was not used.
    warnings: List[str]


class DiffPromptVersionsAnswerChangesItemLinesItem(_Record):
    #: Kind.
    kind: Union[Literal["same", "added", "removed"], str]
    #: Text.
    text: str


class DiffPromptVersionsAnswerChangesItem(_Record):
    #: Path of the field.
    path: str
    #: The earlier value.
    from_: Any = Field(alias="from")
    #: The later value.
    to: Any
    #: Lines of the text, each marked as same, added or removed.
    lines: Optional[List[DiffPromptVersionsAnswerChangesItemLinesItem]] = None


class DiffPromptVersionsAnswer(_Record):
    #: Id of the prompt.
    prompt: str
    #: Number of the earlier version.
    from_: int = Field(alias="from")
    #: Number of the later version.
    to: int
    #: Changes.
    changes: List[DiffPromptVersionsAnswerChangesItem]


class MovePromptLabelAnswer(_Record):
    #: Name.
    name: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Whether moving the label needs an admin and a reason.
    protected: bool
    #: Id of the prompt.
    prompt: str
    #: Time of the last change, in UTC.
    updated: str
    #: Name of the author.
    author: str
    #: URL of the record.
    link: str = Field(alias="_link")


class RunPromptAnswerDataMessageReferenceItem(_Record):
    #: Unique id, a UUID. It never changes.
    uuid: str
    #: URL of the record.
    link: str
    #: Type.
    type: str


class RunPromptAnswerDataMessageMetadata(_Record):
    """Title, description, tags and times."""

    #: Title to display.
    title: str
    #: Description, as free text.
    description: str
    #: Tags.
    tag: List[str]
    #: Description of the change.
    log_message: str
    #: Time of creation, in UTC.
    created: str
    #: Time of the last change, in UTC.
    updated: str
    #: Version number. Each change increases it. It is also the ETag.
    version: int
    #: Status.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class RunPromptAnswerDataMessage(_Record):
    """Message that answers the prompt."""

    #: Unique id. It never changes.
    id: str
    #: Role of the author.
    role: Union[Literal["system", "user", "assistant", "tool"], str]
    #: Text of the message, or its parts.
    content: str
    #: Referenced records.
    reference: List[RunPromptAnswerDataMessageReferenceItem]
    #: Name of a language model.
    model: str
    #: Title, description, tags and times.
    metadata: RunPromptAnswerDataMessageMetadata


class RunPromptAnswerData(_Record):
    """Result of the run."""

    #: Message that answers the prompt.
    message: RunPromptAnswerDataMessage
    #: Conversation.
    conversation: Conversation
    #: Output as JSON. The output schema describes it.
    structured_data: Dict[str, Any]


class RunPromptAnswerMetadataUsagePromptTokensDetails(_Record):
    """Tokens of the input, by kind."""

    #: Input tokens from the cache of the model server.
    cached_tokens: int


class RunPromptAnswerMetadataUsageCompletionTokensDetails(_Record):
    """Tokens of the output, by kind."""

    #: Output tokens of the reasoning.
    reasoning_tokens: int


class RunPromptAnswerMetadataUsage(_Record):
    """Tokens that were used."""

    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of the output; null: unknown.
    completion_tokens: int
    #: Tokens of input and output.
    total_tokens: int
    #: Tokens of the input, by kind.
    prompt_tokens_details: Optional[RunPromptAnswerMetadataUsagePromptTokensDetails] = None
    #: Tokens of the output, by kind.
    completion_tokens_details: Optional[RunPromptAnswerMetadataUsageCompletionTokensDetails] = None


class RunPromptAnswerMetadata(_Record):
    """The model server's answer."""

    #: Unique id. It never changes.
    id: str
    #: Type of the object, in OpenAI's terms.
    object: str
    #: Time of creation, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: Build of the model, as its server reports it.
    system_fingerprint: str
    #: Answers. There is always one.
    choices: List[Any]
    #: Tokens that were used.
    usage: RunPromptAnswerMetadataUsage


class RunPromptAnswer(_Record):
    #: Whether it succeeded.
    success: bool
    #: Result of the run.
    data: RunPromptAnswerData
    #: The model server's answer.
    metadata: RunPromptAnswerMetadata
    #: Warnings about input that is missing or was not used.
    warnings: List[str]
    #: Cost in US dollars; null: the price is unknown.
    cost_usd: Optional[float] = None


class RenderDraftAnswerDataTokenCounts(_Record):
    """Tokens of each part."""

    #: Tokens of the static part.
    static: int
    #: Tokens of the dynamic part.
    dynamic: int
    #: Tokens of the state part.
    state: int


class RenderDraftAnswerDataTokensItem(_Record):
    #: Name.
    name: str
    #: Source of the value of the variable.
    source: Optional[Union[Literal["built_in", "input", "block"], str]]


class RenderDraftAnswerData(_Record):
    """The rendered prompt."""

    #: Rendered static part.
    static: str
    #: Rendered dynamic part.
    dynamic: str
    #: Rendered state part.
    state: str
    #: JSON Schema of the output.
    output_schema: Dict[str, Any]
    #: Names of the replaced variables.
    parsed_tokens: List[str]
    #: Tokens of each part.
    token_counts: RenderDraftAnswerDataTokenCounts
    #: Variables of the prompt.
    tokens: List[RenderDraftAnswerDataTokensItem]


class RenderDraftAnswerFaultsItem(_Record):
    #: Path of the invalid field, such as `input.schema`.
    field: str
    #: Short reason.
    reason: str


class RenderDraftAnswerFindingsItem(_Record):
    #: Part of the instructions.
    part: Union[Literal["static", "state", "dynamic"], str]
    #: Line number, from 1.
    line: int
    #: Column number, from 1.
    column: int
    #: Short reason.
    reason: str


class RenderDraftAnswer(_Record):
    #: Whether it succeeded.
    success: bool
    #: The rendered prompt.
    data: RenderDraftAnswerData
    #: Warnings about input that is missing or was not used.
    warnings: List[str]
    #: Errors.
    faults: List[RenderDraftAnswerFaultsItem]
    #: Errors, each with its position.
    findings: List[RenderDraftAnswerFindingsItem]


class RunDraftAnswerMetadataUsagePromptTokensDetails(_Record):
    """Tokens of the input, by kind."""

    #: Input tokens from the cache of the model server.
    cached_tokens: int


class RunDraftAnswerMetadataUsageCompletionTokensDetails(_Record):
    """Tokens of the output, by kind."""

    #: Output tokens of the reasoning.
    reasoning_tokens: int


class RunDraftAnswerMetadataUsage(_Record):
    """Tokens that were used."""

    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of the output; null: unknown.
    completion_tokens: int
    #: Tokens of input and output.
    total_tokens: int
    #: Tokens of the input, by kind.
    prompt_tokens_details: Optional[RunDraftAnswerMetadataUsagePromptTokensDetails] = None
    #: Tokens of the output, by kind.
    completion_tokens_details: Optional[RunDraftAnswerMetadataUsageCompletionTokensDetails] = None


class RunDraftAnswerMetadata(_Record):
    """The model server's answer."""

    #: Unique id. It never changes.
    id: str
    #: Type of the object, in OpenAI's terms.
    object: str
    #: Time of creation, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: Build of the model, as its server reports it.
    system_fingerprint: str
    #: Answers. There is always one.
    choices: List[Any]
    #: Tokens that were used.
    usage: RunDraftAnswerMetadataUsage


class RunDraftAnswerData(_Record):
    """Result of the run."""

    #: Text.
    content: str
    #: Output as JSON. The output schema describes it.
    structured_data: Dict[str, Any]


class RunDraftAnswer(_Record):
    #: Whether it succeeded.
    success: bool
    #: The model server's answer.
    metadata: RunDraftAnswerMetadata
    #: Warnings about input that is missing or was not used.
    warnings: List[str]
    #: Cost in US dollars; null: the price is unknown.
    cost_usd: Optional[float] = None
    #: Run.
    run: str
    #: Result of the run.
    data: RunDraftAnswerData


class CreatedChatCompletionChoicesItemMessageToolCallsItemFunction(_Record):
    """Function to call, with its arguments."""

    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class CreatedChatCompletionChoicesItemMessageToolCallsItem(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["function"]
    #: Function to call, with its arguments.
    function: CreatedChatCompletionChoicesItemMessageToolCallsItemFunction


class CreatedChatCompletionChoicesItemMessage(_Record):
    """Message of the model."""

    #: Role of the author.
    role: Literal["assistant"]
    #: Text of the message, or its parts.
    content: Optional[str]
    #: The model's refusal to answer.
    refusal: Optional[str]
    #: Calls of tools.
    tool_calls: Optional[List[CreatedChatCompletionChoicesItemMessageToolCallsItem]] = None


class CreatedChatCompletionChoicesItem(_Record):
    #: Position, from 0.
    index: int
    #: Message of the model.
    message: CreatedChatCompletionChoicesItemMessage
    #: Not supported: false or null.
    logprobs: None
    #: Reason for which the model ended; null: not ended.
    finish_reason: Union[Literal["stop", "length", "tool_calls", "content_filter"], str]


class CreatedChatCompletionUsagePromptTokensDetails(_Record):
    """Tokens of the input, by kind."""

    #: Input tokens from the cache of the model server.
    cached_tokens: int


class CreatedChatCompletionUsageCompletionTokensDetails(_Record):
    """Tokens of the output, by kind."""

    #: Output tokens of the reasoning.
    reasoning_tokens: int


class CreatedChatCompletionUsage(_Record):
    """Tokens that were used."""

    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of the output; null: unknown.
    completion_tokens: int
    #: Tokens of input and output.
    total_tokens: int
    #: Tokens of the input, by kind.
    prompt_tokens_details: Optional[CreatedChatCompletionUsagePromptTokensDetails] = None
    #: Tokens of the output, by kind.
    completion_tokens_details: Optional[CreatedChatCompletionUsageCompletionTokensDetails] = None


class CreatedChatCompletion(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type of the object, in OpenAI's terms.
    object: Literal["chat.completion"]
    #: Time of creation, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: Answers. There is always one.
    choices: List[CreatedChatCompletionChoicesItem]
    #: Tokens that were used.
    usage: CreatedChatCompletionUsage
    #: Id of the run, which the runtime API shows
    run: str
    #: Warnings about input that is missing or was not used.
    warnings: List[str]


class CreatedMessageContentItem1(_Record):
    #: Type.
    type: Literal["text"]
    #: Text.
    text: str


class CreatedMessageContentItem2(_Record):
    #: Type.
    type: Literal["tool_use"]
    #: Unique id. It never changes.
    id: str
    #: Name.
    name: str
    #: Arguments of the call, as JSON.
    input: Dict[str, Any]


class CreatedMessageUsage(_Record):
    """Tokens that were used."""

    #: Tokens of the input.
    input_tokens: int
    #: Tokens of the output.
    output_tokens: int
    #: As reported by the server of the model; absent when it reports none
    cache_read_input_tokens: Optional[int] = None


class CreatedMessage(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type.
    type: Literal["message"]
    #: Role of the author.
    role: Literal["assistant"]
    #: Name of a language model.
    model: str
    #: Parts of the answer.
    content: List[Union[CreatedMessageContentItem1, CreatedMessageContentItem2]]
    #: Why the answer ended; `end_turn` also after a stop sequence
    stop_reason: Union[Literal["end_turn", "max_tokens", "tool_use", "refusal"], str]
    #: Not known: always null
    stop_sequence: None
    #: Tokens that were used.
    usage: CreatedMessageUsage
    #: Id of the run, which the runtime API shows
    run: str
    #: Warnings about input that is missing or was not used.
    warnings: List[str]


class CreatedEmbeddingsDataItem(_Record):
    #: Type of the object, in OpenAI's terms.
    object: Literal["embedding"]
    #: Position, from 0.
    index: int
    #: Numbers, or their base64 where the request asked for it
    embedding: Union[List[float], str]


class CreatedEmbeddingsUsage(_Record):
    """Tokens that were used."""

    #: Tokens of the input; null: unknown.
    prompt_tokens: int
    #: Tokens of input and output.
    total_tokens: int


class CreatedEmbeddings(_Record):
    #: Type of the object, in OpenAI's terms.
    object: Literal["list"]
    #: Embeddings, in the order of the input.
    data: List[CreatedEmbeddingsDataItem]
    #: Name of a language model.
    model: str
    #: Tokens that were used.
    usage: CreatedEmbeddingsUsage


class OpenAiConversation(_Record):
    #: Id of the conversation, as `/v1/conversation` has it
    id: str
    #: Type of the object, in OpenAI's terms.
    object: Literal["conversation"]
    #: Unix time in seconds
    created_at: int
    #: The client's own pairs, at most 16
    metadata: Dict[str, str]


class EndConversationAnswer(_Record):
    #: Id of the conversation
    id: str
    #: Type of the object, in OpenAI's terms.
    object: Literal["conversation.deleted"]
    #: Always true
    deleted: Literal[True]


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


class RunPromptEvent1ChoicesItemDelta(_Record):
    """Next piece of the answer."""

    #: Next piece of the text.
    content: str


class RunPromptEvent1ChoicesItem(_Record):
    #: Position, from 0.
    index: int
    #: Next piece of the answer.
    delta: RunPromptEvent1ChoicesItemDelta
    #: Reason for which the model ended; null: not ended.
    finish_reason: Optional[str]


class RunPromptEvent1(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type of the object, in OpenAI's terms.
    object: Literal["chat.completion.chunk"]
    #: Time of creation, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: Answers. There is always one.
    choices: List[RunPromptEvent1ChoicesItem]


class RunPromptEvent2(_Record):
    #: Warnings about input that is missing or was not used.
    warnings: List[str]


class RunPromptEvent4Error(_Record):
    """The error; null or absent: no error."""

    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str
    #: Status.
    status: int


class RunPromptEvent4(_Record):
    #: The error; null or absent: no error.
    error: RunPromptEvent4Error
    #: Error message to display.
    message: str


class RunDraftEvent1ChoicesItemDelta(_Record):
    """Next piece of the answer."""

    #: Next piece of the text.
    content: str


class RunDraftEvent1ChoicesItem(_Record):
    #: Position, from 0.
    index: int
    #: Next piece of the answer.
    delta: RunDraftEvent1ChoicesItemDelta
    #: Reason for which the model ended; null: not ended.
    finish_reason: Optional[str]


class RunDraftEvent1(_Record):
    #: Unique id. It never changes.
    id: str
    #: Type of the object, in OpenAI's terms.
    object: Literal["chat.completion.chunk"]
    #: Time of creation, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: Answers. There is always one.
    choices: List[RunDraftEvent1ChoicesItem]


class RunDraftEvent2(_Record):
    #: Warnings about input that is missing or was not used.
    warnings: List[str]


class RunDraftEvent4Error(_Record):
    """The error; null or absent: no error."""

    #: Error code for programs. It does not change between releases.
    code: str
    #: Error message to display.
    message: str
    #: Status.
    status: int


class RunDraftEvent4(_Record):
    #: The error; null or absent: no error.
    error: RunDraftEvent4Error
    #: Error message to display.
    message: str


class CreateResponseEvent(_Record):
    """With `stream: true`: response.created, response.in_progress, response.output_item.added, response.content_part.added, response.output_text.delta, response.output_text.done, response.content_part.done, response.output_item.done, and last response.completed, response.incomplete or response.failed; a call of a tool has response.mcp_call.in_progress, response.mcp_call_arguments.done and response.mcp_call.completed or response.mcp_call.failed; `error` for a failure in between, of which nothing is stored. An answer that must fit a schema is sent when it has been checked."""

    #: Type.
    type: str
    #: Number of the event in the stream, from 0.
    sequence_number: int


class GetResponseEvent(_Record):
    """With `stream=true`: the events of the response, from its beginning"""

    #: Type.
    type: str
    #: Number of the event in the stream, from 0.
    sequence_number: int


ConversationItem = Union[ConversationItem1, ConversationItem2, ConversationItem3]
ListPromptsAnswer = List[Prompt]
ListPromptVersionsAnswer = List[Prompt]
ListPromptLabelsAnswer = List[MovePromptLabelAnswer]
RunPromptEvent = Union[RunPromptEvent1, RunPromptEvent2, RunPromptAnswer, RunPromptEvent4]
RunDraftEvent = Union[RunDraftEvent1, RunDraftEvent2, RunPromptAnswer, RunDraftEvent4, RunDraftAnswer]
ListConversationsAnswer = List[Conversation]
ListAgentsAnswer = List[Agent]
ListArtifactsAnswer = List[Artifact]
ListBlocksAnswer = List[Block]

rebuild(globals())
