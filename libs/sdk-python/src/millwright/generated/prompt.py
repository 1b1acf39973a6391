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
    #: Kind of the error, as in OpenAI's API.
    type: str
    #: The field at fault; null when no field is.
    param: Optional[str]


class ApiError(_Record):
    #: What went amiss.
    error: ApiErrorError
    #: Sentence for people: what is wrong and what to do.
    message: str


class PromptInstruction(_Record):
    """The three parts of the instructions."""

    #: Part that is the same in every run.
    static: str
    #: Part about the present state, which each run fills.
    state: str
    #: Part with variables, which each run fills.
    dynamic: str


class PromptModelParameters(_Record):
    """Parameters of the model's calls, in front of the model's own defaults."""

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
    """Additional data."""

    #: Title for people.
    title: str
    #: Purpose of the record.
    description: str
    #: Words to find it by.
    tag: List[str]
    #: What changed in this version, for people.
    log_message: str
    #: When the record was made, in UTC.
    created: str
    #: When the record last changed, in UTC.
    updated: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: State of the record.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Prompt(_Record):
    #: Id of the record; it never changes.
    id: str
    #: The three parts of the instructions.
    instruction: PromptInstruction
    #: What it works on.
    input: Definition
    #: What it produces.
    output: Definition
    #: Parameters of the model's calls, in front of the model's own defaults.
    model_parameters: PromptModelParameters
    #: Additional data.
    metadata: PromptMetadata
    #: Address of the record.
    link: str = Field(alias="_link")


class DefinitionReferenceItem(_Record):
    #: Id of the record, a UUID.
    uuid: str
    #: Address of the record.
    link: str
    #: Which type it is.
    type: Union[Literal["input", "output"], str]


class Definition(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: str
    #: Which type it is.
    type: Union[str, List[str]]
    #: Records that it refers to.
    reference: List[DefinitionReferenceItem]
    #: JSON Schema of the data.
    schema_: Dict[str, Any] = Field(alias="schema")


class PromptVersionUsageUsage(_Record):
    """What was used."""

    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: int
    #: Tokens that were read and written.
    total_tokens: int


class PromptVersionUsageModelsItemUsage(_Record):
    """What was used."""

    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: int
    #: Tokens that were read and written.
    total_tokens: int


class PromptVersionUsageModelsItem(_Record):
    #: Name of a language model.
    model: str
    #: The runs, or their number.
    runs: int
    #: What was used.
    usage: PromptVersionUsageModelsItemUsage
    #: Cost in US dollars; null while no price is known.
    cost_usd: Optional[float]
    #: Runs whose price is not known
    unpriced_runs: int
    #: Runs with tokens that are estimated: the model sent no count, or an answer was cut off
    estimated_runs: int


class PromptVersionUsage(_Record):
    #: A prompt, by id or with its version and variables.
    prompt: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: The runs, or their number.
    runs: int
    #: What was used.
    usage: PromptVersionUsageUsage
    #: Cost in US dollars; null while no price is known.
    cost_usd: Optional[float]
    #: Runs whose price is not known
    unpriced_runs: int
    #: Runs with tokens that are estimated: the model sent no count, or an answer was cut off
    estimated_runs: int
    #: The last run; null: never.
    last_run: Optional[str]
    #: Models, by name or with their figures.
    models: List[PromptVersionUsageModelsItem]


class Model(_Record):
    #: The name to send as `model`
    id: str
    #: Type of the object, as OpenAI names it.
    object: Literal["model"]
    #: Unix time in seconds; 0 for a configured model
    created: int
    #: What the name stands for
    owned_by: Union[Literal["model", "agent", "prompt"], str]
    #: Name for people
    name: str


class ModelResponseError(_Record):
    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str


class ModelResponseIncompleteDetails(_Record):
    #: The reason, in a few words.
    reason: Union[Literal["max_output_tokens", "content_filter"], str]


class ModelResponseOutputItem1ContentItem1(_Record):
    #: Which type it is.
    type: Literal["output_text"]
    #: The text, or settings of it.
    text: str
    #: Hints or notes of whoever wrote it.
    annotations: List[Any]


class ModelResponseOutputItem1ContentItem2(_Record):
    #: Which type it is.
    type: Literal["refusal"]
    #: Text by which the model refused.
    refusal: str


class ModelResponseOutputItem1(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: Literal["message"]
    #: Who speaks, or the role of the account.
    role: Literal["assistant"]
    #: State of the record.
    status: Union[Literal["in_progress", "completed", "incomplete"], str]
    #: The text, or what is stored of it.
    content: List[Union[ModelResponseOutputItem1ContentItem1, ModelResponseOutputItem1ContentItem2]]


class ModelResponseOutputItem2(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: Literal["function_call"]
    #: State of the record.
    status: Union[Literal["in_progress", "completed"], str]
    #: Id of the tool call.
    call_id: str
    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class ModelResponseOutputItem3(_Record):
    #: Id of the approval
    id: str
    #: Which type it is.
    type: Literal["mcp_approval_request"]
    #: Name of the tool
    name: str
    #: As the model wrote them: JSON
    arguments: str
    #: Name of the tool's MCP server or plugin
    server_label: str


class ModelResponseConversation(_Record):
    #: Id of the record; it never changes.
    id: str


class ModelResponsePromptVariablesValue2(_Record):
    #: Which type it is.
    type: Literal["input_text"]
    #: The text, or settings of it.
    text: str


class ModelResponsePrompt(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[str] = None
    #: Values of the variables, by name.
    variables: Optional[Dict[str, Union[str, ModelResponsePromptVariablesValue2]]] = None


class ModelResponseTextFormat(_Record):
    """Form of the text."""

    #: Which type it is.
    type: str


class ModelResponseText(_Record):
    """The text, or settings of it."""

    #: Form of the text.
    format: ModelResponseTextFormat


class ModelResponseToolChoice2(_Record):
    #: Which type it is.
    type: Literal["function"]
    #: Name for people and programs.
    name: str


class ModelResponseToolsItem(_Record):
    #: Which type it is.
    type: Literal["function"]
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: Parameters by name.
    parameters: Optional[Dict[str, Any]] = None
    #: Whether the answer has to fit the schema exactly.
    strict: Optional[bool] = None


class ModelResponseReasoning(_Record):
    """Settings of reasoning."""

    #: How much the model reasons before it answers.
    effort: Optional[str]


class ModelResponseUsageInputTokensDetails(_Record):
    """Tokens that the model read, by kind."""

    #: Tokens that came from the model server's cache.
    cached_tokens: int


class ModelResponseUsageOutputTokensDetails(_Record):
    """Tokens that the model wrote, by kind."""

    #: Tokens of reasoning.
    reasoning_tokens: int


class ModelResponseUsage(_Record):
    #: Tokens that the model read.
    input_tokens: int
    #: Tokens that the model read, by kind.
    input_tokens_details: Optional[ModelResponseUsageInputTokensDetails] = None
    #: Tokens that the model wrote.
    output_tokens: int
    #: Tokens that the model wrote, by kind.
    output_tokens_details: Optional[ModelResponseUsageOutputTokensDetails] = None
    #: Tokens that were read and written.
    total_tokens: int


class ModelResponse(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Type of the object, as OpenAI names it.
    object: Literal["response"]
    #: When the record was made, in UTC.
    created_at: int
    #: When it was completed; null: not yet.
    completed_at: Optional[int]
    #: State of the record.
    status: Union[Literal["in_progress", "completed", "incomplete", "failed", "cancelled"], str]
    #: Whether the response is made in the background.
    background: bool
    #: What failed; null or absent: nothing.
    error: Optional[ModelResponseError]
    #: Why the answer is incomplete; null: it is complete.
    incomplete_details: Optional[ModelResponseIncompleteDetails]
    #: What the model reads before each conversation.
    instructions: Optional[str]
    #: The most tokens to write; null: the limit of the model.
    max_output_tokens: Optional[int]
    #: Additional data.
    metadata: Dict[str, str]
    #: Name of a language model.
    model: str
    #: What it produces.
    output: List[Union[ModelResponseOutputItem1, ModelResponseOutputItem2, ModelResponseOutputItem3]]
    #: Whether the model may call several tools at once.
    parallel_tool_calls: bool
    #: Id of the response that this one continues; null: none.
    previous_response_id: Optional[str]
    #: A conversation, or its id.
    conversation: Optional[ModelResponseConversation]
    #: A prompt, by id or with its version and variables.
    prompt: Optional[ModelResponsePrompt]
    #: Key of the model server's cache; null: none.
    prompt_cache_key: Optional[str]
    #: Id of the end user for the model server; null: none.
    safety_identifier: Optional[str]
    #: Whether the response is stored.
    store: bool
    #: Randomness of the answer; null: the default of the model.
    temperature: Optional[float]
    #: The text, or settings of it.
    text: ModelResponseText
    #: Whether the model may call tools.
    tool_choice: Union[Union[Literal["auto", "none", "required"], str], ModelResponseToolChoice2]
    #: Tools by name, or calls of them.
    tools: List[ModelResponseToolsItem]
    #: Settings of reasoning.
    reasoning: Optional[ModelResponseReasoning] = None
    #: Share of likely tokens that are considered; null: the default of the model.
    top_p: Optional[float]
    #: What happens with input that is too long.
    truncation: Union[Literal["auto", "disabled"], str]
    #: What was used.
    usage: Optional[ModelResponseUsage]
    #: The account concerned.
    user: Optional[str]
    #: Remarks about input that was not used or is missing.
    warnings: List[str]


class ConversationMessageItemReferenceItem(_Record):
    #: Id of the record, a UUID.
    uuid: str
    #: Address of the record.
    link: str
    #: Which type it is.
    type: str


class ConversationMessageItemMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: str
    #: Purpose of the record.
    description: str
    #: Words to find it by.
    tag: List[str]
    #: What changed in this version, for people.
    log_message: str
    #: When the record was made, in UTC.
    created: str
    #: When the record last changed, in UTC.
    updated: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: State of the record.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class ConversationMessageItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Who speaks, or the role of the account.
    role: Union[Literal["system", "user", "assistant", "tool"], str]
    #: The text, or what is stored of it.
    content: str
    #: Records that it refers to.
    reference: List[ConversationMessageItemReferenceItem]
    #: Name of a language model.
    model: str
    #: Additional data.
    metadata: ConversationMessageItemMetadata


class ConversationMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: str
    #: Purpose of the record.
    description: str
    #: Words to find it by.
    tag: List[str]
    #: What changed in this version, for people.
    log_message: str
    #: When the record was made, in UTC.
    created: str
    #: When the record last changed, in UTC.
    updated: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: State of the record.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Conversation(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Sentence for people.
    message: List[ConversationMessageItem]
    #: Additional data.
    metadata: ConversationMetadata
    #: Address of the record.
    link: str = Field(alias="_link")


class ConversationItem1ContentItem1(_Record):
    #: Which type it is.
    type: Literal["input_text"]
    #: The text, or settings of it.
    text: str


class ConversationItem1ContentItem2(_Record):
    #: Which type it is.
    type: Literal["input_image"]
    #: The image as a data URL, or its address
    image_url: str
    #: Further facts for people.
    detail: Union[Literal["auto", "low", "high"], str]
    #: Always null
    file_id: None


class ConversationItem1ContentItem3(_Record):
    #: Which type it is.
    type: Literal["output_text"]
    #: The text, or settings of it.
    text: str
    #: Hints or notes of whoever wrote it.
    annotations: List[Any]


class ConversationItem1(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: Literal["message"]
    #: Who speaks, or the role of the account.
    role: Union[Literal["user", "assistant", "system"], str]
    #: State of the record.
    status: Literal["completed"]
    #: The text, or what is stored of it.
    content: List[Union[ConversationItem1ContentItem1, ConversationItem1ContentItem2, ConversationItem1ContentItem3]]


class ConversationItem2(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: Literal["function_call"]
    #: State of the record.
    status: Literal["completed"]
    #: Id of the tool call.
    call_id: str
    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class ConversationItem3Output2Item1(_Record):
    #: Which type it is.
    type: Literal["input_text"]
    #: The text, or settings of it.
    text: str


class ConversationItem3Output2Item2(_Record):
    #: Which type it is.
    type: Literal["input_image"]
    #: The image as a data URL, or its address
    image_url: str
    #: Further facts for people.
    detail: Union[Literal["auto", "low", "high"], str]
    #: Always null
    file_id: None


class ConversationItem3Output2Item3(_Record):
    #: Which type it is.
    type: Literal["output_text"]
    #: The text, or settings of it.
    text: str
    #: Hints or notes of whoever wrote it.
    annotations: List[Any]


class ConversationItem3(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: Literal["function_call_output"]
    #: State of the record.
    status: Literal["completed"]
    #: Id of the tool call.
    call_id: str
    #: A list when it has images
    output: Union[str, List[Union[ConversationItem3Output2Item1, ConversationItem3Output2Item2, ConversationItem3Output2Item3]]]


class AgentMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: str
    #: Purpose of the record.
    description: str
    #: Words to find it by.
    tag: List[str]
    #: What changed in this version, for people.
    log_message: str
    #: When the record was made, in UTC.
    created: str
    #: When the record last changed, in UTC.
    updated: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: State of the record.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Agent(_Record):
    #: Id of the record; it never changes.
    id: str
    #: The text, or what is stored of it.
    content: str
    #: First characters.
    prefix: str
    #: Additional data.
    metadata: AgentMetadata
    #: Address of the record.
    link: str = Field(alias="_link")


class ArtifactMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: str
    #: Purpose of the record.
    description: str
    #: Words to find it by.
    tag: List[str]
    #: What changed in this version, for people.
    log_message: str
    #: When the record was made, in UTC.
    created: str
    #: When the record last changed, in UTC.
    updated: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: State of the record.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Artifact(_Record):
    #: Id of the record; it never changes.
    id: str
    #: The text, or what is stored of it.
    content: str
    #: Additional data.
    metadata: ArtifactMetadata
    #: Address of the record.
    link: str = Field(alias="_link")


class BlockMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: str
    #: Purpose of the record.
    description: str
    #: Words to find it by.
    tag: List[str]
    #: What changed in this version, for people.
    log_message: str
    #: When the record was made, in UTC.
    created: str
    #: When the record last changed, in UTC.
    updated: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: State of the record.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class Block(_Record):
    #: Id of the record; it never changes.
    id: str
    #: The text, or what is stored of it.
    content: str
    #: First characters.
    prefix: str
    #: Additional data.
    metadata: BlockMetadata
    #: Address of the record.
    link: str = Field(alias="_link")


class OwnUserUser(_Record):
    """The account concerned."""

    #: Id of the record; it never changes.
    id: str
    #: Id of the record, a UUID.
    uuid: str
    #: Name for people and programs.
    name: str
    #: E-mail address; in guards, the actions for e-mail addresses.
    email: str
    #: Roles of the account.
    roles: List[str]
    #: The project that owns it.
    project: str


class OwnUserContent(_Record):
    """The text, or what is stored of it."""

    #: A prompt, by id or with its version and variables.
    prompt: int
    #: Number of artifacts.
    artifact: int
    #: Number of blocks.
    block: int
    #: A conversation, or its id.
    conversation: int


class OwnUserUsageAi(_Record):
    """Use of models."""

    #: Number of runs.
    execution: int
    #: Number of tokens.
    token: int


class OwnUserUsage(_Record):
    """What was used."""

    #: Use of models.
    ai: OwnUserUsageAi


class OwnUser(_Record):
    #: The account concerned.
    user: OwnUserUser
    #: The text, or what is stored of it.
    content: OwnUserContent
    #: What was used.
    usage: OwnUserUsage


class ModelList(_Record):
    #: Type of the object, as OpenAI names it.
    object: Literal["list"]
    #: The content.
    data: List[Model]


class ResponseInputItemList(_Record):
    #: Type of the object, as OpenAI names it.
    object: Literal["list"]
    #: The content.
    data: List[ConversationItem]
    #: Id of the first item of the page
    first_id: Optional[str]
    #: Id of the last item of the page, for `after`
    last_id: Optional[str]
    #: Whether items follow
    has_more: bool


class NewPromptInstruction(_Record):
    """The three parts of the instructions."""

    #: Part that is the same in every run.
    static: Optional[str] = None
    #: Part about the present state, which each run fills.
    state: Optional[str] = None
    #: Part with variables, which each run fills.
    dynamic: Optional[str] = None


class NewPromptInput(_Record):
    """What it works on."""

    #: Name for people and programs.
    name: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Which type it is.
    type: Optional[Union[str, List[str]]] = None
    #: Records that it refers to.
    reference: Optional[List[str]] = None
    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")


class NewPromptOutput(_Record):
    """What it produces."""

    #: Name for people and programs.
    name: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Which type it is.
    type: Optional[Union[str, List[str]]] = None
    #: Records that it refers to.
    reference: Optional[List[str]] = None
    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")


class NewPromptModelParameters(_Record):
    """Parameters of the model's calls, in front of the model's own defaults."""

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
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: What changed in this version, for people.
    log_message: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None


class NewPrompt(_Record):
    #: The three parts of the instructions.
    instruction: NewPromptInstruction
    #: What it works on.
    input: NewPromptInput
    #: What it produces.
    output: NewPromptOutput
    #: Parameters of the model's calls, in front of the model's own defaults.
    model_parameters: Optional[NewPromptModelParameters] = None
    #: Additional data.
    metadata: NewPromptMetadata


class PromptChangesInstruction(_Record):
    """The three parts of the instructions."""

    #: Part that is the same in every run.
    static: Optional[str] = None
    #: Part about the present state, which each run fills.
    state: Optional[str] = None
    #: Part with variables, which each run fills.
    dynamic: Optional[str] = None


class PromptChangesInputReferenceItem2(_Record):
    #: Id of the record, a UUID.
    uuid: str
    #: Address of the record.
    link: str
    #: Which type it is.
    type: Union[Literal["input", "output"], str]


class PromptChangesInput(_Record):
    """What it works on."""

    #: Name for people and programs.
    name: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Which type it is.
    type: Optional[Union[str, List[str]]] = None
    #: Records that it refers to.
    reference: Optional[List[Union[str, PromptChangesInputReferenceItem2]]] = None
    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")


class PromptChangesOutputReferenceItem2(_Record):
    #: Id of the record, a UUID.
    uuid: str
    #: Address of the record.
    link: str
    #: Which type it is.
    type: Union[Literal["input", "output"], str]


class PromptChangesOutput(_Record):
    """What it produces."""

    #: Name for people and programs.
    name: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Which type it is.
    type: Optional[Union[str, List[str]]] = None
    #: Records that it refers to.
    reference: Optional[List[Union[str, PromptChangesOutputReferenceItem2]]] = None
    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")


class PromptChangesModelParameters(_Record):
    """Parameters of the model's calls, in front of the model's own defaults."""

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
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: What changed in this version, for people.
    log_message: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int] = None


class PromptChanges(_Record):
    #: The three parts of the instructions.
    instruction: Optional[PromptChangesInstruction] = None
    #: What it works on.
    input: Optional[PromptChangesInput] = None
    #: What it produces.
    output: Optional[PromptChangesOutput] = None
    #: Parameters of the model's calls, in front of the model's own defaults.
    model_parameters: Optional[PromptChangesModelParameters] = None
    #: Additional data.
    metadata: Optional[PromptChangesMetadata] = None


class RenderPromptRequest(_Record):
    #: Sentence for people.
    message: Optional[str] = None
    #: Values of the input, as its schema describes.
    structured_data: Optional[Dict[str, Any]] = None
    #: Records that it refers to.
    reference: Optional[List[str]] = None
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int] = None
    #: Name of a label: the version that it points at is used.
    label: Optional[str] = None


class MovePromptLabelRequest(_Record):
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: The reason, in a few words.
    reason: Optional[str] = None
    #: Whether moves need an admin and a reason; in a signature, its protected header.
    protected: Optional[bool] = None


class RunPromptRequestModelParameters(_Record):
    """Parameters of the model's calls, in front of the model's own defaults."""

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
    #: Sentence for people.
    message: Optional[str] = None
    #: Values of the input, as its schema describes.
    structured_data: Optional[Dict[str, Any]] = None
    #: Records that it refers to.
    reference: Optional[List[str]] = None
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int] = None
    #: Name of a label: the version that it points at is used.
    label: Optional[str] = None
    #: A conversation, or its id.
    conversation: Optional[str] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: Parameters of the model's calls, in front of the model's own defaults.
    model_parameters: Optional[RunPromptRequestModelParameters] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None


class RenderDraftRequestInstruction(_Record):
    """The three parts of the instructions."""

    #: Part that is the same in every run.
    static: Optional[str] = None
    #: Part about the present state, which each run fills.
    state: Optional[str] = None
    #: Part with variables, which each run fills.
    dynamic: Optional[str] = None


class RenderDraftRequestInput(_Record):
    """What it works on."""

    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")
    #: Records that it refers to.
    reference: Optional[List[str]] = None


class RenderDraftRequestOutput(_Record):
    """What it produces."""

    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")
    #: Records that it refers to.
    reference: Optional[List[str]] = None


class RenderDraftRequest(_Record):
    #: The three parts of the instructions.
    instruction: RenderDraftRequestInstruction
    #: What it works on.
    input: Optional[RenderDraftRequestInput] = None
    #: What it produces.
    output: Optional[RenderDraftRequestOutput] = None
    #: Sentence for people.
    message: Optional[str] = None
    #: Values of the input, as its schema describes.
    structured_data: Optional[Dict[str, Any]] = None


class RunDraftRequestInstruction(_Record):
    """The three parts of the instructions."""

    #: Part that is the same in every run.
    static: Optional[str] = None
    #: Part about the present state, which each run fills.
    state: Optional[str] = None
    #: Part with variables, which each run fills.
    dynamic: Optional[str] = None


class RunDraftRequestInput(_Record):
    """What it works on."""

    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")
    #: Records that it refers to.
    reference: Optional[List[str]] = None


class RunDraftRequestOutput(_Record):
    """What it produces."""

    #: JSON Schema of the data.
    schema_: Optional[Dict[str, Any]] = Field(default=None, alias="schema")
    #: Records that it refers to.
    reference: Optional[List[str]] = None


class RunDraftRequestModelParameters(_Record):
    """Parameters of the model's calls, in front of the model's own defaults."""

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
    #: Who speaks, or the role of the account.
    role: Union[Literal["user", "assistant"], str]
    #: The text, or what is stored of it.
    content: str


class RunDraftRequest(_Record):
    #: The three parts of the instructions.
    instruction: RunDraftRequestInstruction
    #: What it works on.
    input: Optional[RunDraftRequestInput] = None
    #: What it produces.
    output: Optional[RunDraftRequestOutput] = None
    #: Sentence for people.
    message: Optional[str] = None
    #: Values of the input, as its schema describes.
    structured_data: Optional[Dict[str, Any]] = None
    #: Parameters of the model's calls, in front of the model's own defaults.
    model_parameters: Optional[RunDraftRequestModelParameters] = None
    #: A prompt, by id or with its version and variables.
    prompt: Optional[str] = None
    #: The conversation so far, oldest first.
    history: Optional[List[RunDraftRequestHistoryItem]] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None


class NewChatCompletionMessagesItem1Content2Item(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str


class NewChatCompletionMessagesItem1(_Record):
    #: Who speaks, or the role of the account.
    role: Union[Literal["system", "developer"], str]
    #: The text, or what is stored of it.
    content: Union[str, List[NewChatCompletionMessagesItem1Content2Item]]
    #: Name for people and programs.
    name: Optional[str] = None


class NewChatCompletionMessagesItem2Content2Item1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str


class NewChatCompletionMessagesItem2Content2Item2ImageUrl(_Record):
    """The image"""

    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    url: str
    #: Further facts for people.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class NewChatCompletionMessagesItem2Content2Item2(_Record):
    #: Which type it is.
    type: Literal["image_url"]
    #: The image
    image_url: NewChatCompletionMessagesItem2Content2Item2ImageUrl


class NewChatCompletionMessagesItem2Content2Item3File(_Record):
    """Bytes of the file."""

    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Id of a file.
    file_id: Optional[str] = None


class NewChatCompletionMessagesItem2Content2Item3(_Record):
    #: Which type it is.
    type: Literal["file"]
    #: Bytes of the file.
    file: NewChatCompletionMessagesItem2Content2Item3File


class NewChatCompletionMessagesItem2(_Record):
    #: Who speaks, or the role of the account.
    role: Literal["user"]
    #: The text, or what is stored of it.
    content: Union[str, List[Union[NewChatCompletionMessagesItem2Content2Item1, NewChatCompletionMessagesItem2Content2Item2, NewChatCompletionMessagesItem2Content2Item3]]]
    #: Name for people and programs.
    name: Optional[str] = None


class NewChatCompletionMessagesItem3Content2Item1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str


class NewChatCompletionMessagesItem3Content2Item2(_Record):
    #: Which type it is.
    type: Literal["refusal"]
    #: Text by which the model refused.
    refusal: str


class NewChatCompletionMessagesItem3ToolCallsItemFunction(_Record):
    """The function of the client, or a call of it."""

    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class NewChatCompletionMessagesItem3ToolCallsItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: Literal["function"]
    #: The function of the client, or a call of it.
    function: NewChatCompletionMessagesItem3ToolCallsItemFunction


class NewChatCompletionMessagesItem3(_Record):
    #: Who speaks, or the role of the account.
    role: Literal["assistant"]
    #: The text, or what is stored of it.
    content: Optional[Union[str, List[Union[NewChatCompletionMessagesItem3Content2Item1, NewChatCompletionMessagesItem3Content2Item2]]]] = None
    #: Text by which the model refused.
    refusal: Optional[str] = None
    #: Name for people and programs.
    name: Optional[str] = None
    #: Calls of tools so far.
    tool_calls: Optional[List[NewChatCompletionMessagesItem3ToolCallsItem]] = None
    #: Not supported: leave it out.
    audio: Any = None
    #: Not supported: leave it out.
    function_call: Any = None


class NewChatCompletionMessagesItem4Content2Item1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str


class NewChatCompletionMessagesItem4Content2Item2ImageUrl(_Record):
    """The image"""

    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    url: str
    #: Further facts for people.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class NewChatCompletionMessagesItem4Content2Item2(_Record):
    #: Which type it is.
    type: Literal["image_url"]
    #: The image
    image_url: NewChatCompletionMessagesItem4Content2Item2ImageUrl


class NewChatCompletionMessagesItem4Content2Item3File(_Record):
    """Bytes of the file."""

    #: Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text
    file_data: Optional[str] = None
    #: Name under which the model reads the file
    filename: Optional[str] = None
    #: Id of a file.
    file_id: Optional[str] = None


class NewChatCompletionMessagesItem4Content2Item3(_Record):
    #: Which type it is.
    type: Literal["file"]
    #: Bytes of the file.
    file: NewChatCompletionMessagesItem4Content2Item3File


class NewChatCompletionMessagesItem4(_Record):
    #: Who speaks, or the role of the account.
    role: Literal["tool"]
    #: The text, or what is stored of it.
    content: Union[str, List[Union[NewChatCompletionMessagesItem4Content2Item1, NewChatCompletionMessagesItem4Content2Item2, NewChatCompletionMessagesItem4Content2Item3]]]
    #: Id of the call whose output the message is.
    tool_call_id: str


class NewChatCompletionToolsItemFunction(_Record):
    """The function of the client, or a call of it."""

    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: Parameters by name.
    parameters: Optional[Dict[str, Any]] = None
    #: Whether the answer has to fit the schema exactly.
    strict: Optional[bool] = None


class NewChatCompletionToolsItem(_Record):
    #: Which type it is.
    type: Literal["function"]
    #: The function of the client, or a call of it.
    function: NewChatCompletionToolsItemFunction


class NewChatCompletionToolChoice2Function(_Record):
    """The function of the client, or a call of it."""

    #: Name for people and programs.
    name: str


class NewChatCompletionToolChoice2(_Record):
    #: Which type it is.
    type: Literal["function"]
    #: The function of the client, or a call of it.
    function: NewChatCompletionToolChoice2Function


class NewChatCompletionResponseFormat1(_Record):
    #: Which type it is.
    type: Literal["text"]


class NewChatCompletionResponseFormat2(_Record):
    #: Which type it is.
    type: Literal["json_object"]


class NewChatCompletionResponseFormat3JsonSchema(_Record):
    """Name and JSON Schema of the answer."""

    #: Name for people and programs.
    name: str
    #: JSON Schema of the data.
    schema_: Dict[str, Any] = Field(alias="schema")
    #: Whether the answer has to fit the schema exactly.
    strict: Optional[bool] = None
    #: Purpose of the record.
    description: Optional[str] = None


class NewChatCompletionResponseFormat3(_Record):
    #: Which type it is.
    type: Literal["json_schema"]
    #: Name and JSON Schema of the answer.
    json_schema: NewChatCompletionResponseFormat3JsonSchema


class NewChatCompletionStreamOptions(_Record):
    #: Whether the last chunk of a stream states the usage.
    include_usage: Optional[bool] = None
    #: Not supported: leave it out.
    include_obfuscation: Any = None


class NewChatCompletion(_Record):
    #: `agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, or a configured model; the default model when left out
    model: Optional[str] = None
    #: Messages of the conversation, oldest first.
    messages: List[Union[NewChatCompletionMessagesItem1, NewChatCompletionMessagesItem2, NewChatCompletionMessagesItem3, NewChatCompletionMessagesItem4]]
    #: Tools by name, or calls of them.
    tools: Optional[List[NewChatCompletionToolsItem]] = None
    #: Whether the model may call tools.
    tool_choice: Optional[Union[Union[Literal["auto", "none", "required"], str], NewChatCompletionToolChoice2]] = None
    #: Whether the model may call several tools at once.
    parallel_tool_calls: Optional[bool] = None
    #: Form that the answer must have.
    response_format: Optional[Union[NewChatCompletionResponseFormat1, NewChatCompletionResponseFormat2, NewChatCompletionResponseFormat3]] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None
    #: Settings of the stream.
    stream_options: Optional[NewChatCompletionStreamOptions] = None
    #: The most tokens to write, for older clients.
    max_tokens: Optional[int] = None
    #: The most tokens to write.
    max_completion_tokens: Optional[int] = None
    #: Randomness of the answer; null: the default of the model.
    temperature: Optional[float] = None
    #: Share of likely tokens that are considered; null: the default of the model.
    top_p: Optional[float] = None
    #: Texts at which the model stops.
    stop: Optional[Union[str, List[str]]] = None
    #: Number for answers that can be repeated, where the model server supports it.
    seed: Optional[int] = None
    #: How much repeated words are avoided.
    frequency_penalty: Optional[float] = None
    #: How much repeated subjects are avoided.
    presence_penalty: Optional[float] = None
    #: How much the model reasons before it answers.
    reasoning_effort: Optional[Union[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"], str]] = None
    #: How much the model writes.
    verbosity: Optional[Union[Literal["low", "medium", "high"], str]] = None
    #: false: the run keeps no content
    store: Optional[bool] = None
    #: Additional data.
    metadata: Optional[Dict[str, str]] = None
    #: The account concerned.
    user: Optional[str] = None
    #: Id of the end user for the model server; null: none.
    safety_identifier: Optional[str] = None
    #: Key of the model server's cache; null: none.
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
    #: Number of a version, from 1.
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
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item1CacheControl] = None
    #: Not supported
    citations: Any = None


class NewMessageMessagesItem1Content2Item2Source1(_Record):
    #: Which type it is.
    type: Literal["base64"]
    #: Type of the image
    media_type: Union[Literal["image/jpeg", "image/png", "image/gif", "image/webp"], str]
    #: The image in base64
    data: str


class NewMessageMessagesItem1Content2Item2Source2(_Record):
    #: Which type it is.
    type: Literal["url"]
    #: An https address, for models with `image_urls`
    url: str


class NewMessageMessagesItem1Content2Item2CacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item2(_Record):
    #: Which type it is.
    type: Literal["image"]
    #: Where it comes from.
    source: Union[NewMessageMessagesItem1Content2Item2Source1, NewMessageMessagesItem1Content2Item2Source2]
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item2CacheControl] = None


class NewMessageMessagesItem1Content2Item3Source1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: Always text/plain
    media_type: Literal["text/plain"]
    #: The text
    data: str


class NewMessageMessagesItem1Content2Item3Source2(_Record):
    #: Which type it is.
    type: Literal["base64"]
    #: Always application/pdf
    media_type: Literal["application/pdf"]
    #: The document in base64: the model reads its text
    data: str


class NewMessageMessagesItem1Content2Item3CacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item3(_Record):
    #: Which type it is.
    type: Literal["document"]
    #: Where it comes from.
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
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item4Content2Item1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item4Content2Item1CacheControl] = None
    #: Not supported
    citations: Any = None


class NewMessageMessagesItem1Content2Item4Content2Item2Source1(_Record):
    #: Which type it is.
    type: Literal["base64"]
    #: Type of the image
    media_type: Union[Literal["image/jpeg", "image/png", "image/gif", "image/webp"], str]
    #: The image in base64
    data: str


class NewMessageMessagesItem1Content2Item4Content2Item2Source2(_Record):
    #: Which type it is.
    type: Literal["url"]
    #: An https address, for models with `image_urls`
    url: str


class NewMessageMessagesItem1Content2Item4Content2Item2CacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item4Content2Item2(_Record):
    #: Which type it is.
    type: Literal["image"]
    #: Where it comes from.
    source: Union[NewMessageMessagesItem1Content2Item4Content2Item2Source1, NewMessageMessagesItem1Content2Item4Content2Item2Source2]
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item4Content2Item2CacheControl] = None


class NewMessageMessagesItem1Content2Item4Content2Item3Source1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: Always text/plain
    media_type: Literal["text/plain"]
    #: The text
    data: str


class NewMessageMessagesItem1Content2Item4Content2Item3Source2(_Record):
    #: Which type it is.
    type: Literal["base64"]
    #: Always application/pdf
    media_type: Literal["application/pdf"]
    #: The document in base64: the model reads its text
    data: str


class NewMessageMessagesItem1Content2Item4Content2Item3CacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item4Content2Item3(_Record):
    #: Which type it is.
    type: Literal["document"]
    #: Where it comes from.
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
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem1Content2Item4(_Record):
    #: Which type it is.
    type: Literal["tool_result"]
    #: Id of the call
    tool_use_id: str
    #: The text, or what is stored of it.
    content: Optional[Union[str, List[Union[NewMessageMessagesItem1Content2Item4Content2Item1, NewMessageMessagesItem1Content2Item4Content2Item2, NewMessageMessagesItem1Content2Item4Content2Item3]]]] = None
    #: Whether the tool failed: the model reads `Error:` before the content
    is_error: Optional[bool] = None
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem1Content2Item4CacheControl] = None


class NewMessageMessagesItem1(_Record):
    #: Who speaks, or the role of the account.
    role: Literal["user"]
    #: The text, or what is stored of it.
    content: Union[str, List[Union[NewMessageMessagesItem1Content2Item1, NewMessageMessagesItem1Content2Item2, NewMessageMessagesItem1Content2Item3, NewMessageMessagesItem1Content2Item4]]]


class NewMessageMessagesItem2Content2Item1CacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem2Content2Item1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem2Content2Item1CacheControl] = None
    #: Not supported
    citations: Any = None


class NewMessageMessagesItem2Content2Item2CacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageMessagesItem2Content2Item2(_Record):
    #: Which type it is.
    type: Literal["tool_use"]
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: What it works on.
    input: Dict[str, Any]
    #: Has no effect on the answer
    cache_control: Optional[NewMessageMessagesItem2Content2Item2CacheControl] = None


class NewMessageMessagesItem2(_Record):
    #: Who speaks, or the role of the account.
    role: Literal["assistant"]
    #: The text, or what is stored of it.
    content: Union[str, List[Union[NewMessageMessagesItem2Content2Item1, NewMessageMessagesItem2Content2Item2]]]


class NewMessageSystem2ItemCacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageSystem2Item(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str
    #: Has no effect on the answer
    cache_control: Optional[NewMessageSystem2ItemCacheControl] = None
    #: Not supported
    citations: Any = None


class NewMessageToolsItemCacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessageToolsItem(_Record):
    #: Only `custom`, which is the default
    type: Optional[Literal["custom"]] = None
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: JSON Schema of the arguments
    input_schema: Dict[str, Any]
    #: Whether the answer has to fit the schema exactly.
    strict: Optional[bool] = None
    #: Has no effect on the answer
    cache_control: Optional[NewMessageToolsItemCacheControl] = None


class NewMessageToolChoice1(_Record):
    #: Which type it is.
    type: Union[Literal["auto", "any"], str]
    #: Whether an answer has at most one call
    disable_parallel_tool_use: Optional[bool] = None


class NewMessageToolChoice2(_Record):
    #: Which type it is.
    type: Literal["none"]


class NewMessageToolChoice3(_Record):
    #: Which type it is.
    type: Literal["tool"]
    #: Name for people and programs.
    name: str
    #: Whether an answer has at most one call
    disable_parallel_tool_use: Optional[bool] = None


class NewMessageOutputConfigFormat(_Record):
    #: Which type it is.
    type: Literal["json_schema"]
    #: JSON Schema of the data.
    schema_: Dict[str, Any] = Field(alias="schema")


class NewMessageOutputConfig(_Record):
    #: How much the model thinks
    effort: Optional[Union[Literal["low", "medium", "high", "xhigh", "max"], str]] = None
    #: Form of the text.
    format: Optional[NewMessageOutputConfigFormat] = None


class NewMessageMetadata(_Record):
    #: Id of an account.
    user_id: Optional[str] = None


class NewMessageCacheControl(_Record):
    #: Which type it is.
    type: Literal["ephemeral"]


class NewMessage(_Record):
    #: `agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, or a configured model
    model: str
    #: Limit of the answer in tokens; an agent has its own
    max_tokens: int
    #: Messages of the conversation, oldest first.
    messages: List[Union[NewMessageMessagesItem1, NewMessageMessagesItem2]]
    #: Instructions before the messages
    system: Optional[Union[str, List[NewMessageSystem2Item]]] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None
    #: Randomness of the answer; null: the default of the model.
    temperature: Optional[float] = None
    #: Share of likely tokens that are considered; null: the default of the model.
    top_p: Optional[float] = None
    #: Texts that end the answer, at most 4
    stop_sequences: Optional[List[str]] = None
    #: Tools by name, or calls of them.
    tools: Optional[List[NewMessageToolsItem]] = None
    #: Whether the model may call tools.
    tool_choice: Optional[Union[NewMessageToolChoice1, NewMessageToolChoice2, NewMessageToolChoice3]] = None
    #: The form of the answer, and how much the model thinks
    output_config: Optional[NewMessageOutputConfig] = None
    #: Additional data.
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
    #: The account concerned.
    user: Optional[str] = None


class NewResponsePromptVariablesValue2(_Record):
    #: Which type it is.
    type: Literal["input_text"]
    #: The text, or settings of it.
    text: str


class NewResponsePrompt(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[str] = None
    #: Values of the variables, by name.
    variables: Optional[Dict[str, Union[str, NewResponsePromptVariablesValue2]]] = None


class NewResponseInput2Item1Content2Item1(_Record):
    #: Which type it is.
    type: Union[Literal["input_text", "output_text"], str]
    #: The text, or settings of it.
    text: str


class NewResponseInput2Item1Content2Item2(_Record):
    #: Which type it is.
    type: Literal["refusal"]
    #: Text by which the model refused.
    refusal: str


class NewResponseInput2Item1Content2Item3(_Record):
    #: Which type it is.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Further facts for people.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class NewResponseInput2Item1Content2Item4(_Record):
    #: Which type it is.
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
    #: Which type it is.
    type: Optional[Literal["message"]] = None
    #: Who speaks, or the role of the account.
    role: Union[Literal["user", "assistant", "system", "developer"], str]
    #: The text, or what is stored of it.
    content: Union[str, List[Union[NewResponseInput2Item1Content2Item1, NewResponseInput2Item1Content2Item2, NewResponseInput2Item1Content2Item3, NewResponseInput2Item1Content2Item4]]]


class NewResponseInput2Item2(_Record):
    #: Which type it is.
    type: Literal["function_call"]
    #: Id of the tool call.
    call_id: str
    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class NewResponseInput2Item3Output2Item1(_Record):
    #: Which type it is.
    type: Union[Literal["input_text", "output_text"], str]
    #: The text, or settings of it.
    text: str


class NewResponseInput2Item3Output2Item2(_Record):
    #: Which type it is.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Further facts for people.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class NewResponseInput2Item3Output2Item3(_Record):
    #: Which type it is.
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
    #: Which type it is.
    type: Literal["function_call_output"]
    #: Id of the tool call.
    call_id: str
    #: What it produces.
    output: Union[str, List[Union[NewResponseInput2Item3Output2Item1, NewResponseInput2Item3Output2Item2, NewResponseInput2Item3Output2Item3]]]


class NewResponseInput2Item4(_Record):
    #: Which type it is.
    type: Literal["mcp_approval_response"]
    #: Id of the `mcp_approval_request`
    approval_request_id: str
    #: false: the call is refused, and the run goes on without it
    approve: bool
    #: For the model, when the call is refused
    reason: Optional[str] = None
    #: Id of the record; it never changes.
    id: Optional[str] = None


class NewResponseInput2Item5(_Record):
    #: Which type it is.
    type: Optional[Literal["item_reference"]] = None
    #: Id of the record; it never changes.
    id: str


class NewResponseConversation2(_Record):
    #: Id of the record; it never changes.
    id: str


class NewResponseTextFormat1(_Record):
    #: Which type it is.
    type: Literal["text"]


class NewResponseTextFormat2(_Record):
    #: Which type it is.
    type: Literal["json_object"]


class NewResponseTextFormat3(_Record):
    #: Name for people and programs.
    name: str
    #: JSON Schema of the data.
    schema_: Dict[str, Any] = Field(alias="schema")
    #: Whether the answer has to fit the schema exactly.
    strict: Optional[bool] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Which type it is.
    type: Literal["json_schema"]


class NewResponseText(_Record):
    #: Form of the text.
    format: Optional[Union[NewResponseTextFormat1, NewResponseTextFormat2, NewResponseTextFormat3]] = None
    #: How much the model writes.
    verbosity: Optional[Union[Literal["low", "medium", "high"], str]] = None


class NewResponseToolChoice2(_Record):
    #: Which type it is.
    type: Literal["function"]
    #: Name for people and programs.
    name: str


class NewResponseToolsItem(_Record):
    #: Which type it is.
    type: Literal["function"]
    #: Name for people and programs.
    name: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: Parameters by name.
    parameters: Optional[Dict[str, Any]] = None
    #: Whether the answer has to fit the schema exactly.
    strict: Optional[bool] = None


class NewResponseReasoning(_Record):
    #: How much the model reasons before it answers.
    effort: Optional[Union[Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"], str]] = None
    #: Whether each run begins a conversation, or all continue one.
    context: Any = None
    #: Only `standard`
    mode: Any = None
    #: Not supported: leave it out.
    summary: Any = None
    #: Not supported: leave it out.
    generate_summary: Any = None


class NewResponse(_Record):
    #: A prompt, by id or with its version and variables.
    prompt: Optional[NewResponsePrompt] = None
    #: What it works on.
    input: Optional[Union[str, List[Union[NewResponseInput2Item1, NewResponseInput2Item2, NewResponseInput2Item3, NewResponseInput2Item4, NewResponseInput2Item5]]]] = None
    #: What the model reads before each conversation.
    instructions: Optional[str] = None
    #: Id of the response that this one continues; null: none.
    previous_response_id: Optional[str] = None
    #: A conversation, or its id.
    conversation: Optional[Union[str, NewResponseConversation2]] = None
    #: Name of a language model.
    model: Optional[str] = None
    #: The most tokens to write; null: the limit of the model.
    max_output_tokens: Optional[int] = None
    #: Randomness of the answer; null: the default of the model.
    temperature: Optional[float] = None
    #: The text, or settings of it.
    text: Optional[NewResponseText] = None
    #: What happens with input that is too long.
    truncation: Optional[Union[Literal["auto", "disabled"], str]] = None
    #: Whether the response is stored.
    store: Optional[bool] = None
    #: Whether to answer with server-sent events.
    stream: Optional[bool] = None
    #: Additional data.
    metadata: Optional[Dict[str, str]] = None
    #: The account concerned.
    user: Optional[str] = None
    #: Id of the end user for the model server; null: none.
    safety_identifier: Optional[str] = None
    #: Key of the model server's cache; null: none.
    prompt_cache_key: Optional[str] = None
    #: Whether the model may call several tools at once.
    parallel_tool_calls: Optional[bool] = None
    #: Whether the model may call tools.
    tool_choice: Optional[Union[Union[Literal["auto", "none", "required"], str], NewResponseToolChoice2]] = None
    #: Tools by name, or calls of them.
    tools: Optional[List[NewResponseToolsItem]] = None
    #: Share of likely tokens that are considered; null: the default of the model.
    top_p: Optional[float] = None
    #: Settings of reasoning.
    reasoning: Optional[NewResponseReasoning] = None
    #: Not supported: leave it out.
    access_programs: Any = None
    #: Whether the response is made in the background.
    background: Optional[bool] = None
    #: Not supported: leave it out.
    context_management: Any = None
    #: Not supported: leave it out.
    image: Any = None
    #: Further parts to include in the answer.
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
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: What changed in this version, for people.
    log_message: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None


class NewConversation(_Record):
    #: Additional data.
    metadata: NewConversationMetadata


class ConversationChangesMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: What changed in this version, for people.
    log_message: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int] = None


class ConversationChanges(_Record):
    #: Additional data.
    metadata: Optional[ConversationChangesMetadata] = None


class StartConversationRequestItemsItem1Content2Item1(_Record):
    #: Which type it is.
    type: Union[Literal["input_text", "output_text"], str]
    #: The text, or settings of it.
    text: str


class StartConversationRequestItemsItem1Content2Item2(_Record):
    #: Which type it is.
    type: Literal["refusal"]
    #: Text by which the model refused.
    refusal: str


class StartConversationRequestItemsItem1Content2Item3(_Record):
    #: Which type it is.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Further facts for people.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class StartConversationRequestItemsItem1Content2Item4(_Record):
    #: Which type it is.
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
    #: Which type it is.
    type: Optional[Literal["message"]] = None
    #: Who speaks, or the role of the account.
    role: Union[Literal["user", "assistant", "system", "developer"], str]
    #: The text, or what is stored of it.
    content: Union[str, List[Union[StartConversationRequestItemsItem1Content2Item1, StartConversationRequestItemsItem1Content2Item2, StartConversationRequestItemsItem1Content2Item3, StartConversationRequestItemsItem1Content2Item4]]]


class StartConversationRequestItemsItem2(_Record):
    #: Which type it is.
    type: Literal["function_call"]
    #: Id of the tool call.
    call_id: str
    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class StartConversationRequestItemsItem3Output2Item1(_Record):
    #: Which type it is.
    type: Union[Literal["input_text", "output_text"], str]
    #: The text, or settings of it.
    text: str


class StartConversationRequestItemsItem3Output2Item2(_Record):
    #: Which type it is.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Further facts for people.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class StartConversationRequestItemsItem3Output2Item3(_Record):
    #: Which type it is.
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
    #: Which type it is.
    type: Literal["function_call_output"]
    #: Id of the tool call.
    call_id: str
    #: What it produces.
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
    #: Which type it is.
    type: Union[Literal["input_text", "output_text"], str]
    #: The text, or settings of it.
    text: str


class AddConversationItemsRequestItemsItem1Content2Item2(_Record):
    #: Which type it is.
    type: Literal["refusal"]
    #: Text by which the model refused.
    refusal: str


class AddConversationItemsRequestItemsItem1Content2Item3(_Record):
    #: Which type it is.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Further facts for people.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class AddConversationItemsRequestItemsItem1Content2Item4(_Record):
    #: Which type it is.
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
    #: Which type it is.
    type: Optional[Literal["message"]] = None
    #: Who speaks, or the role of the account.
    role: Union[Literal["user", "assistant", "system", "developer"], str]
    #: The text, or what is stored of it.
    content: Union[str, List[Union[AddConversationItemsRequestItemsItem1Content2Item1, AddConversationItemsRequestItemsItem1Content2Item2, AddConversationItemsRequestItemsItem1Content2Item3, AddConversationItemsRequestItemsItem1Content2Item4]]]


class AddConversationItemsRequestItemsItem2(_Record):
    #: Which type it is.
    type: Literal["function_call"]
    #: Id of the tool call.
    call_id: str
    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class AddConversationItemsRequestItemsItem3Output2Item1(_Record):
    #: Which type it is.
    type: Union[Literal["input_text", "output_text"], str]
    #: The text, or settings of it.
    text: str


class AddConversationItemsRequestItemsItem3Output2Item2(_Record):
    #: Which type it is.
    type: Literal["input_image"]
    #: Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls`
    image_url: Optional[str] = None
    #: Not supported
    file_id: Optional[str] = None
    #: Further facts for people.
    detail: Optional[Union[Literal["auto", "low", "high"], str]] = None


class AddConversationItemsRequestItemsItem3Output2Item3(_Record):
    #: Which type it is.
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
    #: Which type it is.
    type: Literal["function_call_output"]
    #: Id of the tool call.
    call_id: str
    #: What it produces.
    output: Union[str, List[Union[AddConversationItemsRequestItemsItem3Output2Item1, AddConversationItemsRequestItemsItem3Output2Item2, AddConversationItemsRequestItemsItem3Output2Item3]]]


class AddConversationItemsRequest(_Record):
    #: Messages and calls of functions, 1 to 20
    items: List[Union[AddConversationItemsRequestItemsItem1, AddConversationItemsRequestItemsItem2, AddConversationItemsRequestItemsItem3]]


class NewAgentMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: str
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published"], str]] = None


class NewAgent(_Record):
    #: The text, or what is stored of it.
    content: str
    #: First characters.
    prefix: Optional[str] = None
    #: Additional data.
    metadata: NewAgentMetadata


class AgentChangesMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published"], str]] = None
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int] = None


class AgentChanges(_Record):
    #: The text, or what is stored of it.
    content: Optional[str] = None
    #: Additional data.
    metadata: Optional[AgentChangesMetadata] = None


class NewArtifactMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: What changed in this version, for people.
    log_message: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None


class NewArtifact(_Record):
    #: The text, or what is stored of it.
    content: str
    #: Additional data.
    metadata: NewArtifactMetadata


class ArtifactChangesMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: What changed in this version, for people.
    log_message: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int] = None


class ArtifactChanges(_Record):
    #: The text, or what is stored of it.
    content: Optional[str] = None
    #: Additional data.
    metadata: Optional[ArtifactChangesMetadata] = None


class NewBlockMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: What changed in this version, for people.
    log_message: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None


class NewBlock(_Record):
    #: First characters.
    prefix: str
    #: The text, or what is stored of it.
    content: Optional[str] = None
    #: Additional data.
    metadata: NewBlockMetadata


class BlockChangesMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: Optional[str] = None
    #: Purpose of the record.
    description: Optional[str] = None
    #: Words to find it by.
    tag: Optional[List[str]] = None
    #: What changed in this version, for people.
    log_message: Optional[str] = None
    #: State of the record.
    status: Optional[Union[Literal["draft", "published", "archived"], str]] = None
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: Optional[int] = None


class BlockChanges(_Record):
    #: First characters.
    prefix: Optional[str] = None
    #: The text, or what is stored of it.
    content: Optional[str] = None
    #: Additional data.
    metadata: Optional[BlockChangesMetadata] = None


class MakeChangesRequestChangesItem11(_Record):
    #: Which kind it is.
    kind: Literal["block"]
    #: What was done or attempted.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewBlock = Field(alias="fields")


class MakeChangesRequestChangesItem12(_Record):
    #: Which kind it is.
    kind: Literal["block"]
    #: What was done or attempted.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: BlockChanges = Field(alias="fields")


class MakeChangesRequestChangesItem13(_Record):
    #: Which kind it is.
    kind: Literal["block"]
    #: What was done or attempted.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequestChangesItem21(_Record):
    #: Which kind it is.
    kind: Literal["prompt"]
    #: What was done or attempted.
    action: Literal["create"]
    #: A name, such as `@a`, for later changes of the request
    ref: Optional[str] = None
    #: Fields of the new record
    fields_: NewPrompt = Field(alias="fields")


class MakeChangesRequestChangesItem22(_Record):
    #: Which kind it is.
    kind: Literal["prompt"]
    #: What was done or attempted.
    action: Literal["update"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None
    #: Fields that change
    fields_: PromptChanges = Field(alias="fields")


class MakeChangesRequestChangesItem23(_Record):
    #: Which kind it is.
    kind: Literal["prompt"]
    #: What was done or attempted.
    action: Literal["delete"]
    #: Id of the record, or the `ref` of an earlier change
    id: str
    #: The ETag of the version that was read
    if_match: Optional[str] = None


class MakeChangesRequest(_Record):
    #: Fields that differ.
    changes: List[Union[Union[MakeChangesRequestChangesItem11, MakeChangesRequestChangesItem12, MakeChangesRequestChangesItem13], Union[MakeChangesRequestChangesItem21, MakeChangesRequestChangesItem22, MakeChangesRequestChangesItem23]]]


class OwnUserChangesUser(_Record):
    """The account concerned."""

    #: Name for people and programs.
    name: Optional[str] = None


class OwnUserChanges(_Record):
    #: The account concerned.
    user: Optional[OwnUserChangesUser] = None


class RenderPromptAnswerDataTokenCounts(_Record):
    """Tokens of each part."""

    #: The static part.
    static: int
    #: The dynamic part.
    dynamic: int
    #: State at present.
    state: int


class RenderPromptAnswerData(_Record):
    """The content."""

    #: The static part.
    static: str
    #: The dynamic part.
    dynamic: str
    #: State at present.
    state: str
    #: JSON Schema of the output.
    output_schema: Dict[str, Any]
    #: Names of the variables that were replaced.
    parsed_tokens: List[str]
    #: Tokens of each part.
    token_counts: RenderPromptAnswerDataTokenCounts
    #: A prompt, by id or with its version and variables.
    prompt: Prompt


class RenderPromptAnswer(_Record):
    #: Whether it succeeded.
    success: bool
    #: The content.
    data: RenderPromptAnswerData
    #: Remarks about input that was not used or is missing.
    warnings: List[str]


class DiffPromptVersionsAnswerChangesItemLinesItem(_Record):
    #: Which kind it is.
    kind: Union[Literal["same", "added", "removed"], str]
    #: The text, or settings of it.
    text: str


class DiffPromptVersionsAnswerChangesItem(_Record):
    #: Where: a path or an address below the base address.
    path: str
    #: The earlier value.
    from_: Any = Field(alias="from")
    #: The later value.
    to: Any
    #: Lines of a text, each kept, added or removed.
    lines: Optional[List[DiffPromptVersionsAnswerChangesItemLinesItem]] = None


class DiffPromptVersionsAnswer(_Record):
    #: A prompt, by id or with its version and variables.
    prompt: str
    #: Start of the period.
    from_: int = Field(alias="from")
    #: End of the period.
    to: int
    #: Fields that differ.
    changes: List[DiffPromptVersionsAnswerChangesItem]


class MovePromptLabelAnswer(_Record):
    #: Name for people and programs.
    name: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: Whether moves need an admin and a reason; in a signature, its protected header.
    protected: bool
    #: A prompt, by id or with its version and variables.
    prompt: str
    #: When the record last changed, in UTC.
    updated: str
    #: Name of the author.
    author: str
    #: Address of the record.
    link: str = Field(alias="_link")


class RunPromptAnswerDataMessageReferenceItem(_Record):
    #: Id of the record, a UUID.
    uuid: str
    #: Address of the record.
    link: str
    #: Which type it is.
    type: str


class RunPromptAnswerDataMessageMetadata(_Record):
    """Additional data."""

    #: Title for people.
    title: str
    #: Purpose of the record.
    description: str
    #: Words to find it by.
    tag: List[str]
    #: What changed in this version, for people.
    log_message: str
    #: When the record was made, in UTC.
    created: str
    #: When the record last changed, in UTC.
    updated: str
    #: Version of the record: each change makes the next one. It is also its ETag.
    version: int
    #: State of the record.
    status: Union[Literal["draft", "published", "archived"], str]
    #: Name of the author.
    author: str


class RunPromptAnswerDataMessage(_Record):
    """Sentence for people."""

    #: Id of the record; it never changes.
    id: str
    #: Who speaks, or the role of the account.
    role: Union[Literal["system", "user", "assistant", "tool"], str]
    #: The text, or what is stored of it.
    content: str
    #: Records that it refers to.
    reference: List[RunPromptAnswerDataMessageReferenceItem]
    #: Name of a language model.
    model: str
    #: Additional data.
    metadata: RunPromptAnswerDataMessageMetadata


class RunPromptAnswerData(_Record):
    """The content."""

    #: Sentence for people.
    message: RunPromptAnswerDataMessage
    #: A conversation, or its id.
    conversation: Conversation
    #: Values of the input, as its schema describes.
    structured_data: Dict[str, Any]


class RunPromptAnswerMetadataUsagePromptTokensDetails(_Record):
    """Tokens that the model read, by kind."""

    #: Tokens that came from the model server's cache.
    cached_tokens: int


class RunPromptAnswerMetadataUsageCompletionTokensDetails(_Record):
    """Tokens that the model wrote, by kind."""

    #: Tokens of reasoning.
    reasoning_tokens: int


class RunPromptAnswerMetadataUsage(_Record):
    """What was used."""

    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: int
    #: Tokens that were read and written.
    total_tokens: int
    #: Tokens that the model read, by kind.
    prompt_tokens_details: Optional[RunPromptAnswerMetadataUsagePromptTokensDetails] = None
    #: Tokens that the model wrote, by kind.
    completion_tokens_details: Optional[RunPromptAnswerMetadataUsageCompletionTokensDetails] = None


class RunPromptAnswerMetadata(_Record):
    """Additional data."""

    #: Id of the record; it never changes.
    id: str
    #: Type of the object, as OpenAI names it.
    object: str
    #: When the record was made, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: Build of the model, as its server reports it.
    system_fingerprint: str
    #: The answers; there is one.
    choices: List[Any]
    #: What was used.
    usage: RunPromptAnswerMetadataUsage


class RunPromptAnswer(_Record):
    #: Whether it succeeded.
    success: bool
    #: The content.
    data: RunPromptAnswerData
    #: Additional data.
    metadata: RunPromptAnswerMetadata
    #: Remarks about input that was not used or is missing.
    warnings: List[str]
    #: Cost in US dollars; null while no price is known.
    cost_usd: Optional[float] = None


class RenderDraftAnswerDataTokenCounts(_Record):
    """Tokens of each part."""

    #: The static part.
    static: int
    #: The dynamic part.
    dynamic: int
    #: State at present.
    state: int


class RenderDraftAnswerDataTokensItem(_Record):
    #: Name for people and programs.
    name: str
    #: Where it comes from.
    source: Optional[Union[Literal["built_in", "input", "block"], str]]


class RenderDraftAnswerData(_Record):
    """The content."""

    #: The static part.
    static: str
    #: The dynamic part.
    dynamic: str
    #: State at present.
    state: str
    #: JSON Schema of the output.
    output_schema: Dict[str, Any]
    #: Names of the variables that were replaced.
    parsed_tokens: List[str]
    #: Tokens of each part.
    token_counts: RenderDraftAnswerDataTokenCounts
    #: Variables or tokens: their names, or their number.
    tokens: List[RenderDraftAnswerDataTokensItem]


class RenderDraftAnswerFaultsItem(_Record):
    #: The field at fault, dotted.
    field: str
    #: The reason, in a few words.
    reason: str


class RenderDraftAnswerFindingsItem(_Record):
    #: Part of the instructions.
    part: Union[Literal["static", "state", "dynamic"], str]
    #: Line, from 1.
    line: int
    #: Column, from 1.
    column: int
    #: The reason, in a few words.
    reason: str


class RenderDraftAnswer(_Record):
    #: Whether it succeeded.
    success: bool
    #: The content.
    data: RenderDraftAnswerData
    #: Remarks about input that was not used or is missing.
    warnings: List[str]
    #: What is wrong.
    faults: List[RenderDraftAnswerFaultsItem]
    #: What is wrong, with its place.
    findings: List[RenderDraftAnswerFindingsItem]


class RunDraftAnswerMetadataUsagePromptTokensDetails(_Record):
    """Tokens that the model read, by kind."""

    #: Tokens that came from the model server's cache.
    cached_tokens: int


class RunDraftAnswerMetadataUsageCompletionTokensDetails(_Record):
    """Tokens that the model wrote, by kind."""

    #: Tokens of reasoning.
    reasoning_tokens: int


class RunDraftAnswerMetadataUsage(_Record):
    """What was used."""

    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: int
    #: Tokens that were read and written.
    total_tokens: int
    #: Tokens that the model read, by kind.
    prompt_tokens_details: Optional[RunDraftAnswerMetadataUsagePromptTokensDetails] = None
    #: Tokens that the model wrote, by kind.
    completion_tokens_details: Optional[RunDraftAnswerMetadataUsageCompletionTokensDetails] = None


class RunDraftAnswerMetadata(_Record):
    """Additional data."""

    #: Id of the record; it never changes.
    id: str
    #: Type of the object, as OpenAI names it.
    object: str
    #: When the record was made, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: Build of the model, as its server reports it.
    system_fingerprint: str
    #: The answers; there is one.
    choices: List[Any]
    #: What was used.
    usage: RunDraftAnswerMetadataUsage


class RunDraftAnswerData(_Record):
    """The content."""

    #: The text, or what is stored of it.
    content: str
    #: Values of the input, as its schema describes.
    structured_data: Dict[str, Any]


class RunDraftAnswer(_Record):
    #: Whether it succeeded.
    success: bool
    #: Additional data.
    metadata: RunDraftAnswerMetadata
    #: Remarks about input that was not used or is missing.
    warnings: List[str]
    #: Cost in US dollars; null while no price is known.
    cost_usd: Optional[float] = None
    #: The run concerned.
    run: str
    #: The content.
    data: RunDraftAnswerData


class CreatedChatCompletionChoicesItemMessageToolCallsItemFunction(_Record):
    """The function of the client, or a call of it."""

    #: Name for people and programs.
    name: str
    #: Arguments of the call, as JSON.
    arguments: str


class CreatedChatCompletionChoicesItemMessageToolCallsItem(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: Literal["function"]
    #: The function of the client, or a call of it.
    function: CreatedChatCompletionChoicesItemMessageToolCallsItemFunction


class CreatedChatCompletionChoicesItemMessage(_Record):
    """Sentence for people."""

    #: Who speaks, or the role of the account.
    role: Literal["assistant"]
    #: The text, or what is stored of it.
    content: Optional[str]
    #: Text by which the model refused.
    refusal: Optional[str]
    #: Calls of tools so far.
    tool_calls: Optional[List[CreatedChatCompletionChoicesItemMessageToolCallsItem]] = None


class CreatedChatCompletionChoicesItem(_Record):
    #: Position, from 0.
    index: int
    #: Sentence for people.
    message: CreatedChatCompletionChoicesItemMessage
    #: Not supported: false or null.
    logprobs: None
    #: Why the model ended; null: it has not.
    finish_reason: Union[Literal["stop", "length", "tool_calls", "content_filter"], str]


class CreatedChatCompletionUsagePromptTokensDetails(_Record):
    """Tokens that the model read, by kind."""

    #: Tokens that came from the model server's cache.
    cached_tokens: int


class CreatedChatCompletionUsageCompletionTokensDetails(_Record):
    """Tokens that the model wrote, by kind."""

    #: Tokens of reasoning.
    reasoning_tokens: int


class CreatedChatCompletionUsage(_Record):
    """What was used."""

    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that the model wrote; null: unknown.
    completion_tokens: int
    #: Tokens that were read and written.
    total_tokens: int
    #: Tokens that the model read, by kind.
    prompt_tokens_details: Optional[CreatedChatCompletionUsagePromptTokensDetails] = None
    #: Tokens that the model wrote, by kind.
    completion_tokens_details: Optional[CreatedChatCompletionUsageCompletionTokensDetails] = None


class CreatedChatCompletion(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Type of the object, as OpenAI names it.
    object: Literal["chat.completion"]
    #: When the record was made, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: The answers; there is one.
    choices: List[CreatedChatCompletionChoicesItem]
    #: What was used.
    usage: CreatedChatCompletionUsage
    #: Id of the run, which the runtime API shows
    run: str
    #: Remarks about input that was not used or is missing.
    warnings: List[str]


class CreatedMessageContentItem1(_Record):
    #: Which type it is.
    type: Literal["text"]
    #: The text, or settings of it.
    text: str


class CreatedMessageContentItem2(_Record):
    #: Which type it is.
    type: Literal["tool_use"]
    #: Id of the record; it never changes.
    id: str
    #: Name for people and programs.
    name: str
    #: What it works on.
    input: Dict[str, Any]


class CreatedMessageUsage(_Record):
    """What was used."""

    #: Tokens that the model read.
    input_tokens: int
    #: Tokens that the model wrote.
    output_tokens: int
    #: As reported by the server of the model; absent when it reports none
    cache_read_input_tokens: Optional[int] = None


class CreatedMessage(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Which type it is.
    type: Literal["message"]
    #: Who speaks, or the role of the account.
    role: Literal["assistant"]
    #: Name of a language model.
    model: str
    #: The text, or what is stored of it.
    content: List[Union[CreatedMessageContentItem1, CreatedMessageContentItem2]]
    #: Why the answer ended; `end_turn` also after a stop sequence
    stop_reason: Union[Literal["end_turn", "max_tokens", "tool_use", "refusal"], str]
    #: Not known: always null
    stop_sequence: None
    #: What was used.
    usage: CreatedMessageUsage
    #: Id of the run, which the runtime API shows
    run: str
    #: Remarks about input that was not used or is missing.
    warnings: List[str]


class CreatedEmbeddingsDataItem(_Record):
    #: Type of the object, as OpenAI names it.
    object: Literal["embedding"]
    #: Position, from 0.
    index: int
    #: Numbers, or their base64 where the request asked for it
    embedding: Union[List[float], str]


class CreatedEmbeddingsUsage(_Record):
    """What was used."""

    #: Tokens that the model read; null: unknown.
    prompt_tokens: int
    #: Tokens that were read and written.
    total_tokens: int


class CreatedEmbeddings(_Record):
    #: Type of the object, as OpenAI names it.
    object: Literal["list"]
    #: The content.
    data: List[CreatedEmbeddingsDataItem]
    #: Name of a language model.
    model: str
    #: What was used.
    usage: CreatedEmbeddingsUsage


class OpenAiConversation(_Record):
    #: Id of the conversation, as `/v1/conversation` has it
    id: str
    #: Type of the object, as OpenAI names it.
    object: Literal["conversation"]
    #: Unix time in seconds
    created_at: int
    #: The client's own pairs, at most 16
    metadata: Dict[str, str]


class EndConversationAnswer(_Record):
    #: Id of the conversation
    id: str
    #: Type of the object, as OpenAI names it.
    object: Literal["conversation.deleted"]
    #: Always true
    deleted: Literal[True]


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


class RunPromptEvent1ChoicesItemDelta(_Record):
    """The next piece of the text."""

    #: The text, or what is stored of it.
    content: str


class RunPromptEvent1ChoicesItem(_Record):
    #: Position, from 0.
    index: int
    #: The next piece of the text.
    delta: RunPromptEvent1ChoicesItemDelta
    #: Why the model ended; null: it has not.
    finish_reason: Optional[str]


class RunPromptEvent1(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Type of the object, as OpenAI names it.
    object: Literal["chat.completion.chunk"]
    #: When the record was made, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: The answers; there is one.
    choices: List[RunPromptEvent1ChoicesItem]


class RunPromptEvent2(_Record):
    #: Remarks about input that was not used or is missing.
    warnings: List[str]


class RunPromptEvent4Error(_Record):
    """What failed; null or absent: nothing."""

    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str
    #: State of the record.
    status: int


class RunPromptEvent4(_Record):
    #: What failed; null or absent: nothing.
    error: RunPromptEvent4Error
    #: Sentence for people.
    message: str


class RunDraftEvent1ChoicesItemDelta(_Record):
    """The next piece of the text."""

    #: The text, or what is stored of it.
    content: str


class RunDraftEvent1ChoicesItem(_Record):
    #: Position, from 0.
    index: int
    #: The next piece of the text.
    delta: RunDraftEvent1ChoicesItemDelta
    #: Why the model ended; null: it has not.
    finish_reason: Optional[str]


class RunDraftEvent1(_Record):
    #: Id of the record; it never changes.
    id: str
    #: Type of the object, as OpenAI names it.
    object: Literal["chat.completion.chunk"]
    #: When the record was made, in UTC.
    created: int
    #: Name of a language model.
    model: str
    #: The answers; there is one.
    choices: List[RunDraftEvent1ChoicesItem]


class RunDraftEvent2(_Record):
    #: Remarks about input that was not used or is missing.
    warnings: List[str]


class RunDraftEvent4Error(_Record):
    """What failed; null or absent: nothing."""

    #: Name of the fault for programs; it stays the same in later releases.
    code: str
    #: Sentence for people.
    message: str
    #: State of the record.
    status: int


class RunDraftEvent4(_Record):
    #: What failed; null or absent: nothing.
    error: RunDraftEvent4Error
    #: Sentence for people.
    message: str


class CreateResponseEvent(_Record):
    """With `stream: true`: response.created, response.in_progress, response.output_item.added, response.content_part.added, response.output_text.delta, response.output_text.done, response.content_part.done, response.output_item.done, and last response.completed, response.incomplete or response.failed; `error` for a failure in between, of which nothing is stored. An answer that must fit a schema is sent when it has been checked."""

    #: Which type it is.
    type: str
    #: Number of the event in the stream, from 0.
    sequence_number: int


class GetResponseEvent(_Record):
    """With `stream=true`: the events of the response, from its beginning"""

    #: Which type it is.
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
