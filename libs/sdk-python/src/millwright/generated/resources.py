"""Made by `npm run openapi`: do not edit."""

from __future__ import annotations

from typing import Any, Iterator, Literal, Mapping, Optional, Sequence, TYPE_CHECKING, Union

from .._call import Call, FileContent, RequestOptions, given, segment
from .._model import NOT_GIVEN, NotGiven, StreamEvent
from .._pages import Pages
from . import platform, prompt, runtime

if TYPE_CHECKING:
    from .._send import Download, Sender


class SkillsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.Skill, platform.SkillList]:
        """List skills. Requires the scope `skills:read`."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/skills", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status}), options=options), "page", platform.SkillList)

    def create(
        self,
        *,
        name: str,
        description: str,
        instructions: str,
        parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Skill:
        """Create a skill. Requires the scope `skills:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/skills", body=given({"name": name, "description": description, "instructions": instructions, "parameters": parameters}), keyed=True, options=options), platform.Skill)

    def import_(
        self,
        text: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Skill:
        """Import a SKILL.md as a skill. Requires the scope `skills:write`. The body is a text of type `text/markdown`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/skills/import", text=text, content_type="text/markdown", keyed=True, options=options), platform.Skill)

    def export(
        self,
        skill_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> str:
        """Export a skill as a SKILL.md. Requires the scope `skills:read`."""
        return self._sender.text(Call("platform", "GET", f"/api/v1/skills/{segment('skill_id', skill_id)}/skill.md", options=options))

    def get(
        self,
        skill_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Skill:
        """Retrieve a skill. Requires the scope `skills:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/skills/{segment('skill_id', skill_id)}", options=options), platform.Skill)

    def replace(
        self,
        skill_id: Union[str, int],
        *,
        name: str,
        description: str,
        instructions: str,
        parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Skill:
        """Replace a skill. Requires the scope `skills:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/skills/{segment('skill_id', skill_id)}", body=given({"name": name, "description": description, "instructions": instructions, "parameters": parameters, "status": status}), options=options), platform.Skill)

    def update(
        self,
        skill_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, NotGiven] = NOT_GIVEN,
        instructions: Union[str, NotGiven] = NOT_GIVEN,
        parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Skill:
        """Update fields of a skill. Requires the scope `skills:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/skills/{segment('skill_id', skill_id)}", body=given({"name": name, "description": description, "instructions": instructions, "parameters": parameters, "status": status}), options=options), platform.Skill)

    def delete(
        self,
        skill_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a skill. Agents that use it lose it. Requires the scope `skills:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/skills/{segment('skill_id', skill_id)}", options=options))

    def list_versions(
        self,
        skill_id: Union[str, int],
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.SkillVersion, platform.SkillVersionList]:
        """List the versions of a skill. Requires the scope `skills:read`."""
        return self._sender.pages(Call("platform", "GET", f"/api/v1/skills/{segment('skill_id', skill_id)}/versions", query=given({"page": page, "per_page": per_page, "skip": skip}), options=options), "page", platform.SkillVersionList)

    def get_version(
        self,
        skill_id: Union[str, int],
        version: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.SkillVersion:
        """Retrieve a version of a skill. Requires the scope `skills:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/skills/{segment('skill_id', skill_id)}/versions/{segment('version', version)}", options=options), platform.SkillVersion)

    def restore_version(
        self,
        skill_id: Union[str, int],
        version: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Skill:
        """Restore a version of a skill as a new one. Requires the scope `skills:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/skills/{segment('skill_id', skill_id)}/versions/{segment('version', version)}/restore", keyed=True, options=options), platform.Skill)


class AgentsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        callable_by: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.Agent, platform.AgentList]:
        """List agents. Requires the scope `agents:read`."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/agents", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status, "callable_by": callable_by}), options=options), "page", platform.AgentList)

    def create(
        self,
        *,
        name: str,
        description: str,
        skill_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        plugin_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        content_tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_server_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        agent_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        ask_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        model: Union[Optional[str], NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        instructions: Union[str, NotGiven] = NOT_GIVEN,
        on_unknown: Union[Literal["ask", "tell", "fail"], NotGiven] = NOT_GIVEN,
        published: Union[bool, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Agent:
        """Create an agent. Requires the scope `agents:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/agents", body=given({"name": name, "description": description, "skill_ids": skill_ids, "plugin_ids": plugin_ids, "content_tags": content_tags, "mcp_server_ids": mcp_server_ids, "agent_ids": agent_ids, "mcp_tools": mcp_tools, "ask_tools": ask_tools, "model": model, "model_parameters": model_parameters, "instructions": instructions, "on_unknown": on_unknown, "published": published}), keyed=True, options=options), platform.Agent)

    def get(
        self,
        agent_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Agent:
        """Retrieve an agent. Requires the scope `agents:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/agents/{segment('agent_id', agent_id)}", options=options), platform.Agent)

    def replace(
        self,
        agent_id: Union[str, int],
        *,
        name: str,
        description: str,
        skill_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        plugin_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        content_tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_server_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        agent_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        ask_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        model: Union[Optional[str], NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        instructions: Union[str, NotGiven] = NOT_GIVEN,
        on_unknown: Union[Literal["ask", "tell", "fail"], NotGiven] = NOT_GIVEN,
        published: Union[bool, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        slug: Union[str, NotGiven] = NOT_GIVEN,
        is_default: Union[bool, NotGiven] = NOT_GIVEN,
        stopped_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Agent:
        """Replace an agent. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/agents/{segment('agent_id', agent_id)}", body=given({"name": name, "description": description, "skill_ids": skill_ids, "plugin_ids": plugin_ids, "content_tags": content_tags, "mcp_server_ids": mcp_server_ids, "agent_ids": agent_ids, "mcp_tools": mcp_tools, "ask_tools": ask_tools, "model": model, "model_parameters": model_parameters, "instructions": instructions, "on_unknown": on_unknown, "published": published, "status": status, "slug": slug, "is_default": is_default, "stopped_at": stopped_at}), options=options), platform.Agent)

    def update(
        self,
        agent_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, NotGiven] = NOT_GIVEN,
        skill_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        plugin_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        content_tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_server_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        agent_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        ask_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        model: Union[Optional[str], NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        instructions: Union[str, NotGiven] = NOT_GIVEN,
        on_unknown: Union[Literal["ask", "tell", "fail"], NotGiven] = NOT_GIVEN,
        published: Union[bool, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        slug: Union[str, NotGiven] = NOT_GIVEN,
        is_default: Union[bool, NotGiven] = NOT_GIVEN,
        stopped_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Agent:
        """Update fields of an agent. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/agents/{segment('agent_id', agent_id)}", body=given({"name": name, "description": description, "skill_ids": skill_ids, "plugin_ids": plugin_ids, "content_tags": content_tags, "mcp_server_ids": mcp_server_ids, "agent_ids": agent_ids, "mcp_tools": mcp_tools, "ask_tools": ask_tools, "model": model, "model_parameters": model_parameters, "instructions": instructions, "on_unknown": on_unknown, "published": published, "status": status, "slug": slug, "is_default": is_default, "stopped_at": stopped_at}), options=options), platform.Agent)

    def delete(
        self,
        agent_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete an agent. Its conversations and versions are deleted. Runs that have begun finish on their version, for 30 days at most; those that are queued fail with `agent_deleted`. To end them all, stop the agent first, by `POST /api/v1/agents/{agent_name}/stop` of the runtime API. An agent that is stopped or inactive leaves no run that finishes. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/agents/{segment('agent_id', agent_id)}", options=options))

    def list_skills(
        self,
        agent_id: Union[str, int],
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.Skill, platform.SkillList]:
        """List the skills of an agent. Requires the scope `agents:read`."""
        return self._sender.pages(Call("platform", "GET", f"/api/v1/agents/{segment('agent_id', agent_id)}/skills", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status}), options=options), "page", platform.SkillList)

    def assign_skill(
        self,
        agent_id: Union[str, int],
        *,
        skill_id: str,
        options: Optional[RequestOptions] = None,
    ) -> platform.Skill:
        """Assign a skill. Requires the scope `agents:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/agents/{segment('agent_id', agent_id)}/skills", body=given({"skill_id": skill_id}), keyed=True, options=options), platform.Skill)

    def remove_skill(
        self,
        agent_id: Union[str, int],
        skill_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Remove a skill from the agent. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/agents/{segment('agent_id', agent_id)}/skills/{segment('skill_id', skill_id)}", options=options))

    def mark_default(
        self,
        agent_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Agent:
        """Make an agent the installation's default. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/agents/{segment('agent_id', agent_id)}/default", options=options), platform.Agent)

    def unmark_default(
        self,
        agent_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Unset the default agent. The oldest active, published agent takes its place. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/agents/{segment('agent_id', agent_id)}/default", options=options))

    def list_versions(
        self,
        agent_id: Union[str, int],
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.AgentVersion, platform.AgentVersionList]:
        """List the versions of an agent. Requires the scope `agents:read`."""
        return self._sender.pages(Call("platform", "GET", f"/api/v1/agents/{segment('agent_id', agent_id)}/versions", query=given({"page": page, "per_page": per_page, "skip": skip}), options=options), "page", platform.AgentVersionList)

    def get_version(
        self,
        agent_id: Union[str, int],
        version: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.AgentVersion:
        """Retrieve a version of an agent. Requires the scope `agents:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/agents/{segment('agent_id', agent_id)}/versions/{segment('version', version)}", options=options), platform.AgentVersion)

    def restore_version(
        self,
        agent_id: Union[str, int],
        version: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Agent:
        """Restore a version of an agent as a new one. Requires the scope `agents:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/agents/{segment('agent_id', agent_id)}/versions/{segment('version', version)}/restore", keyed=True, options=options), platform.Agent)

    def list_registered(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.AgentSummary, runtime.AgentList]:
        """List agents. Requires the scope `agents:read`."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/agents/registry", query=given({"limit": limit, "offset": offset}), options=options), "offset", runtime.AgentList)

    def get_registered(
        self,
        agent_name: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.Agent:
        """Retrieve an agent. Requires the scope `agents:read`."""
        return self._sender.json(Call("runtime", "GET", f"/api/v1/agents/{segment('agent_name', agent_name)}", options=options), runtime.Agent)

    def stop(
        self,
        agent_name: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.StopAgentAnswer:
        """Stop an agent at work: its runs are canceled in every process, and none starts until it is released. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", f"/api/v1/agents/{segment('agent_name', agent_name)}/stop", keyed=True, options=options), runtime.StopAgentAnswer)

    def release(
        self,
        agent_name: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.StopAgentAnswer:
        """Release a stopped agent, so that its runs start again. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", f"/api/v1/agents/{segment('agent_name', agent_name)}/release", keyed=True, options=options), runtime.StopAgentAnswer)

    def send_message(
        self,
        agent_name: Union[str, int],
        *,
        content: str,
        context_id: Union[str, NotGiven] = NOT_GIVEN,
        images: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        replaces: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.SendMessageAnswer:
        """Send a message to an agent. Requires the scope `agents:message`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With `Accept: text/event-stream` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", f"/api/v1/agents/{segment('agent_name', agent_name)}/messages", body=given({"content": content, "context_id": context_id, "images": images, "replaces": replaces}), keyed=True, options=options), runtime.SendMessageAnswer)

    def send_message_stream(
        self,
        agent_name: Union[str, int],
        *,
        content: str,
        context_id: Union[str, NotGiven] = NOT_GIVEN,
        images: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        replaces: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Iterator[Union[StreamEvent[Literal["message.started"], runtime.SendMessageMessageStarted], StreamEvent[Literal["run.running"], runtime.SendMessageRunRunning], StreamEvent[Literal["message.delta"], runtime.SendMessageMessageDelta], StreamEvent[Literal["tool.call"], runtime.SendMessageToolCall], StreamEvent[Literal["tool.result"], runtime.SendMessageToolResult], StreamEvent[Literal["message.completed"], runtime.SendMessageMessageCompleted], StreamEvent[Literal["run.waiting"], runtime.SendMessageRunWaiting]]]:
        """Send a message to an agent. Requires the scope `agents:message`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With `Accept: text/event-stream` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.events(Call("runtime", "POST", f"/api/v1/agents/{segment('agent_name', agent_name)}/messages", body=given({"content": content, "context_id": context_id, "images": images, "replaces": replaces}), keyed=True, query={"stream": True}, options=options), {"message.started": runtime.SendMessageMessageStarted, "run.running": runtime.SendMessageRunRunning, "message.delta": runtime.SendMessageMessageDelta, "tool.call": runtime.SendMessageToolCall, "tool.result": runtime.SendMessageToolResult, "message.completed": runtime.SendMessageMessageCompleted, "run.waiting": runtime.SendMessageRunWaiting}, None, ["message.completed","run.waiting"], False)

    def list_contexts(
        self,
        agent_name: Union[str, int],
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.ContextSummary, runtime.ContextList]:
        """List your conversations with an agent, latest first. Requires the scope `agents:message`."""
        return self._sender.pages(Call("runtime", "GET", f"/api/v1/agents/{segment('agent_name', agent_name)}/contexts", query=given({"limit": limit, "offset": offset}), options=options), "offset", runtime.ContextList)

    def get_context(
        self,
        agent_name: Union[str, int],
        context_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.Context:
        """Read one of your conversations with an agent. Requires the scope `agents:message`."""
        return self._sender.json(Call("runtime", "GET", f"/api/v1/agents/{segment('agent_name', agent_name)}/contexts/{segment('context_id', context_id)}", options=options), runtime.Context)

    def delete_context(
        self,
        agent_name: Union[str, int],
        context_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.DeleteContextAnswer:
        """Delete one of your conversations with an agent, with its messages and tasks. Requires the scope `agents:message`."""
        return self._sender.json(Call("runtime", "DELETE", f"/api/v1/agents/{segment('agent_name', agent_name)}/contexts/{segment('context_id', context_id)}", options=options), runtime.DeleteContextAnswer)

    def list_conversations(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        agent: Union[str, NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.ConversationSummary, runtime.ConversationList]:
        """List your conversations with all agents, pinned ones first, then the latest. Requires the scope `agents:message`."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/contexts", query=given({"limit": limit, "offset": offset, "agent": agent, "search": search}), options=options), "offset", runtime.ConversationList)

    def get_conversation(
        self,
        context_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.Conversation:
        """Read a conversation of yours, or one that a user of your project shares. Requires the scope `agents:message`."""
        return self._sender.json(Call("runtime", "GET", f"/api/v1/contexts/{segment('context_id', context_id)}", options=options), runtime.Conversation)

    def update_conversation(
        self,
        context_id: Union[str, int],
        *,
        title: Union[str, NotGiven] = NOT_GIVEN,
        pinned: Union[bool, NotGiven] = NOT_GIVEN,
        shared: Union[bool, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.ConversationSummary:
        """Rename, pin or share one of your conversations. Requires the scope `agents:message`."""
        return self._sender.json(Call("runtime", "PATCH", f"/api/v1/contexts/{segment('context_id', context_id)}", body=given({"title": title, "pinned": pinned, "shared": shared}), options=options), runtime.ConversationSummary)

    def delete_conversation(
        self,
        context_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.DeleteContextAnswer:
        """Delete one of your conversations, with its messages and tasks. Requires the scope `agents:message`."""
        return self._sender.json(Call("runtime", "DELETE", f"/api/v1/contexts/{segment('context_id', context_id)}", options=options), runtime.DeleteContextAnswer)

    def get_conversation_image(
        self,
        context_id: Union[str, int],
        image_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Download:
        """Download an image of a conversation of yours, or of one that a user of your project shares, or get its record. Requires the scope `agents:message`. The answer is the bytes; a range of them by `Range`. With `Accept: application/json` it is the record."""
        return self._sender.download(Call("runtime", "GET", f"/api/v1/contexts/{segment('context_id', context_id)}/images/{segment('image_id', image_id)}", options=options))


class PluginsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.Plugin, platform.PluginList]:
        """List installed plugins. Requires the scope `plugins:read`."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/plugins", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status}), options=options), "page", platform.PluginList)

    def install(
        self,
        *,
        name: str,
        type: Literal["tool", "data_source", "integration", "filter"],
        config: Mapping[str, Any],
        description: Union[str, NotGiven] = NOT_GIVEN,
        config_schema: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Plugin:
        """Install a plugin. Requires the scope `plugins:write`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/plugins", body=given({"name": name, "description": description, "type": type, "config": config, "config_schema": config_schema}), keyed=True, options=options), platform.Plugin)

    def get(
        self,
        plugin_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Plugin:
        """Retrieve a plugin. Requires the scope `plugins:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/plugins/{segment('plugin_id', plugin_id)}", options=options), platform.Plugin)

    def update(
        self,
        plugin_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, NotGiven] = NOT_GIVEN,
        type: Union[Literal["tool", "data_source", "integration", "filter"], NotGiven] = NOT_GIVEN,
        config: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        config_schema: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        version: Union[Any, NotGiven] = NOT_GIVEN,
        reachable: Union[Any, NotGiven] = NOT_GIVEN,
        last_checked_at: Union[Any, NotGiven] = NOT_GIVEN,
        last_error: Union[Any, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Plugin:
        """Update a plugin and its configuration. Requires the scope `plugins:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/plugins/{segment('plugin_id', plugin_id)}", body=given({"name": name, "description": description, "type": type, "config": config, "config_schema": config_schema, "status": status, "version": version, "reachable": reachable, "last_checked_at": last_checked_at, "last_error": last_error}), options=options), platform.Plugin)

    def uninstall(
        self,
        plugin_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Uninstall a plugin. Agents that use it lose it. Requires the scope `plugins:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/plugins/{segment('plugin_id', plugin_id)}", options=options))

    def get_config(
        self,
        plugin_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.GetPluginConfigAnswer:
        """Retrieve the configuration of a plugin. Requires the scope `plugins:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/plugins/{segment('plugin_id', plugin_id)}/config", options=options), platform.GetPluginConfigAnswer)

    def replace_config(
        self,
        plugin_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.ReplacePluginConfigAnswer:
        """Replace the configuration of a plugin. Requires the scope `plugins:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/plugins/{segment('plugin_id', plugin_id)}/config", body=given({}), options=options), platform.ReplacePluginConfigAnswer)


class ContentResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "title"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        tag: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.Content, platform.ContentList]:
        """List content items. Requires the scope `content:read`. Few of these requests run at once for a user and a project; the others wait."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/content", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status, "tag": tag}), options=options), "page", platform.ContentList)

    def create(
        self,
        *,
        title: str,
        body: str,
        tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Content:
        """Create a content item. Requires the scope `content:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/content", body=given({"title": title, "body": body, "tags": tags}), keyed=True, options=options), platform.Content)

    def get(
        self,
        content_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Content:
        """Retrieve a content item. Requires the scope `content:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/content/{segment('content_id', content_id)}", options=options), platform.Content)

    def replace(
        self,
        content_id: Union[str, int],
        *,
        title: str,
        body: str,
        tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Content:
        """Replace a content item. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/content/{segment('content_id', content_id)}", body=given({"title": title, "body": body, "tags": tags, "status": status}), options=options), platform.Content)

    def update(
        self,
        content_id: Union[str, int],
        *,
        title: Union[str, NotGiven] = NOT_GIVEN,
        body: Union[str, NotGiven] = NOT_GIVEN,
        tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Content:
        """Update fields of a content item. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/content/{segment('content_id', content_id)}", body=given({"title": title, "body": body, "tags": tags, "status": status}), options=options), platform.Content)

    def delete(
        self,
        content_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a content item. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/content/{segment('content_id', content_id)}", options=options))

    def get_knowledge_search(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.KnowledgeSearch:
        """Retrieve how knowledge is searched, and how far its vectors are made. Requires the scope `content:read`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/knowledge-search", options=options), platform.KnowledgeSearch)

    def put_knowledge_search(
        self,
        *,
        embedding_model: Optional[str],
        dimensions: Union[Optional[int], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.KnowledgeSearch:
        """Set the embedding model of the search, and make all vectors again. The text of all content and passages is sent to the model in the background, and searches are full text until all vectors are made. The model’s usage counts as usage of the account that sets it. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "PUT", "/api/v1/knowledge-search", body=given({"embedding_model": embedding_model, "dimensions": dimensions}), options=options), platform.KnowledgeSearch)

    def search(
        self,
        *,
        q: str,
        source: Union[str, NotGiven] = NOT_GIVEN,
        public: Union[Any, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.ContentSummary, runtime.SearchContentList]:
        """Search content and passages of files and knowledge sources by their words, misspelt ones too; the best first. Requires the scope `content:read`. Few of these requests run at once for a user and a project; the others wait."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/content/search", query=given({"q": q, "source": source, "public": public, "limit": limit, "offset": offset}), options=options), "offset", runtime.SearchContentList)

    def put_file_knowledge(
        self,
        file_id: Union[str, int],
        *,
        tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.FileKnowledge:
        """Use a file as knowledge, or index it again. Its text is read in the background and cut into passages, which searches and agents with one of the tags find. PDF, DOCX, HTML, Markdown and text up to 20 MiB. Needs `files:read` besides. Requires the scope `content:write`."""
        return self._sender.json(Call("runtime", "PUT", f"/api/v1/files/{segment('file_id', file_id)}/knowledge", body=given({"tags": tags}), options=options), runtime.FileKnowledge)

    def get_file_knowledge(
        self,
        file_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.FileKnowledge:
        """Retrieve how far a file is indexed. Requires the scope `content:read`."""
        return self._sender.json(Call("runtime", "GET", f"/api/v1/files/{segment('file_id', file_id)}/knowledge", options=options), runtime.FileKnowledge)

    def delete_file_knowledge(
        self,
        file_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Stop using a file as knowledge. Its passages are deleted, the file stays. Requires the scope `content:write`."""
        return self._sender.nothing(Call("runtime", "DELETE", f"/api/v1/files/{segment('file_id', file_id)}/knowledge", options=options))

    def list_knowledge(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.FileKnowledge, runtime.KnowledgeList]:
        """List files that are used as knowledge, newest first. Requires the scope `content:read`."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/knowledge", query=given({"limit": limit, "offset": offset}), options=options), "offset", runtime.KnowledgeList)

    def list_knowledge_sources(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.KnowledgeSource, runtime.KnowledgeSourceList]:
        """List knowledge sources, newest first. Requires the scope `content:read`."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/knowledge-sources", query=given({"limit": limit, "offset": offset}), options=options), "offset", runtime.KnowledgeSourceList)

    def create_knowledge_source(
        self,
        *,
        name: str,
        url: str,
        tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        schedule: Union[Optional[str], NotGiven] = NOT_GIVEN,
        timezone: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.KnowledgeSource:
        """Use a page or document at a URL as knowledge. It is fetched in the background and cut into passages, which searches and agents with one of the tags find. HTML, Markdown, plain text, PDF and DOCX up to 20 MiB; links on a page are not followed. Everyone who may read content may read the URL: put no credentials into it. Requires the scope `content:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", "/api/v1/knowledge-sources", body=given({"name": name, "url": url, "tags": tags, "schedule": schedule, "timezone": timezone}), keyed=True, options=options), runtime.KnowledgeSource)

    def get_knowledge_source(
        self,
        source_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.KnowledgeSource:
        """Retrieve a knowledge source and how its last fetch ended. Requires the scope `content:read`."""
        return self._sender.json(Call("runtime", "GET", f"/api/v1/knowledge-sources/{segment('source_id', source_id)}", options=options), runtime.KnowledgeSource)

    def update_knowledge_source(
        self,
        source_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        url: Union[str, NotGiven] = NOT_GIVEN,
        tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        schedule: Union[Optional[str], NotGiven] = NOT_GIVEN,
        timezone: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.KnowledgeSource:
        """Update fields of a knowledge source. Another name, URL or other tags have it fetched at once: name and tags apply to passages once that succeeded, and passages of another URL are removed from search immediately. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("runtime", "PATCH", f"/api/v1/knowledge-sources/{segment('source_id', source_id)}", body=given({"name": name, "url": url, "tags": tags, "schedule": schedule, "timezone": timezone}), options=options), runtime.KnowledgeSource)

    def delete_knowledge_source(
        self,
        source_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a knowledge source with its passages. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("runtime", "DELETE", f"/api/v1/knowledge-sources/{segment('source_id', source_id)}", options=options))

    def refresh_knowledge_source(
        self,
        source_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.KnowledgeSource:
        """Fetch a knowledge source now. An unchanged document is not read again. No effect while it waits or is fetched. Requires the scope `content:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", f"/api/v1/knowledge-sources/{segment('source_id', source_id)}/refresh", keyed=True, options=options), runtime.KnowledgeSource)


class McpServersResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive", "unreachable"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.McpServer, platform.McpServerList]:
        """List registered MCP servers. Requires the scope `mcp:read`."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/mcp/servers", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status}), options=options), "page", platform.McpServerList)

    def register(
        self,
        *,
        name: str,
        url: str,
        description: Union[str, NotGiven] = NOT_GIVEN,
        headers: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        auth: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        agent_card: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        pin_tools: Union[bool, NotGiven] = NOT_GIVEN,
        transport: Union[Literal["streamable-http", "a2a"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.McpServer:
        """Register an MCP server. Its current tools are read and approved in the background. Requires the scope `mcp:write`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/mcp/servers", body=given({"name": name, "url": url, "description": description, "headers": headers, "auth": auth, "agent_card": agent_card, "pin_tools": pin_tools, "transport": transport}), keyed=True, options=options), platform.McpServer)

    def get(
        self,
        server_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.McpServer:
        """Retrieve an MCP server. Requires the scope `mcp:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/mcp/servers/{segment('server_id', server_id)}", options=options), platform.McpServer)

    def update(
        self,
        server_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        url: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, NotGiven] = NOT_GIVEN,
        headers: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        auth: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        agent_card: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        pin_tools: Union[bool, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive", "unreachable"], NotGiven] = NOT_GIVEN,
        slug: Union[Any, NotGiven] = NOT_GIVEN,
        transport: Union[Any, NotGiven] = NOT_GIVEN,
        tools_count: Union[Any, NotGiven] = NOT_GIVEN,
        last_seen_at: Union[Any, NotGiven] = NOT_GIVEN,
        last_error: Union[Any, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.McpServer:
        """Update fields of an MCP server. A new url clears the approved tools. Requires the scope `mcp:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/mcp/servers/{segment('server_id', server_id)}", body=given({"name": name, "url": url, "description": description, "headers": headers, "auth": auth, "agent_card": agent_card, "pin_tools": pin_tools, "status": status, "slug": slug, "transport": transport, "tools_count": tools_count, "last_seen_at": last_seen_at, "last_error": last_error}), options=options), platform.McpServer)

    def delete(
        self,
        server_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete an MCP server. Agents that use it lose it. Requires the scope `mcp:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/mcp/servers/{segment('server_id', server_id)}", options=options))

    def refresh(
        self,
        server_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.McpServer:
        """Read the tools of an MCP server again. Requires the scope `mcp:write`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/mcp/servers/{segment('server_id', server_id)}/refresh", keyed=True, options=options), platform.McpServer)

    def list_tools(
        self,
        server_id: Union[str, int],
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.McpServerTool, platform.McpServerToolList]:
        """List the approved tools of an MCP server. Requires the scope `mcp:read`."""
        return self._sender.pages(Call("platform", "GET", f"/api/v1/mcp/servers/{segment('server_id', server_id)}/tools", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search}), options=options), "page", platform.McpServerToolList)

    def list_quarantined_tools(
        self,
        server_id: Union[str, int],
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.QuarantinedTool, platform.QuarantinedToolList]:
        """List the tools that are new, changed or gone since their approval. Requires the scope `mcp:read`."""
        return self._sender.pages(Call("platform", "GET", f"/api/v1/mcp/servers/{segment('server_id', server_id)}/tools/quarantined", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search}), options=options), "page", platform.QuarantinedToolList)

    def approve_tool(
        self,
        server_id: Union[str, int],
        name: Union[str, int],
        *,
        hash: str,
        options: Optional[RequestOptions] = None,
    ) -> platform.McpServerTool:
        """Approve a tool by the hash of its definition. Requires a key of an admin with the scope admin. Requires the scope `mcp:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/mcp/servers/{segment('server_id', server_id)}/tools/{segment('name', name)}/approve", body=given({"hash": hash}), keyed=True, options=options), platform.McpServerTool)

    def get_mcp_registry(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.McpRegistry:
        """Retrieve the address of the MCP registry that servers are chosen from. Requires the scope `mcp:read`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/mcp/registry", options=options), platform.McpRegistry)

    def search_mcp_registry(
        self,
        *,
        search: Union[str, NotGiven] = NOT_GIVEN,
        cursor: Union[str, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.McpRegistrySummary, platform.McpRegistryList]:
        """Search the MCP registry. Each remote address is a draft for registering a server, which checks it like any other. Requires the scope `mcp:write`. A model is called: the answer may take minutes."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/mcp/registry/servers", query=given({"search": search, "cursor": cursor, "limit": limit}), options=options), "cursor", platform.McpRegistryList)


class ChangesResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def make(
        self,
        *,
        changes: Sequence[Mapping[str, Any]],
        options: Optional[RequestOptions] = None,
    ) -> platform.MakeChangesAnswer:
        """Create, update and delete skills, content, MCP servers and agents, all or nothing. The changes are made in their order and in one transaction. A refusal names the change, as `changes.2`, and nothing is changed. A new record with a `ref` can be named by it in later changes. Requires `skills:write`, `content:write`, `mcp:write` or `agents:write` for the kinds that it names. Requires a credential. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/changes", body=given({"changes": changes}), keyed=True, options=options), platform.MakeChangesAnswer)


class ToolRulesResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get_tool_policy(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.ToolPolicy:
        """Retrieve what holds for tools without a rule of their own. Requires the scope `mcp:read`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/tool-policy", options=options), platform.ToolPolicy)

    def put_tool_policy(
        self,
        *,
        unmarked_tools: Literal["allow", "ask_when_tainted", "ask"],
        other_decider: Union[bool, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.ToolPolicy:
        """Set what holds for tools without a rule of their own. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "PUT", "/api/v1/tool-policy", body=given({"unmarked_tools": unmarked_tools, "other_decider": other_decider}), options=options), platform.ToolPolicy)

    def list_tool_rules(
        self,
        server_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.ToolRuleList:
        """List the rules of the approved tools of an MCP server. Requires the scope `mcp:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/mcp/servers/{segment('server_id', server_id)}/tools/rules", options=options), platform.ToolRuleList)

    def put_tool_rules(
        self,
        server_id: Union[str, int],
        *,
        rules: Sequence[Mapping[str, Any]],
        options: Optional[RequestOptions] = None,
    ) -> platform.ToolRuleList:
        """Set the rules of tools of an MCP server, each for the definition with this hash. Other tools keep theirs. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/mcp/servers/{segment('server_id', server_id)}/tools/rules", body=given({"rules": rules}), options=options), platform.ToolRuleList)

    def get_plugin_rule(
        self,
        plugin_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.PluginRule:
        """Retrieve the rule of a plugin. Requires the scope `plugins:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/plugins/{segment('plugin_id', plugin_id)}/rule", options=options), platform.PluginRule)

    def put_plugin_rule(
        self,
        plugin_id: Union[str, int],
        *,
        rule: Optional[Literal["allow", "ask", "deny"]],
        other_decider: Union[bool, NotGiven] = NOT_GIVEN,
        repeatable: Union[bool, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.PluginRule:
        """Set the rule of a plugin in its present version. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/plugins/{segment('plugin_id', plugin_id)}/rule", body=given({"rule": rule, "other_decider": other_decider, "repeatable": repeatable}), options=options), platform.PluginRule)

    def get_agent_rule(
        self,
        agent_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.AgentRule:
        """Retrieve the rule of calls of an agent by other agents. Requires the scope `agents:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/agents/{segment('agent_id', agent_id)}/rule", options=options), platform.AgentRule)

    def put_agent_rule(
        self,
        agent_id: Union[str, int],
        *,
        rule: Optional[Literal["allow", "ask", "deny"]],
        other_decider: Union[bool, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.AgentRule:
        """Set the rule of calls of an agent by other agents, for its present version. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/agents/{segment('agent_id', agent_id)}/rule", body=given({"rule": rule, "other_decider": other_decider}), options=options), platform.AgentRule)


class GuardsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Guards:
        """Retrieve what is done with secrets and personal data in runs of the project. Requires the scope `agents:read`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/guards", options=options), platform.Guards)

    def put(
        self,
        *,
        rules: Mapping[str, Any],
        phone_countries: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        filters: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Guards:
        """Set what is done with secrets and personal data. It holds for runs that start or go on from now on. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "PUT", "/api/v1/guards", body=given({"rules": rules, "phone_countries": phone_countries, "filters": filters}), options=options), platform.Guards)

    def get_agent(
        self,
        agent_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.AgentGuards:
        """Retrieve what is done with secrets and personal data in runs of an agent. Requires the scope `agents:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/agents/{segment('agent_id', agent_id)}/guards", options=options), platform.AgentGuards)

    def put_agent(
        self,
        agent_id: Union[str, int],
        *,
        rules: Mapping[str, Any],
        phone_countries: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        filters: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.AgentGuards:
        """Set stricter guards for an agent. The rules of the project are the minimum. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "PUT", f"/api/v1/agents/{segment('agent_id', agent_id)}/guards", body=given({"rules": rules, "phone_countries": phone_countries, "filters": filters}), options=options), platform.AgentGuards)


class WebhooksResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.Webhook, platform.WebhookList]:
        """List webhooks. Requires the scope `admin`."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/webhooks", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status}), options=options), "page", platform.WebhookList)

    def create(
        self,
        *,
        name: str,
        url: str,
        description: Union[str, NotGiven] = NOT_GIVEN,
        event_types: Union[Sequence[Literal["run.completed", "run.failed", "run.canceled", "run.waiting", "trigger.disabled", "approval.requested", "approval.decided", "budget.warning", "budget.exhausted"]], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.CreatedWebhook:
        """Register an address that receives events. The answer has the secret of its signatures, once. Requires the scope `admin`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/webhooks", body=given({"name": name, "url": url, "description": description, "event_types": event_types}), keyed=True, options=options), platform.CreatedWebhook)

    def get(
        self,
        webhook_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Webhook:
        """Retrieve a webhook. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}", options=options), platform.Webhook)

    def update(
        self,
        webhook_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        url: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, NotGiven] = NOT_GIVEN,
        event_types: Union[Sequence[Literal["run.completed", "run.failed", "run.canceled", "run.waiting", "trigger.disabled", "approval.requested", "approval.decided", "budget.warning", "budget.exhausted"]], NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Webhook:
        """Update fields of a webhook. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}", body=given({"name": name, "url": url, "description": description, "event_types": event_types, "status": status}), options=options), platform.Webhook)

    def delete(
        self,
        webhook_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a webhook with its deliveries. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}", options=options))

    def rotate_secret(
        self,
        webhook_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.CreatedWebhook:
        """Replace the secret of a webhook. Events are signed with both secrets for 24 hours. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/rotate-secret", keyed=True, options=options), platform.CreatedWebhook)

    def test(
        self,
        webhook_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.WebhookDeliverySummary:
        """Send the event webhook.test to an active webhook. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/test", keyed=True, options=options), platform.WebhookDeliverySummary)

    def replay(
        self,
        webhook_id: Union[str, int],
        *,
        since: str,
        until: Union[str, NotGiven] = NOT_GIVEN,
        delivered: Union[bool, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.ReplayWebhookAnswer:
        """Send the events of a period again, at most 1000 at once, oldest first. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/replay", body=given({"since": since, "until": until, "delivered": delivered}), keyed=True, options=options), platform.ReplayWebhookAnswer)

    def list_deliveries(
        self,
        webhook_id: Union[str, int],
        *,
        state: Union[Literal["pending", "delivered", "failed", "skipped"], NotGiven] = NOT_GIVEN,
        cursor: Union[str, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.WebhookDeliverySummary, platform.WebhookDeliveryList]:
        """List the deliveries of a webhook, newest first. Requires the scope `admin`."""
        return self._sender.pages(Call("platform", "GET", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/deliveries", query=given({"state": state, "cursor": cursor, "limit": limit}), options=options), "cursor", platform.WebhookDeliveryList)

    def get_delivery(
        self,
        webhook_id: Union[str, int],
        delivery_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.WebhookDelivery:
        """Retrieve a delivery with the event's data. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/deliveries/{segment('delivery_id', delivery_id)}", options=options), platform.WebhookDelivery)

    def replay_delivery(
        self,
        webhook_id: Union[str, int],
        delivery_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.WebhookDeliverySummary:
        """Send an event again, under the same webhook-id. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/webhooks/{segment('webhook_id', webhook_id)}/deliveries/{segment('delivery_id', delivery_id)}/replay", keyed=True, options=options), platform.WebhookDeliverySummary)


class TriggersResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.Trigger, platform.TriggerList]:
        """List triggers. Requires the scope `admin`."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/triggers", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status}), options=options), "page", platform.TriggerList)

    def create(
        self,
        *,
        name: str,
        agent: str,
        input: str,
        kind: Literal["cron", "webhook"],
        description: Union[str, NotGiven] = NOT_GIVEN,
        context: Union[Literal["new", "same"], NotGiven] = NOT_GIVEN,
        overlap: Union[Literal["skip", "queue", "allow"], NotGiven] = NOT_GIVEN,
        missed: Union[Literal["skip", "once"], NotGiven] = NOT_GIVEN,
        schedule: Union[str, NotGiven] = NOT_GIVEN,
        timezone: Union[str, NotGiven] = NOT_GIVEN,
        starts_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        ends_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        signature: Union[Literal["standard", "github", "stripe"], NotGiven] = NOT_GIVEN,
        budget: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        max_failures: Union[int, NotGiven] = NOT_GIVEN,
        secret: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.CreatedTrigger:
        """Create a trigger whose runs act for you. The answer of a webhook trigger has the secret of its posts, once. Requires the scope `admin`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/triggers", body=given({"name": name, "description": description, "agent": agent, "input": input, "context": context, "overlap": overlap, "missed": missed, "schedule": schedule, "timezone": timezone, "starts_at": starts_at, "ends_at": ends_at, "signature": signature, "budget": budget, "max_failures": max_failures, "kind": kind, "secret": secret}), keyed=True, options=options), platform.CreatedTrigger)

    def list_times(
        self,
        *,
        schedule: str,
        timezone: Union[str, NotGiven] = NOT_GIVEN,
        starts_at: Union[str, NotGiven] = NOT_GIVEN,
        ends_at: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.TriggerTimeList:
        """List the next five times of a schedule. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/triggers/times", query=given({"schedule": schedule, "timezone": timezone, "starts_at": starts_at, "ends_at": ends_at}), options=options), platform.TriggerTimeList)

    def get(
        self,
        trigger_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Trigger:
        """Retrieve a trigger. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/triggers/{segment('trigger_id', trigger_id)}", options=options), platform.Trigger)

    def update(
        self,
        trigger_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, NotGiven] = NOT_GIVEN,
        agent: Union[str, NotGiven] = NOT_GIVEN,
        input: Union[str, NotGiven] = NOT_GIVEN,
        context: Union[Literal["new", "same"], NotGiven] = NOT_GIVEN,
        overlap: Union[Literal["skip", "queue", "allow"], NotGiven] = NOT_GIVEN,
        missed: Union[Literal["skip", "once"], NotGiven] = NOT_GIVEN,
        schedule: Union[str, NotGiven] = NOT_GIVEN,
        timezone: Union[str, NotGiven] = NOT_GIVEN,
        starts_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        ends_at: Union[Optional[str], NotGiven] = NOT_GIVEN,
        signature: Union[Literal["standard", "github", "stripe"], NotGiven] = NOT_GIVEN,
        budget: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        max_failures: Union[int, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        owner_id: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Trigger:
        """Update fields of a trigger. What its runs do is changed by its owner alone; owner_id makes you the owner. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/triggers/{segment('trigger_id', trigger_id)}", body=given({"name": name, "description": description, "agent": agent, "input": input, "context": context, "overlap": overlap, "missed": missed, "schedule": schedule, "timezone": timezone, "starts_at": starts_at, "ends_at": ends_at, "signature": signature, "budget": budget, "max_failures": max_failures, "status": status, "owner_id": owner_id}), options=options), platform.Trigger)

    def delete(
        self,
        trigger_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a trigger with its firings; its runs stay. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/triggers/{segment('trigger_id', trigger_id)}", options=options))

    def rotate_secret(
        self,
        trigger_id: Union[str, int],
        *,
        secret: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.CreatedTrigger:
        """Replace the secret of a webhook trigger. Posts may be signed with either secret for 24 hours. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/triggers/{segment('trigger_id', trigger_id)}/rotate-secret", body=given({"secret": secret}), keyed=True, options=options), platform.CreatedTrigger)

    def fire(
        self,
        trigger_id: Union[str, int],
        *,
        body: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.TriggerFiring:
        """Fire an active trigger now, as a test. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/triggers/{segment('trigger_id', trigger_id)}/fire", body=given({"body": body}), keyed=True, options=options), platform.TriggerFiring)

    def list_firings(
        self,
        trigger_id: Union[str, int],
        *,
        state: Union[Literal["pending", "started", "completed", "failed", "canceled", "skipped"], NotGiven] = NOT_GIVEN,
        cursor: Union[str, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.TriggerFiring, platform.TriggerFiringList]:
        """List the firings of a trigger, newest first. Requires the scope `admin`."""
        return self._sender.pages(Call("platform", "GET", f"/api/v1/triggers/{segment('trigger_id', trigger_id)}/firings", query=given({"state": state, "cursor": cursor, "limit": limit}), options=options), "cursor", platform.TriggerFiringList)


class BudgetsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        per_page: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort: Union[Literal["created_at", "updated_at", "name"], NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        level: Union[Literal["project", "api_key", "client", "user", "agent", "trigger"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[platform.Budget, platform.BudgetList]:
        """List the budgets of the project, without those of single runs. Requires the scope `admin`."""
        return self._sender.pages(Call("platform", "GET", "/api/v1/budgets", query=given({"page": page, "per_page": per_page, "skip": skip, "sort": sort, "order": order, "search": search, "status": status, "level": level}), options=options), "page", platform.BudgetList)

    def create(
        self,
        *,
        name: str,
        level: Literal["project", "api_key", "client", "user", "agent", "trigger"],
        period: Literal["day", "month", "total"],
        unit: Literal["usd", "tokens"],
        amount: float,
        subject_id: Union[str, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Budget:
        """Create a budget, which counts from now on. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/budgets", body=given({"name": name, "level": level, "subject_id": subject_id, "period": period, "unit": unit, "amount": amount, "status": status}), keyed=True, options=options), platform.Budget)

    def list_own(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.OwnBudgetList:
        """List the budgets that are yours: of your account, your API keys and your triggers, 200 at most. Requires the scope `agents:read`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/budgets/mine", options=options), platform.OwnBudgetList)

    def list_subjects(
        self,
        *,
        level: Literal["api_key", "client", "user", "agent", "trigger"],
        search: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.BudgetSubjectList:
        """List what a budget of a level may be of, by name: the first 50. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/budgets/subjects", query=given({"level": level, "search": search}), options=options), platform.BudgetSubjectList)

    def get(
        self,
        budget_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Budget:
        """Retrieve a budget. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/budgets/{segment('budget_id', budget_id)}", options=options), platform.Budget)

    def update(
        self,
        budget_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        amount: Union[float, NotGiven] = NOT_GIVEN,
        status: Union[Literal["active", "inactive"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Budget:
        """Change a budget. Runs that wait for it go on once it has room. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/budgets/{segment('budget_id', budget_id)}", body=given({"name": name, "amount": amount, "status": status}), options=options), platform.Budget)

    def delete(
        self,
        budget_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a budget. Runs that wait for it go on. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/budgets/{segment('budget_id', budget_id)}", options=options))


class ModelPricesResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.ModelPriceList:
        """List what models cost the project: 1,000 prices at most, by model, the latest first. Requires the scope `admin`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/model-prices", options=options), platform.ModelPriceList)

    def create(
        self,
        *,
        model: str,
        input: float,
        output: float,
        valid_from: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.ModelPrice:
        """Set what a model costs from a time on. Costs of past runs stay as they are. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/model-prices", body=given({"model": model, "input": input, "output": output, "valid_from": valid_from}), keyed=True, options=options), platform.ModelPrice)

    def delete(
        self,
        price_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a price: the one before it is valid again. Costs of past runs stay as they are. Requires the scope `admin`."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/model-prices/{segment('price_id', price_id)}", options=options))


class KeysResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.KeyList:
        """List the owner's live API keys of the project. Requires the scope `keys:read`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/keys", options=options), platform.KeyList)

    def create(
        self,
        *,
        name: str,
        scopes: Sequence[str],
        plan: Union[Literal["standard", "professional"], NotGiven] = NOT_GIVEN,
        expires_in_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.CreatedKey:
        """Make an API key with at most the rights of the key of the request. The answer has the key, once. The new key has the same owner and project. It works on when the key that made it ends. Requires the scope `keys:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/keys", body=given({"name": name, "scopes": scopes, "plan": plan, "expires_in_days": expires_in_days}), keyed=True, options=options), platform.CreatedKey)

    def revoke(
        self,
        key_id: Union[str, int],
        *,
        self_: Union[Literal["true", "false"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Revoke one of the owner's API keys of the project. Requires the scope `keys:write`."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/keys/{segment('key_id', key_id)}", query=given({"self": self_}), options=options))


class ClientsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.ClientList:
        """List the owner's OAuth clients of the project. Requires the scope `keys:read`."""
        return self._sender.json(Call("platform", "GET", "/api/v1/clients", options=options), platform.ClientList)

    def create(
        self,
        *,
        name: str,
        scopes: Sequence[str],
        redirect_uris: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        expires_in_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.CreatedClient:
        """Make an OAuth client with at most the rights of the key of the request. The answer has the secret, once. The client has the same owner and project as the key. It works on when the key is revoked. Requires the scope `keys:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", "/api/v1/clients", body=given({"name": name, "redirect_uris": redirect_uris, "mcp_tools": mcp_tools, "scopes": scopes, "expires_in_days": expires_in_days}), keyed=True, options=options), platform.CreatedClient)

    def get(
        self,
        client_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Client:
        """Read one of the owner's OAuth clients of the project. Requires the scope `keys:read`."""
        return self._sender.json(Call("platform", "GET", f"/api/v1/clients/{segment('client_id', client_id)}", options=options), platform.Client)

    def update(
        self,
        client_id: Union[str, int],
        *,
        name: Union[str, NotGiven] = NOT_GIVEN,
        redirect_uris: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.Client:
        """Change the name, the redirect URIs or the tools of an OAuth client that has no more rights than the key. Requires the scope `keys:write`."""
        return self._sender.json(Call("platform", "PATCH", f"/api/v1/clients/{segment('client_id', client_id)}", body=given({"name": name, "redirect_uris": redirect_uris, "mcp_tools": mcp_tools}), options=options), platform.Client)

    def revoke(
        self,
        client_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Revoke one of the owner's OAuth clients of the project, with everything it was granted. Requires the scope `keys:write`."""
        return self._sender.nothing(Call("platform", "DELETE", f"/api/v1/clients/{segment('client_id', client_id)}", options=options))

    def rotate_secret(
        self,
        client_id: Union[str, int],
        *,
        overlap_hours: Union[int, NotGiven] = NOT_GIVEN,
        expires_in_days: Union[Optional[int], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> platform.CreatedClient:
        """Give an OAuth client that has no more rights than the key a new secret and a new expiry. The answer has the secret, once. The former secret works on for `overlap_hours`. Requires the scope `keys:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("platform", "POST", f"/api/v1/clients/{segment('client_id', client_id)}/rotate-secret", body=given({"overlap_hours": overlap_hours, "expires_in_days": expires_in_days}), keyed=True, options=options), platform.CreatedClient)


class AccountResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def who_am_i(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> platform.Identity:
        """Read whose credential this is and what it may do. Requires a credential."""
        return self._sender.json(Call("platform", "GET", "/api/v1/whoami", options=options), platform.Identity)

    def get_own(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.OwnUser:
        """Read your own account. Requires the scope `prompts:read`."""
        return self._sender.json(Call("prompt", "GET", "/v1/user/me", options=options), prompt.OwnUser)

    def update_own(
        self,
        uuid: Union[str, int],
        *,
        user: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.OwnUser:
        """Change your own name. Requires the scope `prompts:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "PATCH", f"/v1/user/{segment('uuid', uuid)}", body=given({"user": user}), options=options), prompt.OwnUser)


class RunsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def start(
        self,
        *,
        agent: str,
        content: str,
        context_id: Union[str, NotGiven] = NOT_GIVEN,
        images: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        budget: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.RunSummary:
        """Start a run of an agent, which goes on after the answer. Requires the scope `agents:message`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", "/api/v1/runs", body=given({"agent": agent, "content": content, "context_id": context_id, "images": images, "budget": budget, "metadata": metadata}), keyed=True, options=options), runtime.RunSummary)

    def list(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        cursor: Union[str, NotGiven] = NOT_GIVEN,
        agent: Union[str, NotGiven] = NOT_GIVEN,
        prompt: Union[str, NotGiven] = NOT_GIVEN,
        conversation_id: Union[str, NotGiven] = NOT_GIVEN,
        user: Union[str, NotGiven] = NOT_GIVEN,
        state: Union[Literal["queued", "running", "waiting", "completed", "failed", "canceled"], NotGiven] = NOT_GIVEN,
        waiting_for: Union[str, NotGiven] = NOT_GIVEN,
        channel: Union[Literal["messages", "a2a", "mcp", "console", "agent", "trigger", "prompt", "responses", "chat", "draft"], NotGiven] = NOT_GIVEN,
        model: Union[str, NotGiven] = NOT_GIVEN,
        tool: Union[str, NotGiven] = NOT_GIVEN,
        since: Union[str, NotGiven] = NOT_GIVEN,
        until: Union[str, NotGiven] = NOT_GIVEN,
        min_cost: Union[float, NotGiven] = NOT_GIVEN,
        min_duration: Union[float, NotGiven] = NOT_GIVEN,
        has_error: Union[Any, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.RunSummary, runtime.RunList]:
        """List your runs, or with `runs:read_all` those of the project, latest first. Requires the scope `runs:read`. Few of these requests run at once for a user and a project; the others wait."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/runs", query=given({"limit": limit, "cursor": cursor, "agent": agent, "prompt": prompt, "conversation_id": conversation_id, "user": user, "state": state, "waiting_for": waiting_for, "channel": channel, "model": model, "tool": tool, "since": since, "until": until, "min_cost": min_cost, "min_duration": min_duration, "has_error": has_error}), options=options), "cursor", runtime.RunList)

    def retry(
        self,
        run_id: Union[str, int],
        *,
        version: Union[Literal["current", "same"], NotGiven] = NOT_GIVEN,
        budget: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.RunSummary:
        """Start a run again that failed or was canceled, with the present version of its agent or the same. Requires the scope `agents:message`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", f"/api/v1/runs/{segment('run_id', run_id)}/retry", body=given({"version": version, "budget": budget}), keyed=True, options=options), runtime.RunSummary)

    def get(
        self,
        run_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.Run:
        """Read a run. Requires the scope `runs:read`."""
        return self._sender.json(Call("runtime", "GET", f"/api/v1/runs/{segment('run_id', run_id)}", options=options), runtime.Run)

    def follow(
        self,
        run_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Iterator[Union[StreamEvent[Literal["run.queued"], runtime.FollowRunRunQueued], StreamEvent[Literal["run.running"], runtime.FollowRunRunRunning], StreamEvent[Literal["run.waiting"], runtime.FollowRunRunWaiting], StreamEvent[Literal["message.delta"], runtime.FollowRunMessageDelta], StreamEvent[Literal["tool.call"], runtime.FollowRunToolCall], StreamEvent[Literal["tool.result"], runtime.FollowRunToolResult], StreamEvent[Literal["run.completed"], runtime.FollowRunRunCompleted], StreamEvent[Literal["run.failed"], runtime.FollowRunRunFailed], StreamEvent[Literal["run.canceled"], runtime.FollowRunRunCanceled]]]:
        """Follow a run: what has happened, and what happens until it ends. Requires the scope `runs:read`. The answer is a stream of server-sent events, which `Last-Event-ID` resumes."""
        return self._sender.events(Call("runtime", "GET", f"/api/v1/runs/{segment('run_id', run_id)}/events", options=options), {"run.queued": runtime.FollowRunRunQueued, "run.running": runtime.FollowRunRunRunning, "run.waiting": runtime.FollowRunRunWaiting, "message.delta": runtime.FollowRunMessageDelta, "tool.call": runtime.FollowRunToolCall, "tool.result": runtime.FollowRunToolResult, "run.completed": runtime.FollowRunRunCompleted, "run.failed": runtime.FollowRunRunFailed, "run.canceled": runtime.FollowRunRunCanceled}, None, ["run.completed","run.failed","run.canceled"], True)

    def list_steps(
        self,
        run_id: Union[str, int],
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        cursor: Union[str, NotGiven] = NOT_GIVEN,
        outcome: Union[Literal["started", "succeeded", "failed", "unknown"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.RunStepSummary, runtime.RunStepList]:
        """List the steps of a run in order. Requires the scope `runs:read`."""
        return self._sender.pages(Call("runtime", "GET", f"/api/v1/runs/{segment('run_id', run_id)}/steps", query=given({"limit": limit, "cursor": cursor, "outcome": outcome}), options=options), "cursor", runtime.RunStepList)

    def get_step(
        self,
        run_id: Union[str, int],
        seq: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.RunStep:
        """Read a step of a run, with the messages that the model read. Requires the scope `runs:read`."""
        return self._sender.json(Call("runtime", "GET", f"/api/v1/runs/{segment('run_id', run_id)}/steps/{segment('seq', seq)}", options=options), runtime.RunStep)

    def cancel(
        self,
        run_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.CancelRunAnswer:
        """Cancel a run; canceling it again succeeds. Requires the scope `agents:message`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", f"/api/v1/runs/{segment('run_id', run_id)}/cancel", keyed=True, options=options), runtime.CancelRunAnswer)

    def decide_outcome(
        self,
        run_id: Union[str, int],
        *,
        step: int,
        outcome: Literal["happened", "did_not_happen", "stop"],
        note: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.CancelRunAnswer:
        """Decide whether a call of a tool had its effect, for a run that waits for it. Requires the scope `runs:approve` or `agents:message`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", f"/api/v1/runs/{segment('run_id', run_id)}/outcome", body=given({"step": step, "outcome": outcome, "note": note}), keyed=True, options=options), runtime.CancelRunAnswer)

    def put_feedback(
        self,
        run_id: Union[str, int],
        *,
        rating: Optional[Literal["up", "down"]],
        comment: Union[Optional[str], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.RunFeedback:
        """Rate a run. Requires the scope `agents:message`."""
        return self._sender.json(Call("runtime", "PUT", f"/api/v1/runs/{segment('run_id', run_id)}/feedback", body=given({"rating": rating, "comment": comment}), options=options), runtime.RunFeedback)

    def run_agent_draft(
        self,
        *,
        content: str,
        name: Union[str, NotGiven] = NOT_GIVEN,
        description: Union[str, NotGiven] = NOT_GIVEN,
        skill_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        plugin_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        content_tags: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_server_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        agent_ids: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        mcp_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        ask_tools: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        model: Union[Optional[str], NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        instructions: Union[str, NotGiven] = NOT_GIVEN,
        on_unknown: Union[Literal["ask", "tell", "fail"], NotGiven] = NOT_GIVEN,
        context_id: Union[str, NotGiven] = NOT_GIVEN,
        images: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        agent: Union[str, NotGiven] = NOT_GIVEN,
        budget: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.RunSummary:
        """Start a run of an agent that is not saved; it needs `agents:message`, too. Requires the scope `agents:write`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", "/api/v1/runs/draft", body=given({"name": name, "description": description, "skill_ids": skill_ids, "plugin_ids": plugin_ids, "content_tags": content_tags, "mcp_server_ids": mcp_server_ids, "agent_ids": agent_ids, "mcp_tools": mcp_tools, "ask_tools": ask_tools, "model": model, "model_parameters": model_parameters, "instructions": instructions, "on_unknown": on_unknown, "content": content, "context_id": context_id, "images": images, "agent": agent, "budget": budget}), keyed=True, options=options), runtime.RunSummary)


class ApprovalsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        cursor: Union[str, NotGiven] = NOT_GIVEN,
        state: Union[Literal["pending", "approved", "refused", "expired", "used", "canceled"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.Approval, runtime.ApprovalList]:
        """List calls of tools that wait for a decision in your runs, or with `runs:read_all` in those of the project. Requires the scope `runs:read`."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/approvals", query=given({"limit": limit, "cursor": cursor, "state": state}), options=options), "cursor", runtime.ApprovalList)

    def list_of_run(
        self,
        run_id: Union[str, int],
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        cursor: Union[str, NotGiven] = NOT_GIVEN,
        below: Union[Literal["true", "false"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.Approval, runtime.ApprovalList]:
        """List the decisions about calls of tools in a run. Requires the scope `runs:read`."""
        return self._sender.pages(Call("runtime", "GET", f"/api/v1/runs/{segment('run_id', run_id)}/approvals", query=given({"limit": limit, "cursor": cursor, "below": below}), options=options), "cursor", runtime.ApprovalList)

    def decide(
        self,
        run_id: Union[str, int],
        approval_id: Union[str, int],
        *,
        decision: Literal["approve", "refuse"],
        arguments: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        reason: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.DecideApprovalAnswer:
        """Approve a call of a tool, with other arguments where given, or refuse it. The run goes on once all are decided. Requires the scope `runs:approve`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", f"/api/v1/runs/{segment('run_id', run_id)}/approvals/{segment('approval_id', approval_id)}", body=given({"decision": decision, "arguments": arguments, "reason": reason}), keyed=True, options=options), runtime.DecideApprovalAnswer)


class UsersResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.User, runtime.UserList]:
        """List users, oldest first. Requires the scope `users:read`."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/users", query=given({"limit": limit, "offset": offset}), options=options), "offset", runtime.UserList)

    def create(
        self,
        *,
        email: str,
        name: str,
        options: Optional[RequestOptions] = None,
    ) -> runtime.User:
        """Create a user. Requires the scope `users:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", "/api/v1/users", body=given({"email": email, "name": name}), keyed=True, options=options), runtime.User)

    def get(
        self,
        user_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.User:
        """Retrieve a user. Requires the scope `users:read`."""
        return self._sender.json(Call("runtime", "GET", f"/api/v1/users/{segment('user_id', user_id)}", options=options), runtime.User)

    def update(
        self,
        user_id: Union[str, int],
        *,
        email: Union[str, NotGiven] = NOT_GIVEN,
        name: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.User:
        """Update fields of a user. Requires the scope `users:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("runtime", "PUT", f"/api/v1/users/{segment('user_id', user_id)}", body=given({"email": email, "name": name}), options=options), runtime.User)

    def deactivate(
        self,
        user_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.User:
        """Deactivate a user and revoke their credentials. Requires the scope `users:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("runtime", "DELETE", f"/api/v1/users/{segment('user_id', user_id)}", options=options), runtime.User)


class McpResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list_servers(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.McpServer, runtime.McpServerList]:
        """List the MCP servers with their available tools. Requires the scope `mcp:read`."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/mcp/registry", query=given({"limit": limit, "offset": offset}), options=options), "offset", runtime.McpServerList)

    def list_server_entries(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        cursor: Union[str, NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        updated_since: Union[str, NotGiven] = NOT_GIVEN,
        version: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.ServerEntry, runtime.ServerEntryList]:
        """List the MCP servers in the form of the official MCP registry. Requires the scope `mcp:read`."""
        return self._sender.pages(Call("runtime", "GET", "/v0.1/servers", query=given({"limit": limit, "cursor": cursor, "search": search, "updated_since": updated_since, "version": version}), options=options), "cursor", runtime.ServerEntryList)

    def list_server_entry_versions(
        self,
        server_name: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.ServerEntryList:
        """List the versions of an MCP server, of which there is one at a time. Requires the scope `mcp:read`."""
        return self._sender.json(Call("runtime", "GET", f"/v0.1/servers/{segment('server_name', server_name)}/versions", options=options), runtime.ServerEntryList)

    def get_server_entry(
        self,
        server_name: Union[str, int],
        version: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.ServerEntry:
        """Retrieve the `latest` or the named version of an MCP server, in the form of the official MCP registry. Requires the scope `mcp:read`."""
        return self._sender.json(Call("runtime", "GET", f"/v0.1/servers/{segment('server_name', server_name)}/versions/{segment('version', version)}", options=options), runtime.ServerEntry)

    def list_connections(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.McpConnectionList:
        """MCP servers that ask for an account of your own, and whether you connected one. Requires the scope `mcp:read`."""
        return self._sender.json(Call("runtime", "GET", "/api/v1/mcp/connections", options=options), runtime.McpConnectionList)

    def end_connection(
        self,
        server_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.EndMcpConnectionAnswer:
        """Disconnect your account from an MCP server. Requires the scope `mcp:call`."""
        return self._sender.json(Call("runtime", "DELETE", f"/api/v1/mcp/connections/{segment('server_id', server_id)}", options=options), runtime.EndMcpConnectionAnswer)


class FilesResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def upload(
        self,
        file: FileContent,
        *,
        path: str,
        options: Optional[RequestOptions] = None,
    ) -> runtime.UploadedFile:
        """Upload a file. Requires the scope `files:write`. The body is a multipart form with one file. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("runtime", "POST", "/api/v1/files", file=(file, given({"path": path})), keyed=True, options=options), runtime.UploadedFile)

    def list(
        self,
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        offset: Union[int, NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[runtime.UploadedFile, runtime.FileList]:
        """List files, newest first. Requires the scope `files:read`."""
        return self._sender.pages(Call("runtime", "GET", "/api/v1/files", query=given({"limit": limit, "offset": offset, "search": search}), options=options), "offset", runtime.FileList)

    def download(
        self,
        file_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Download:
        """Download a file, or get its record. Requires the scope `files:read`. The answer is the bytes; a range of them by `Range`. With `Accept: application/json` it is the record."""
        return self._sender.download(Call("runtime", "GET", f"/api/v1/files/{segment('file_id', file_id)}", options=options))

    def delete(
        self,
        file_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> runtime.DeleteContextAnswer:
        """Delete a file. Requires the scope `files:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("runtime", "DELETE", f"/api/v1/files/{segment('file_id', file_id)}", options=options), runtime.DeleteContextAnswer)


class AnalyticsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get_metrics(
        self,
        *,
        from_: Union[str, NotGiven] = NOT_GIVEN,
        to: Union[str, NotGiven] = NOT_GIVEN,
        metric: Union[Literal["requests", "errors", "latency_p95_ms", "agent_messages", "model_tokens", "model_cost_usd", "mcp_calls", "content_searches", "active_users"], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> runtime.Metrics:
        """A metric by day in UTC, or all of them; by default of the last 30 days. Requires the scope `analytics:read`."""
        return self._sender.json(Call("runtime", "GET", "/api/v1/analytics/metrics", query=given({"from": from_, "to": to, "metric": metric}), options=options), runtime.Metrics)


class PromptsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(
        self,
        *,
        instruction: Mapping[str, Any],
        input: Mapping[str, Any],
        output: Mapping[str, Any],
        metadata: Mapping[str, Any],
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Prompt:
        """Create a prompt. Requires the scope `prompts:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/prompt", body=given({"instruction": instruction, "input": input, "output": output, "model_parameters": model_parameters, "metadata": metadata}), keyed=True, options=options), prompt.Prompt)

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort_by: Union[Literal["created", "updated", "title"], NotGiven] = NOT_GIVEN,
        sort_direction: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        status: Union[Literal["draft", "published", "archived"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        tag: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[prompt.Prompt, prompt.ListPromptsAnswer]:
        """List prompts. Requires the scope `prompts:read`."""
        return self._sender.pages(Call("prompt", "GET", "/v1/prompt", query=given({"page": page, "limit": limit, "skip": skip, "sort_by": sort_by, "sort_direction": sort_direction, "status": status, "search": search, "tag": tag}), options=options), "page", prompt.ListPromptsAnswer)

    def get(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Prompt:
        """Read a prompt. Requires the scope `prompts:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/prompt/{segment('uuid', uuid)}", options=options), prompt.Prompt)

    def update(
        self,
        uuid: Union[str, int],
        *,
        instruction: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        input: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        output: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Prompt:
        """Update a prompt. Each update is a new version. Requires the scope `prompts:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "PUT", f"/v1/prompt/{segment('uuid', uuid)}", body=given({"instruction": instruction, "input": input, "output": output, "model_parameters": model_parameters, "metadata": metadata}), options=options), prompt.Prompt)

    def delete(
        self,
        uuid: Union[str, int],
        *,
        reason: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a prompt. Requires the scope `prompts:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("prompt", "DELETE", f"/v1/prompt/{segment('uuid', uuid)}", query=given({"reason": reason}), options=options))

    def render(
        self,
        uuid: Union[str, int],
        *,
        message: Union[str, NotGiven] = NOT_GIVEN,
        structured_data: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        reference: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        version: Union[int, NotGiven] = NOT_GIVEN,
        label: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.RenderPromptAnswer:
        """Render a prompt. Requires the scope `prompts:read`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", f"/v1/prompt/{segment('uuid', uuid)}", body=given({"message": message, "structured_data": structured_data, "reference": reference, "version": version, "label": label}), keyed=True, options=options), prompt.RenderPromptAnswer)

    def get_input(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Definition:
        """Read an input definition. Requires the scope `prompts:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/input/{segment('uuid', uuid)}", options=options), prompt.Definition)

    def get_output(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Definition:
        """Read an output definition. Requires the scope `prompts:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/output/{segment('uuid', uuid)}", options=options), prompt.Definition)

    def list_versions(
        self,
        uuid: Union[str, int],
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[prompt.Prompt, prompt.ListPromptVersionsAnswer]:
        """List the versions of a prompt. Requires the scope `prompts:read`."""
        return self._sender.pages(Call("prompt", "GET", f"/v1/prompt/{segment('uuid', uuid)}/version", query=given({"page": page, "limit": limit, "skip": skip}), options=options), "page", prompt.ListPromptVersionsAnswer)

    def get_version(
        self,
        uuid: Union[str, int],
        n: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Prompt:
        """Read a version of a prompt. Requires the scope `prompts:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/prompt/{segment('uuid', uuid)}/version/{segment('n', n)}", options=options), prompt.Prompt)

    def diff_versions(
        self,
        uuid: Union[str, int],
        n: Union[str, int],
        *,
        from_: Union[int, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.DiffPromptVersionsAnswer:
        """Compare a version with an earlier one: the one before it, or `from`. Requires the scope `prompts:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/prompt/{segment('uuid', uuid)}/version/{segment('n', n)}/diff", query=given({"from": from_}), options=options), prompt.DiffPromptVersionsAnswer)

    def restore_version(
        self,
        uuid: Union[str, int],
        n: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Prompt:
        """Restore an earlier version as a new one. Requires the scope `prompts:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "POST", f"/v1/prompt/{segment('uuid', uuid)}/version/{segment('n', n)}/restore", keyed=True, options=options), prompt.Prompt)

    def list_labels(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.ListPromptLabelsAnswer:
        """List the labels of a prompt. Requires the scope `prompts:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/prompt/{segment('uuid', uuid)}/label", options=options), prompt.ListPromptLabelsAnswer)

    def move_label(
        self,
        uuid: Union[str, int],
        name: Union[str, int],
        *,
        version: int,
        reason: Union[str, NotGiven] = NOT_GIVEN,
        protected: Union[bool, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.MovePromptLabelAnswer:
        """Point a label at a version. Requires the scope `prompts:write`."""
        return self._sender.json(Call("prompt", "PUT", f"/v1/prompt/{segment('uuid', uuid)}/label/{segment('name', name)}", body=given({"version": version, "reason": reason, "protected": protected}), options=options), prompt.MovePromptLabelAnswer)

    def delete_label(
        self,
        uuid: Union[str, int],
        name: Union[str, int],
        *,
        reason: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a label. Requires the scope `prompts:write`."""
        return self._sender.nothing(Call("prompt", "DELETE", f"/v1/prompt/{segment('uuid', uuid)}/label/{segment('name', name)}", query=given({"reason": reason}), options=options))

    def run(
        self,
        uuid: Union[str, int],
        *,
        message: Union[str, NotGiven] = NOT_GIVEN,
        structured_data: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        reference: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        version: Union[int, NotGiven] = NOT_GIVEN,
        label: Union[str, NotGiven] = NOT_GIVEN,
        conversation: Union[str, NotGiven] = NOT_GIVEN,
        model: Union[str, NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.RunPromptAnswer:
        """Run a prompt against a language model. Requires the scope `prompts:run`. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", f"/v1/prompt/{segment('uuid', uuid)}/openai", body=given({"message": message, "structured_data": structured_data, "reference": reference, "version": version, "label": label, "conversation": conversation, "model": model, "model_parameters": model_parameters}), keyed=True, options=options), prompt.RunPromptAnswer)

    def run_stream(
        self,
        uuid: Union[str, int],
        *,
        message: Union[str, NotGiven] = NOT_GIVEN,
        structured_data: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        reference: Union[Sequence[str], NotGiven] = NOT_GIVEN,
        version: Union[int, NotGiven] = NOT_GIVEN,
        label: Union[str, NotGiven] = NOT_GIVEN,
        conversation: Union[str, NotGiven] = NOT_GIVEN,
        model: Union[str, NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Iterator[StreamEvent[str, prompt.RunPromptEvent]]:
        """Run a prompt against a language model. Requires the scope `prompts:run`. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.events(Call("prompt", "POST", f"/v1/prompt/{segment('uuid', uuid)}/openai", body={**given({"message": message, "structured_data": structured_data, "reference": reference, "version": version, "label": label, "conversation": conversation, "model": model, "model_parameters": model_parameters}), "stream": True}, keyed=True, options=options), {}, prompt.RunPromptEvent, ["result"], False)

    def get_version_usage(
        self,
        uuid: Union[str, int],
        n: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.PromptVersionUsage:
        """Read the usage and cost of a version. Requires the scope `prompts:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/prompt/{segment('uuid', uuid)}/version/{segment('n', n)}/usage", options=options), prompt.PromptVersionUsage)

    def render_draft(
        self,
        *,
        instruction: Mapping[str, Any],
        input: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        output: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        message: Union[str, NotGiven] = NOT_GIVEN,
        structured_data: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.RenderDraftAnswer:
        """Render an unsaved prompt and report its faults. Requires the scope `prompts:read`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/render", body=given({"instruction": instruction, "input": input, "output": output, "message": message, "structured_data": structured_data}), keyed=True, options=options), prompt.RenderDraftAnswer)

    def run_draft(
        self,
        *,
        instruction: Mapping[str, Any],
        input: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        output: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        message: Union[str, NotGiven] = NOT_GIVEN,
        structured_data: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        prompt: Union[str, NotGiven] = NOT_GIVEN,
        history: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        model: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.RunDraftAnswer:
        """Run an unsaved prompt against a language model. Requires the scope `prompts:run`. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/run", body=given({"instruction": instruction, "input": input, "output": output, "message": message, "structured_data": structured_data, "model_parameters": model_parameters, "prompt": prompt, "history": history, "model": model}), keyed=True, options=options), prompt.RunDraftAnswer)

    def run_draft_stream(
        self,
        *,
        instruction: Mapping[str, Any],
        input: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        output: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        message: Union[str, NotGiven] = NOT_GIVEN,
        structured_data: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        model_parameters: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        prompt: Union[str, NotGiven] = NOT_GIVEN,
        history: Union[Sequence[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        model: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Iterator[StreamEvent[str, prompt.RunDraftEvent]]:
        """Run an unsaved prompt against a language model. Requires the scope `prompts:run`. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.events(Call("prompt", "POST", "/v1/run", body={**given({"instruction": instruction, "input": input, "output": output, "message": message, "structured_data": structured_data, "model_parameters": model_parameters, "prompt": prompt, "history": history, "model": model}), "stream": True}, keyed=True, options=options), {}, prompt.RunDraftEvent, ["result"], False)


class ModelsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.ModelList:
        """List models, agents and prompts in the form of OpenAI. Requires the scope `prompts:run`."""
        return self._sender.json(Call("prompt", "GET", "/v1/models", options=options), prompt.ModelList)

    def get(
        self,
        model: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Model:
        """Read a model, an agent or a prompt in the form of OpenAI. Requires the scope `prompts:run`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/models/{segment('model', model)}", options=options), prompt.Model)

    def create_embeddings(
        self,
        *,
        model: str,
        input: Union[str, Sequence[str]],
        dimensions: Union[Optional[int], NotGiven] = NOT_GIVEN,
        encoding_format: Union[Optional[Literal["float", "base64"]], NotGiven] = NOT_GIVEN,
        user: Union[Optional[str], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.CreatedEmbeddings:
        """Make vectors of texts by OpenAI's embeddings. Requires the scope `prompts:run`. A model is called: the answer may take minutes."""
        return self._sender.json(Call("prompt", "POST", "/v1/embeddings", body=given({"model": model, "input": input, "dimensions": dimensions, "encoding_format": encoding_format, "user": user}), options=options), prompt.CreatedEmbeddings)


class ResponsesResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(
        self,
        *,
        prompt: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        input: Union[Optional[Union[str, Sequence[Mapping[str, Any]]]], NotGiven] = NOT_GIVEN,
        instructions: Union[Optional[str], NotGiven] = NOT_GIVEN,
        previous_response_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        conversation: Union[Optional[Union[str, Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        model: Union[Optional[str], NotGiven] = NOT_GIVEN,
        max_output_tokens: Union[Optional[int], NotGiven] = NOT_GIVEN,
        temperature: Union[Optional[float], NotGiven] = NOT_GIVEN,
        text: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        truncation: Union[Optional[Literal["auto", "disabled"]], NotGiven] = NOT_GIVEN,
        store: Union[Optional[bool], NotGiven] = NOT_GIVEN,
        metadata: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        user: Union[Optional[str], NotGiven] = NOT_GIVEN,
        safety_identifier: Union[Optional[str], NotGiven] = NOT_GIVEN,
        prompt_cache_key: Union[Optional[str], NotGiven] = NOT_GIVEN,
        parallel_tool_calls: Union[Optional[bool], NotGiven] = NOT_GIVEN,
        tool_choice: Union[Optional[Union[Literal["auto", "none", "required"], Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        tools: Union[Optional[Sequence[Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        top_p: Union[Optional[float], NotGiven] = NOT_GIVEN,
        reasoning: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        access_programs: Union[Any, NotGiven] = NOT_GIVEN,
        background: Union[Optional[bool], NotGiven] = NOT_GIVEN,
        context_management: Union[Any, NotGiven] = NOT_GIVEN,
        image: Union[Any, NotGiven] = NOT_GIVEN,
        include: Union[Optional[Sequence[Literal["code_interpreter_call.outputs", "computer_call_output.output.image_url", "file_search_call.results", "message.input_image.image_url", "reasoning.encrypted_content", "web_search_call.action.sources", "web_search_call.results"]]], NotGiven] = NOT_GIVEN,
        max_tool_calls: Union[Any, NotGiven] = NOT_GIVEN,
        moderation: Union[Any, NotGiven] = NOT_GIVEN,
        prompt_cache_options: Union[Any, NotGiven] = NOT_GIVEN,
        prompt_cache_retention: Union[Any, NotGiven] = NOT_GIVEN,
        service_tier: Union[Any, NotGiven] = NOT_GIVEN,
        stream_options: Union[Any, NotGiven] = NOT_GIVEN,
        top_logprobs: Union[Any, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.ModelResponse:
        """Run a model, a prompt or an agent by OpenAI's Responses API. Requires the scope `prompts:run`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/responses", body=given({"prompt": prompt, "input": input, "instructions": instructions, "previous_response_id": previous_response_id, "conversation": conversation, "model": model, "max_output_tokens": max_output_tokens, "temperature": temperature, "text": text, "truncation": truncation, "store": store, "metadata": metadata, "user": user, "safety_identifier": safety_identifier, "prompt_cache_key": prompt_cache_key, "parallel_tool_calls": parallel_tool_calls, "tool_choice": tool_choice, "tools": tools, "top_p": top_p, "reasoning": reasoning, "access_programs": access_programs, "background": background, "context_management": context_management, "image": image, "include": include, "max_tool_calls": max_tool_calls, "moderation": moderation, "prompt_cache_options": prompt_cache_options, "prompt_cache_retention": prompt_cache_retention, "service_tier": service_tier, "stream_options": stream_options, "top_logprobs": top_logprobs}), keyed=True, options=options), prompt.ModelResponse)

    def create_stream(
        self,
        *,
        prompt: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        input: Union[Optional[Union[str, Sequence[Mapping[str, Any]]]], NotGiven] = NOT_GIVEN,
        instructions: Union[Optional[str], NotGiven] = NOT_GIVEN,
        previous_response_id: Union[Optional[str], NotGiven] = NOT_GIVEN,
        conversation: Union[Optional[Union[str, Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        model: Union[Optional[str], NotGiven] = NOT_GIVEN,
        max_output_tokens: Union[Optional[int], NotGiven] = NOT_GIVEN,
        temperature: Union[Optional[float], NotGiven] = NOT_GIVEN,
        text: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        truncation: Union[Optional[Literal["auto", "disabled"]], NotGiven] = NOT_GIVEN,
        store: Union[Optional[bool], NotGiven] = NOT_GIVEN,
        metadata: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        user: Union[Optional[str], NotGiven] = NOT_GIVEN,
        safety_identifier: Union[Optional[str], NotGiven] = NOT_GIVEN,
        prompt_cache_key: Union[Optional[str], NotGiven] = NOT_GIVEN,
        parallel_tool_calls: Union[Optional[bool], NotGiven] = NOT_GIVEN,
        tool_choice: Union[Optional[Union[Literal["auto", "none", "required"], Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        tools: Union[Optional[Sequence[Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        top_p: Union[Optional[float], NotGiven] = NOT_GIVEN,
        reasoning: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        access_programs: Union[Any, NotGiven] = NOT_GIVEN,
        background: Union[Optional[bool], NotGiven] = NOT_GIVEN,
        context_management: Union[Any, NotGiven] = NOT_GIVEN,
        image: Union[Any, NotGiven] = NOT_GIVEN,
        include: Union[Optional[Sequence[Literal["code_interpreter_call.outputs", "computer_call_output.output.image_url", "file_search_call.results", "message.input_image.image_url", "reasoning.encrypted_content", "web_search_call.action.sources", "web_search_call.results"]]], NotGiven] = NOT_GIVEN,
        max_tool_calls: Union[Any, NotGiven] = NOT_GIVEN,
        moderation: Union[Any, NotGiven] = NOT_GIVEN,
        prompt_cache_options: Union[Any, NotGiven] = NOT_GIVEN,
        prompt_cache_retention: Union[Any, NotGiven] = NOT_GIVEN,
        service_tier: Union[Any, NotGiven] = NOT_GIVEN,
        stream_options: Union[Any, NotGiven] = NOT_GIVEN,
        top_logprobs: Union[Any, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Iterator[StreamEvent[str, prompt.CreateResponseEvent]]:
        """Run a model, a prompt or an agent by OpenAI's Responses API. Requires the scope `prompts:run`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.events(Call("prompt", "POST", "/v1/responses", body={**given({"prompt": prompt, "input": input, "instructions": instructions, "previous_response_id": previous_response_id, "conversation": conversation, "model": model, "max_output_tokens": max_output_tokens, "temperature": temperature, "text": text, "truncation": truncation, "store": store, "metadata": metadata, "user": user, "safety_identifier": safety_identifier, "prompt_cache_key": prompt_cache_key, "parallel_tool_calls": parallel_tool_calls, "tool_choice": tool_choice, "tools": tools, "top_p": top_p, "reasoning": reasoning, "access_programs": access_programs, "background": background, "context_management": context_management, "image": image, "include": include, "max_tool_calls": max_tool_calls, "moderation": moderation, "prompt_cache_options": prompt_cache_options, "prompt_cache_retention": prompt_cache_retention, "service_tier": service_tier, "stream_options": stream_options, "top_logprobs": top_logprobs}), "stream": True}, keyed=True, options=options), {}, prompt.CreateResponseEvent, ["response.completed","response.incomplete","response.failed"], False)

    def get(
        self,
        response_id: Union[str, int],
        *,
        starting_after: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.ModelResponse:
        """Read a response. Requires the scope `conversations:read`. With `stream: true` the answer is a stream of server-sent events."""
        return self._sender.json(Call("prompt", "GET", f"/v1/responses/{segment('response_id', response_id)}", query=given({"starting_after": starting_after}), options=options), prompt.ModelResponse)

    def get_stream(
        self,
        response_id: Union[str, int],
        *,
        starting_after: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Iterator[StreamEvent[str, prompt.GetResponseEvent]]:
        """Read a response. Requires the scope `conversations:read`. With `stream: true` the answer is a stream of server-sent events."""
        return self._sender.events(Call("prompt", "GET", f"/v1/responses/{segment('response_id', response_id)}", query={**given({"starting_after": starting_after}), "stream": True}, options=options), {}, prompt.GetResponseEvent, ["response.completed","response.incomplete","response.failed"], False)

    def delete(
        self,
        response_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a response. Requires the scope `conversations:write`."""
        return self._sender.nothing(Call("prompt", "DELETE", f"/v1/responses/{segment('response_id', response_id)}", options=options))

    def list_input_items(
        self,
        response_id: Union[str, int],
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        after: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.ResponseInputItemList:
        """List what the model read for a response: the conversation before its answer. Requires the scope `conversations:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/responses/{segment('response_id', response_id)}/input_items", query=given({"limit": limit, "order": order, "after": after}), options=options), prompt.ResponseInputItemList)

    def cancel(
        self,
        response_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.ModelResponse:
        """Cancel a response that was created with background. Requires the scope `prompts:run`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", f"/v1/responses/{segment('response_id', response_id)}/cancel", keyed=True, options=options), prompt.ModelResponse)


class ConversationsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(
        self,
        *,
        metadata: Mapping[str, Any],
        options: Optional[RequestOptions] = None,
    ) -> prompt.Conversation:
        """Create a conversation. Requires the scope `conversations:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/conversation", body=given({"metadata": metadata}), keyed=True, options=options), prompt.Conversation)

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort_by: Union[Literal["created", "updated", "title"], NotGiven] = NOT_GIVEN,
        sort_direction: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        status: Union[Literal["draft", "published", "archived"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        tag: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[prompt.Conversation, prompt.ListConversationsAnswer]:
        """List conversations. Requires the scope `conversations:read`."""
        return self._sender.pages(Call("prompt", "GET", "/v1/conversation", query=given({"page": page, "limit": limit, "skip": skip, "sort_by": sort_by, "sort_direction": sort_direction, "status": status, "search": search, "tag": tag}), options=options), "page", prompt.ListConversationsAnswer)

    def get(
        self,
        uuid: Union[str, int],
        *,
        before: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Conversation:
        """Read a conversation. Requires the scope `conversations:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/conversation/{segment('uuid', uuid)}", query=given({"before": before}), options=options), prompt.Conversation)

    def update(
        self,
        uuid: Union[str, int],
        *,
        metadata: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Conversation:
        """Change a conversation's metadata. Requires the scope `conversations:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "PUT", f"/v1/conversation/{segment('uuid', uuid)}", body=given({"metadata": metadata}), options=options), prompt.Conversation)

    def delete(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a conversation. Requires the scope `conversations:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("prompt", "DELETE", f"/v1/conversation/{segment('uuid', uuid)}", options=options))

    def start(
        self,
        *,
        items: Union[Optional[Sequence[Mapping[str, Any]]], NotGiven] = NOT_GIVEN,
        metadata: Union[Optional[Mapping[str, Any]], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.OpenAiConversation:
        """Create a conversation by OpenAI's Conversations API. Requires the scope `conversations:write`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/conversations", body=given({"items": items, "metadata": metadata}), keyed=True, options=options), prompt.OpenAiConversation)

    def retrieve(
        self,
        conversation_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.OpenAiConversation:
        """Read a conversation in the form of OpenAI. Requires the scope `conversations:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/conversations/{segment('conversation_id', conversation_id)}", options=options), prompt.OpenAiConversation)

    def change(
        self,
        conversation_id: Union[str, int],
        *,
        metadata: Mapping[str, Any],
        options: Optional[RequestOptions] = None,
    ) -> prompt.OpenAiConversation:
        """Replace a client's own pairs of a conversation. Requires the scope `conversations:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "POST", f"/v1/conversations/{segment('conversation_id', conversation_id)}", body=given({"metadata": metadata}), keyed=True, options=options), prompt.OpenAiConversation)

    def end(
        self,
        conversation_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.EndConversationAnswer:
        """Delete a conversation and its items. Requires the scope `conversations:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "DELETE", f"/v1/conversations/{segment('conversation_id', conversation_id)}", options=options), prompt.EndConversationAnswer)

    def list_items(
        self,
        conversation_id: Union[str, int],
        *,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        order: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        after: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.ResponseInputItemList:
        """List the items of a conversation. Requires the scope `conversations:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/conversations/{segment('conversation_id', conversation_id)}/items", query=given({"limit": limit, "order": order, "after": after}), options=options), prompt.ResponseInputItemList)

    def add_items(
        self,
        conversation_id: Union[str, int],
        *,
        items: Sequence[Mapping[str, Any]],
        options: Optional[RequestOptions] = None,
    ) -> prompt.ResponseInputItemList:
        """Add items to a conversation. Requires the scope `conversations:write`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", f"/v1/conversations/{segment('conversation_id', conversation_id)}/items", body=given({"items": items}), keyed=True, options=options), prompt.ResponseInputItemList)

    def get_item(
        self,
        conversation_id: Union[str, int],
        item_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.ConversationItem:
        """Read an item of a conversation. Requires the scope `conversations:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/conversations/{segment('conversation_id', conversation_id)}/items/{segment('item_id', item_id)}", options=options), prompt.ConversationItem)

    def delete_item(
        self,
        conversation_id: Union[str, int],
        item_id: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.OpenAiConversation:
        """Delete an item of a conversation. Requires the scope `conversations:write`."""
        return self._sender.json(Call("prompt", "DELETE", f"/v1/conversations/{segment('conversation_id', conversation_id)}/items/{segment('item_id', item_id)}", options=options), prompt.OpenAiConversation)


class PromptAgentsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(
        self,
        *,
        content: str,
        metadata: Mapping[str, Any],
        prefix: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Agent:
        """Create an agent. Requires the scope `agents:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/agent", body=given({"content": content, "prefix": prefix, "metadata": metadata}), keyed=True, options=options), prompt.Agent)

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort_by: Union[Literal["created", "updated", "title"], NotGiven] = NOT_GIVEN,
        sort_direction: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        status: Union[Literal["draft", "published", "archived"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        tag: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[prompt.Agent, prompt.ListAgentsAnswer]:
        """List agents. Requires the scope `agents:read`."""
        return self._sender.pages(Call("prompt", "GET", "/v1/agent", query=given({"page": page, "limit": limit, "skip": skip, "sort_by": sort_by, "sort_direction": sort_direction, "status": status, "search": search, "tag": tag}), options=options), "page", prompt.ListAgentsAnswer)

    def get(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Agent:
        """Read an agent. Requires the scope `agents:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/agent/{segment('uuid', uuid)}", options=options), prompt.Agent)

    def update(
        self,
        uuid: Union[str, int],
        *,
        content: Union[str, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Agent:
        """Change an agent. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "PUT", f"/v1/agent/{segment('uuid', uuid)}", body=given({"content": content, "metadata": metadata}), options=options), prompt.Agent)


class ArtifactsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(
        self,
        *,
        content: str,
        metadata: Mapping[str, Any],
        options: Optional[RequestOptions] = None,
    ) -> prompt.Artifact:
        """Create an artifact. Requires the scope `artifacts:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/artifact", body=given({"content": content, "metadata": metadata}), keyed=True, options=options), prompt.Artifact)

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort_by: Union[Literal["created", "updated", "title"], NotGiven] = NOT_GIVEN,
        sort_direction: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        status: Union[Literal["draft", "published", "archived"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        tag: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[prompt.Artifact, prompt.ListArtifactsAnswer]:
        """List artifacts. Requires the scope `artifacts:read`."""
        return self._sender.pages(Call("prompt", "GET", "/v1/artifact", query=given({"page": page, "limit": limit, "skip": skip, "sort_by": sort_by, "sort_direction": sort_direction, "status": status, "search": search, "tag": tag}), options=options), "page", prompt.ListArtifactsAnswer)

    def get(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Artifact:
        """Read an artifact. Requires the scope `artifacts:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/artifact/{segment('uuid', uuid)}", options=options), prompt.Artifact)

    def update(
        self,
        uuid: Union[str, int],
        *,
        content: Union[str, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Artifact:
        """Change an artifact. Requires the scope `artifacts:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "PUT", f"/v1/artifact/{segment('uuid', uuid)}", body=given({"content": content, "metadata": metadata}), options=options), prompt.Artifact)

    def delete(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete an artifact. Requires the scope `artifacts:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("prompt", "DELETE", f"/v1/artifact/{segment('uuid', uuid)}", options=options))


class BlocksResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(
        self,
        *,
        prefix: str,
        metadata: Mapping[str, Any],
        content: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Block:
        """Create a block. Requires the scope `blocks:write`. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/block", body=given({"prefix": prefix, "content": content, "metadata": metadata}), keyed=True, options=options), prompt.Block)

    def list(
        self,
        *,
        page: Union[int, NotGiven] = NOT_GIVEN,
        limit: Union[int, NotGiven] = NOT_GIVEN,
        skip: Union[int, NotGiven] = NOT_GIVEN,
        sort_by: Union[Literal["created", "updated", "title"], NotGiven] = NOT_GIVEN,
        sort_direction: Union[Literal["asc", "desc"], NotGiven] = NOT_GIVEN,
        status: Union[Literal["draft", "published", "archived"], NotGiven] = NOT_GIVEN,
        search: Union[str, NotGiven] = NOT_GIVEN,
        tag: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[prompt.Block, prompt.ListBlocksAnswer]:
        """List blocks. Requires the scope `blocks:read`."""
        return self._sender.pages(Call("prompt", "GET", "/v1/block", query=given({"page": page, "limit": limit, "skip": skip, "sort_by": sort_by, "sort_direction": sort_direction, "status": status, "search": search, "tag": tag}), options=options), "page", prompt.ListBlocksAnswer)

    def get(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Block:
        """Read a block. Requires the scope `blocks:read`."""
        return self._sender.json(Call("prompt", "GET", f"/v1/block/{segment('uuid', uuid)}", options=options), prompt.Block)

    def update(
        self,
        uuid: Union[str, int],
        *,
        prefix: Union[str, NotGiven] = NOT_GIVEN,
        content: Union[str, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> prompt.Block:
        """Change a block. Requires the scope `blocks:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.json(Call("prompt", "PUT", f"/v1/block/{segment('uuid', uuid)}", body=given({"prefix": prefix, "content": content, "metadata": metadata}), options=options), prompt.Block)

    def delete(
        self,
        uuid: Union[str, int],
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a block. Requires the scope `blocks:write`. With `If-Match`, a record that has changed since is left alone (412)."""
        return self._sender.nothing(Call("prompt", "DELETE", f"/v1/block/{segment('uuid', uuid)}", options=options))


class PromptChangesResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def make(
        self,
        *,
        changes: Sequence[Mapping[str, Any]],
        options: Optional[RequestOptions] = None,
    ) -> prompt.MakeChangesAnswer:
        """Create, update and delete blocks and prompts, all or nothing. The changes are made in their order and in one transaction. A refusal names the change, as `changes.2`, and nothing is changed. A prompt with a protected label is deleted by its own path, which takes the reason. Requires `blocks:write` or `prompts:write` for the kinds that it names. Requires a credential. With an `Idempotency-Key` a repeated request is safe."""
        return self._sender.json(Call("prompt", "POST", "/v1/changes", body=given({"changes": changes}), keyed=True, options=options), prompt.MakeChangesAnswer)


class Resources:
    """Every resource of an installation."""

    def __init__(self, sender: Sender) -> None:
        self.skills = SkillsResource(sender)
        self.agents = AgentsResource(sender)
        self.plugins = PluginsResource(sender)
        self.content = ContentResource(sender)
        self.mcp_servers = McpServersResource(sender)
        self.changes = ChangesResource(sender)
        self.tool_rules = ToolRulesResource(sender)
        self.guards = GuardsResource(sender)
        self.webhooks = WebhooksResource(sender)
        self.triggers = TriggersResource(sender)
        self.budgets = BudgetsResource(sender)
        self.model_prices = ModelPricesResource(sender)
        self.keys = KeysResource(sender)
        self.clients = ClientsResource(sender)
        self.account = AccountResource(sender)
        self.runs = RunsResource(sender)
        self.approvals = ApprovalsResource(sender)
        self.users = UsersResource(sender)
        self.mcp = McpResource(sender)
        self.files = FilesResource(sender)
        self.analytics = AnalyticsResource(sender)
        self.prompts = PromptsResource(sender)
        self.models = ModelsResource(sender)
        self.responses = ResponsesResource(sender)
        self.conversations = ConversationsResource(sender)
        self.prompt_agents = PromptAgentsResource(sender)
        self.artifacts = ArtifactsResource(sender)
        self.blocks = BlocksResource(sender)
        self.prompt_changes = PromptChangesResource(sender)
