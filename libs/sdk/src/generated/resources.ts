/* Made by `npm run openapi`: do not edit. */
/* eslint-disable */
import { formOf, readEventsOf, readJson, readNothing, readPages, readText, segment } from '../core/calls.js';
import type { Pages } from '../core/pages.js';
import type { Query, RequestOptions, Send } from '../core/transport.js';
import type { Platform } from './platform.js';
import type { Prompt } from './prompt.js';
import type { Runtime } from './runtime.js';

export class SkillsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List skills. Requires the scope `skills:read`. */
  list(
    query: Platform['listSkills.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['Skill'], Platform['SkillList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/skills`, options },
      'page',
      query,
    );
  }
  /** Create a skill. Requires the scope `skills:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewSkill'], options?: RequestOptions): Promise<Platform['Skill']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/skills`,
      keyed: true,
      body,
      options,
    });
  }
  /** Import a SKILL.md as a skill. Requires the scope `skills:write`. The body is a text of type `text/markdown`. With an `Idempotency-Key` a repeated request is safe. */
  import(text: string, options?: RequestOptions): Promise<Platform['Skill']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/skills/import`,
      keyed: true,
      body: text,
      contentType: 'text/markdown',
      options,
    });
  }
  /** Export a skill as a SKILL.md. Requires the scope `skills:read`. */
  export(skill_id: string | number, options?: RequestOptions): Promise<string> {
    return readText(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/skills/${segment('skill_id', skill_id)}/skill.md`,
      options,
    });
  }
  /** Retrieve a skill. Requires the scope `skills:read`. */
  get(skill_id: string | number, options?: RequestOptions): Promise<Platform['Skill']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/skills/${segment('skill_id', skill_id)}`,
      options,
    });
  }
  /** Replace a skill. Requires the scope `skills:write`. With `If-Match`, a record that has changed since is left alone (412). */
  replace(
    skill_id: string | number,
    body: Platform['SkillReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['Skill']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/skills/${segment('skill_id', skill_id)}`,
      body,
      options,
    });
  }
  /** Update fields of a skill. Requires the scope `skills:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    skill_id: string | number,
    body: Platform['SkillChanges'],
    options?: RequestOptions,
  ): Promise<Platform['Skill']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/skills/${segment('skill_id', skill_id)}`,
      body,
      options,
    });
  }
  /** Delete a skill. Agents that use it lose it. Requires the scope `skills:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(skill_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/skills/${segment('skill_id', skill_id)}`,
      options,
    });
  }
  /** List the versions of a skill. Requires the scope `skills:read`. */
  listVersions(
    skill_id: string | number,
    query: Platform['listSkillVersions.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['SkillVersion'], Platform['SkillVersionList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/skills/${segment('skill_id', skill_id)}/versions`, options },
      'page',
      query,
    );
  }
  /** Retrieve a version of a skill. Requires the scope `skills:read`. */
  getVersion(
    skill_id: string | number,
    version: string | number,
    options?: RequestOptions,
  ): Promise<Platform['SkillVersion']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/skills/${segment('skill_id', skill_id)}/versions/${segment('version', version)}`,
      options,
    });
  }
  /** Restore a version of a skill as a new one. Requires the scope `skills:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412). */
  restoreVersion(
    skill_id: string | number,
    version: string | number,
    options?: RequestOptions,
  ): Promise<Platform['Skill']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/skills/${segment('skill_id', skill_id)}/versions/${segment('version', version)}/restore`,
      keyed: true,
      options,
    });
  }
}

export class AgentsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List agents. Requires the scope `agents:read`. */
  list(
    query: Platform['listAgents.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['Agent'], Platform['AgentList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/agents`, options },
      'page',
      query,
    );
  }
  /** Create an agent. Requires the scope `agents:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewAgent'], options?: RequestOptions): Promise<Platform['Agent']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/agents`,
      keyed: true,
      body,
      options,
    });
  }
  /** Retrieve an agent. Requires the scope `agents:read`. */
  get(agent_id: string | number, options?: RequestOptions): Promise<Platform['Agent']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}`,
      options,
    });
  }
  /** Replace an agent. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412). */
  replace(
    agent_id: string | number,
    body: Platform['AgentReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['Agent']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}`,
      body,
      options,
    });
  }
  /** Update fields of an agent. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    agent_id: string | number,
    body: Platform['AgentChanges'],
    options?: RequestOptions,
  ): Promise<Platform['Agent']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}`,
      body,
      options,
    });
  }
  /** Delete an agent. Its conversations and versions are deleted. Runs that have begun finish on their version, for 30 days at most; those that are queued fail with `agent_deleted`. To end them all, stop the agent first, by `POST /api/v1/agents/{agent_name}/stop` of the runtime API. An agent that is stopped or inactive leaves no run that finishes. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(agent_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}`,
      options,
    });
  }
  /** List the skills of an agent. Requires the scope `agents:read`. */
  listSkills(
    agent_id: string | number,
    query: Platform['listAgentSkills.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['Skill'], Platform['SkillList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/agents/${segment('agent_id', agent_id)}/skills`, options },
      'page',
      query,
    );
  }
  /** Assign a skill. Requires the scope `agents:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412). */
  assignSkill(
    agent_id: string | number,
    body: Platform['AssignSkillRequest'],
    options?: RequestOptions,
  ): Promise<Platform['Skill']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/skills`,
      keyed: true,
      body,
      options,
    });
  }
  /** Remove a skill from the agent. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412). */
  removeSkill(agent_id: string | number, skill_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/skills/${segment('skill_id', skill_id)}`,
      options,
    });
  }
  /** Make an agent the installation's default. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  markDefault(agent_id: string | number, options?: RequestOptions): Promise<Platform['Agent']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/default`,
      options,
    });
  }
  /** Unset the default agent. The oldest active, published agent takes its place. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  unmarkDefault(agent_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/default`,
      options,
    });
  }
  /** List the versions of an agent. Requires the scope `agents:read`. */
  listVersions(
    agent_id: string | number,
    query: Platform['listAgentVersions.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['AgentVersion'], Platform['AgentVersionList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/agents/${segment('agent_id', agent_id)}/versions`, options },
      'page',
      query,
    );
  }
  /** Retrieve a version of an agent. Requires the scope `agents:read`. */
  getVersion(
    agent_id: string | number,
    version: string | number,
    options?: RequestOptions,
  ): Promise<Platform['AgentVersion']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/versions/${segment('version', version)}`,
      options,
    });
  }
  /** Restore a version of an agent as a new one. Requires the scope `agents:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412). */
  restoreVersion(
    agent_id: string | number,
    version: string | number,
    options?: RequestOptions,
  ): Promise<Platform['Agent']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/versions/${segment('version', version)}/restore`,
      keyed: true,
      options,
    });
  }
  /** List agents. Requires the scope `agents:read`. */
  listRegistered(
    query: Runtime['listAgents.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['AgentSummary'], Runtime['AgentList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/agents/registry`, options },
      'offset',
      query,
    );
  }
  /** Retrieve an agent. Requires the scope `agents:read`. */
  getRegistered(agent_name: string | number, options?: RequestOptions): Promise<Runtime['Agent']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/agents/${segment('agent_name', agent_name)}`,
      options,
    });
  }
  /** Stop an agent at work: its runs are canceled in every process, and none starts until it is released. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. */
  stop(agent_name: string | number, options?: RequestOptions): Promise<Runtime['StopAgentAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/agents/${segment('agent_name', agent_name)}/stop`,
      keyed: true,
      options,
    });
  }
  /** Release a stopped agent, so that its runs start again. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. */
  release(agent_name: string | number, options?: RequestOptions): Promise<Runtime['StopAgentAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/agents/${segment('agent_name', agent_name)}/release`,
      keyed: true,
      options,
    });
  }
  /** Send a message to an agent. Requires the scope `agents:message`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With `Accept: text/event-stream` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  sendMessage(
    agent_name: string | number,
    body: Runtime['SendMessageRequest'],
    options?: RequestOptions,
  ): Promise<Runtime['SendMessageAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/agents/${segment('agent_name', agent_name)}/messages`,
      keyed: true,
      body,
      options,
    });
  }
  /** Send a message to an agent. Requires the scope `agents:message`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With `Accept: text/event-stream` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  sendMessageStream(
    agent_name: string | number,
    body: Runtime['SendMessageRequest'],
    options?: RequestOptions,
  ): AsyncGenerator<
    | { event: 'message.started'; id?: string; data: Runtime['sendMessage.message.started'] }
    | { event: 'run.running'; id?: string; data: Runtime['sendMessage.run.running'] }
    | { event: 'message.delta'; id?: string; data: Runtime['sendMessage.message.delta'] }
    | { event: 'tool.call'; id?: string; data: Runtime['sendMessage.tool.call'] }
    | { event: 'tool.result'; id?: string; data: Runtime['sendMessage.tool.result'] }
    | { event: 'message.completed'; id?: string; data: Runtime['sendMessage.message.completed'] }
    | { event: 'run.waiting'; id?: string; data: Runtime['sendMessage.run.waiting'] },
    void
  > {
    return readEventsOf(
      this.#send,
      {
        service: 'runtime',
        method: 'POST',
        path: `/api/v1/agents/${segment('agent_name', agent_name)}/messages`,
        keyed: true,
        body,
        options,
      },
      ['message.completed', 'run.waiting'],
      false,
    );
  }
  /** List your conversations with an agent, latest first. Requires the scope `agents:message`. */
  listContexts(
    agent_name: string | number,
    query: Runtime['listContexts.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['ContextSummary'], Runtime['ContextList']> {
    return readPages(
      this.#send,
      {
        service: 'runtime',
        method: 'GET',
        path: `/api/v1/agents/${segment('agent_name', agent_name)}/contexts`,
        options,
      },
      'offset',
      query,
    );
  }
  /** Read one of your conversations with an agent. Requires the scope `agents:message`. */
  getContext(
    agent_name: string | number,
    context_id: string | number,
    options?: RequestOptions,
  ): Promise<Runtime['Context']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/agents/${segment('agent_name', agent_name)}/contexts/${segment('context_id', context_id)}`,
      options,
    });
  }
  /** Delete one of your conversations with an agent, with its messages and tasks. Requires the scope `agents:message`. */
  deleteContext(
    agent_name: string | number,
    context_id: string | number,
    options?: RequestOptions,
  ): Promise<Runtime['DeleteContextAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'DELETE',
      path: `/api/v1/agents/${segment('agent_name', agent_name)}/contexts/${segment('context_id', context_id)}`,
      options,
    });
  }
  /** List your conversations with all agents, pinned ones first, then the latest. Requires the scope `agents:message`. */
  listConversations(
    query: Runtime['listConversations.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['ConversationSummary'], Runtime['ConversationList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/contexts`, options },
      'offset',
      query,
    );
  }
  /** Read a conversation of yours, or one that a user of your project shares. Requires the scope `agents:message`. */
  getConversation(context_id: string | number, options?: RequestOptions): Promise<Runtime['Conversation']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/contexts/${segment('context_id', context_id)}`,
      options,
    });
  }
  /** Rename, pin or share one of your conversations. Requires the scope `agents:message`. */
  updateConversation(
    context_id: string | number,
    body: Runtime['ConversationChanges'],
    options?: RequestOptions,
  ): Promise<Runtime['ConversationSummary']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'PATCH',
      path: `/api/v1/contexts/${segment('context_id', context_id)}`,
      body,
      options,
    });
  }
  /** Delete one of your conversations, with its messages and tasks. Requires the scope `agents:message`. */
  deleteConversation(context_id: string | number, options?: RequestOptions): Promise<Runtime['DeleteContextAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'DELETE',
      path: `/api/v1/contexts/${segment('context_id', context_id)}`,
      options,
    });
  }
  /** Download an image of a conversation of yours, or of one that a user of your project shares, or get its record. Requires the scope `agents:message`. The answer is the bytes; a range of them by `Range`. With `Accept: application/json` it is the record. */
  getConversationImage(
    context_id: string | number,
    image_id: string | number,
    options?: RequestOptions,
  ): Promise<Response> {
    return this.#send({
      ...{
        service: 'runtime',
        method: 'GET',
        path: `/api/v1/contexts/${segment('context_id', context_id)}/images/${segment('image_id', image_id)}`,
        options,
      },
      accept: '*/*',
    });
  }
}

export class PluginsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List installed plugins. Requires the scope `plugins:read`. */
  list(
    query: Platform['listPlugins.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['Plugin'], Platform['PluginList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/plugins`, options },
      'page',
      query,
    );
  }
  /** Install a plugin. Requires the scope `plugins:write`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  install(body: Platform['NewPlugin'], options?: RequestOptions): Promise<Platform['Plugin']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/plugins`,
      keyed: true,
      body,
      options,
    });
  }
  /** Retrieve a plugin. Requires the scope `plugins:read`. */
  get(plugin_id: string | number, options?: RequestOptions): Promise<Platform['Plugin']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/plugins/${segment('plugin_id', plugin_id)}`,
      options,
    });
  }
  /** Update a plugin and its configuration. Requires the scope `plugins:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    plugin_id: string | number,
    body: Platform['PluginChanges'],
    options?: RequestOptions,
  ): Promise<Platform['Plugin']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/plugins/${segment('plugin_id', plugin_id)}`,
      body,
      options,
    });
  }
  /** Uninstall a plugin. Agents that use it lose it. Requires the scope `plugins:write`. With `If-Match`, a record that has changed since is left alone (412). */
  uninstall(plugin_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/plugins/${segment('plugin_id', plugin_id)}`,
      options,
    });
  }
  /** Retrieve the configuration of a plugin. Requires the scope `plugins:read`. */
  getConfig(plugin_id: string | number, options?: RequestOptions): Promise<Platform['getPluginConfig.answer']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/plugins/${segment('plugin_id', plugin_id)}/config`,
      options,
    });
  }
  /** Replace the configuration of a plugin. Requires the scope `plugins:write`. With `If-Match`, a record that has changed since is left alone (412). */
  replaceConfig(
    plugin_id: string | number,
    body: Platform['PluginConfigReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['replacePluginConfig.answer']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/plugins/${segment('plugin_id', plugin_id)}/config`,
      body,
      options,
    });
  }
}

export class ContentResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List content items. Requires the scope `content:read`. Few of these requests run at once for a user and a project; the others wait. */
  list(
    query: Platform['listContent.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['Content'], Platform['ContentList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/content`, options },
      'page',
      query,
    );
  }
  /** Create a content item. Requires the scope `content:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewContent'], options?: RequestOptions): Promise<Platform['Content']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/content`,
      keyed: true,
      body,
      options,
    });
  }
  /** Retrieve a content item. Requires the scope `content:read`. */
  get(content_id: string | number, options?: RequestOptions): Promise<Platform['Content']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/content/${segment('content_id', content_id)}`,
      options,
    });
  }
  /** Replace a content item. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412). */
  replace(
    content_id: string | number,
    body: Platform['ContentReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['Content']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/content/${segment('content_id', content_id)}`,
      body,
      options,
    });
  }
  /** Update fields of a content item. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    content_id: string | number,
    body: Platform['ContentChanges'],
    options?: RequestOptions,
  ): Promise<Platform['Content']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/content/${segment('content_id', content_id)}`,
      body,
      options,
    });
  }
  /** Delete a content item. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(content_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/content/${segment('content_id', content_id)}`,
      options,
    });
  }
  /** Retrieve how knowledge is searched, and how far its vectors are made. Requires the scope `content:read`. */
  getKnowledgeSearch(options?: RequestOptions): Promise<Platform['KnowledgeSearch']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/knowledge-search`, options });
  }
  /** Set the embedding model of the search, and make all vectors again. The text of all content and passages is sent to the model in the background, and searches are full text until all vectors are made. The model’s usage counts as usage of the account that sets it. Requires the scope `admin`. */
  putKnowledgeSearch(
    body: Platform['KnowledgeSearchReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['KnowledgeSearch']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/knowledge-search`,
      body,
      options,
    });
  }
  /** Search content and passages of files and knowledge sources by their words, misspelt ones too; the best first. Requires the scope `content:read`. Few of these requests run at once for a user and a project; the others wait. */
  search(
    query: Runtime['searchContent.query'],
    options?: RequestOptions,
  ): Pages<Runtime['ContentSummary'], Runtime['SearchContentList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/content/search`, options },
      'offset',
      query,
    );
  }
  /** Use a file as knowledge, or index it again. Its text is read in the background and cut into passages, which searches and agents with one of the tags find. PDF, DOCX, HTML, Markdown and text up to 20 MiB. Needs `files:read` besides. Requires the scope `content:write`. */
  putFileKnowledge(
    file_id: string | number,
    body: Runtime['FileKnowledgeReplacement'],
    options?: RequestOptions,
  ): Promise<Runtime['FileKnowledge']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'PUT',
      path: `/api/v1/files/${segment('file_id', file_id)}/knowledge`,
      body,
      options,
    });
  }
  /** Retrieve how far a file is indexed. Requires the scope `content:read`. */
  getFileKnowledge(file_id: string | number, options?: RequestOptions): Promise<Runtime['FileKnowledge']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/files/${segment('file_id', file_id)}/knowledge`,
      options,
    });
  }
  /** Stop using a file as knowledge. Its passages are deleted, the file stays. Requires the scope `content:write`. */
  deleteFileKnowledge(file_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'runtime',
      method: 'DELETE',
      path: `/api/v1/files/${segment('file_id', file_id)}/knowledge`,
      options,
    });
  }
  /** List files that are used as knowledge, newest first. Requires the scope `content:read`. */
  listKnowledge(
    query: Runtime['listKnowledge.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['FileKnowledge'], Runtime['KnowledgeList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/knowledge`, options },
      'offset',
      query,
    );
  }
  /** List knowledge sources, newest first. Requires the scope `content:read`. */
  listKnowledgeSources(
    query: Runtime['listKnowledgeSources.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['KnowledgeSource'], Runtime['KnowledgeSourceList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/knowledge-sources`, options },
      'offset',
      query,
    );
  }
  /** Use a page or document at a URL as knowledge. It is fetched in the background and cut into passages, which searches and agents with one of the tags find. HTML, Markdown, plain text, PDF and DOCX up to 20 MiB; links on a page are not followed. Everyone who may read content may read the URL: put no credentials into it. Requires the scope `content:write`. With an `Idempotency-Key` a repeated request is safe. */
  createKnowledgeSource(
    body: Runtime['NewKnowledgeSource'],
    options?: RequestOptions,
  ): Promise<Runtime['KnowledgeSource']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/knowledge-sources`,
      keyed: true,
      body,
      options,
    });
  }
  /** Retrieve a knowledge source and how its last fetch ended. Requires the scope `content:read`. */
  getKnowledgeSource(source_id: string | number, options?: RequestOptions): Promise<Runtime['KnowledgeSource']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/knowledge-sources/${segment('source_id', source_id)}`,
      options,
    });
  }
  /** Update fields of a knowledge source. Another name, URL or other tags have it fetched at once: name and tags apply to passages once that succeeded, and passages of another URL are removed from search immediately. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412). */
  updateKnowledgeSource(
    source_id: string | number,
    body: Runtime['KnowledgeSourceChanges'],
    options?: RequestOptions,
  ): Promise<Runtime['KnowledgeSource']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'PATCH',
      path: `/api/v1/knowledge-sources/${segment('source_id', source_id)}`,
      body,
      options,
    });
  }
  /** Delete a knowledge source with its passages. Requires the scope `content:write`. With `If-Match`, a record that has changed since is left alone (412). */
  deleteKnowledgeSource(source_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'runtime',
      method: 'DELETE',
      path: `/api/v1/knowledge-sources/${segment('source_id', source_id)}`,
      options,
    });
  }
  /** Fetch a knowledge source now. An unchanged document is not read again. No effect while it waits or is fetched. Requires the scope `content:write`. With an `Idempotency-Key` a repeated request is safe. */
  refreshKnowledgeSource(source_id: string | number, options?: RequestOptions): Promise<Runtime['KnowledgeSource']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/knowledge-sources/${segment('source_id', source_id)}/refresh`,
      keyed: true,
      options,
    });
  }
}

export class McpServersResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List registered MCP servers. Requires the scope `mcp:read`. */
  list(
    query: Platform['listMcpServers.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['McpServer'], Platform['McpServerList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/mcp/servers`, options },
      'page',
      query,
    );
  }
  /** Register an MCP server. Its current tools are read and approved in the background. Requires the scope `mcp:write`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  register(body: Platform['NewMcpServer'], options?: RequestOptions): Promise<Platform['McpServer']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/mcp/servers`,
      keyed: true,
      body,
      options,
    });
  }
  /** Retrieve an MCP server. Requires the scope `mcp:read`. */
  get(server_id: string | number, options?: RequestOptions): Promise<Platform['McpServer']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/mcp/servers/${segment('server_id', server_id)}`,
      options,
    });
  }
  /** Update fields of an MCP server. A new url clears the approved tools. Requires the scope `mcp:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    server_id: string | number,
    body: Platform['McpServerChanges'],
    options?: RequestOptions,
  ): Promise<Platform['McpServer']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/mcp/servers/${segment('server_id', server_id)}`,
      body,
      options,
    });
  }
  /** Delete an MCP server. Agents that use it lose it. Requires the scope `mcp:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(server_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/mcp/servers/${segment('server_id', server_id)}`,
      options,
    });
  }
  /** Read the tools of an MCP server again. Requires the scope `mcp:write`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  refresh(server_id: string | number, options?: RequestOptions): Promise<Platform['McpServer']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/mcp/servers/${segment('server_id', server_id)}/refresh`,
      keyed: true,
      options,
    });
  }
  /** List the approved tools of an MCP server. Requires the scope `mcp:read`. */
  listTools(
    server_id: string | number,
    query: Platform['listMcpServerTools.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['McpServerTool'], Platform['McpServerToolList']> {
    return readPages(
      this.#send,
      {
        service: 'platform',
        method: 'GET',
        path: `/api/v1/mcp/servers/${segment('server_id', server_id)}/tools`,
        options,
      },
      'page',
      query,
    );
  }
  /** List the tools that are new, changed or gone since their approval. Requires the scope `mcp:read`. */
  listQuarantinedTools(
    server_id: string | number,
    query: Platform['listQuarantinedTools.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['QuarantinedTool'], Platform['QuarantinedToolList']> {
    return readPages(
      this.#send,
      {
        service: 'platform',
        method: 'GET',
        path: `/api/v1/mcp/servers/${segment('server_id', server_id)}/tools/quarantined`,
        options,
      },
      'page',
      query,
    );
  }
  /** Approve a tool by the hash of its definition. Requires a key of an admin with the scope admin. Requires the scope `mcp:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412). */
  approveTool(
    server_id: string | number,
    name: string | number,
    body: Platform['ApproveToolRequest'],
    options?: RequestOptions,
  ): Promise<Platform['McpServerTool']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/mcp/servers/${segment('server_id', server_id)}/tools/${segment('name', name)}/approve`,
      keyed: true,
      body,
      options,
    });
  }
  /** Retrieve the address of the MCP registry that servers are chosen from. Requires the scope `mcp:read`. */
  getMcpRegistry(options?: RequestOptions): Promise<Platform['McpRegistry']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/mcp/registry`, options });
  }
  /** Search the MCP registry. Each remote address is a draft for registering a server, which checks it like any other. Requires the scope `mcp:write`. A model is called: the answer may take minutes. */
  searchMcpRegistry(
    query: Platform['searchMcpRegistry.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['McpRegistrySummary'], Platform['McpRegistryList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/mcp/registry/servers`, options },
      'cursor',
      query,
    );
  }
}

export class ChangesResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Create, update and delete skills, content, MCP servers and agents, all or nothing. The changes are made in their order and in one transaction. A refusal names the change, as `changes.2`, and nothing is changed. A new record with a `ref` can be named by it in later changes. Requires `skills:write`, `content:write`, `mcp:write` or `agents:write` for the kinds that it names. Requires a credential. With an `Idempotency-Key` a repeated request is safe. */
  make(body: Platform['MakeChangesRequest'], options?: RequestOptions): Promise<Platform['MakeChangesAnswer']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/changes`,
      keyed: true,
      body,
      options,
    });
  }
}

export class ToolRulesResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Retrieve what holds for tools without a rule of their own. Requires the scope `mcp:read`. */
  getToolPolicy(options?: RequestOptions): Promise<Platform['ToolPolicy']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/tool-policy`, options });
  }
  /** Set what holds for tools without a rule of their own. Requires the scope `admin`. */
  putToolPolicy(body: Platform['ToolPolicyReplacement'], options?: RequestOptions): Promise<Platform['ToolPolicy']> {
    return readJson(this.#send, { service: 'platform', method: 'PUT', path: `/api/v1/tool-policy`, body, options });
  }
  /** List the rules of the approved tools of an MCP server. Requires the scope `mcp:read`. */
  listToolRules(server_id: string | number, options?: RequestOptions): Promise<Platform['ToolRuleList']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/mcp/servers/${segment('server_id', server_id)}/tools/rules`,
      options,
    });
  }
  /** Set the rules of tools of an MCP server, each for the definition with this hash. Other tools keep theirs. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  putToolRules(
    server_id: string | number,
    body: Platform['ToolRulesReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['ToolRuleList']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/mcp/servers/${segment('server_id', server_id)}/tools/rules`,
      body,
      options,
    });
  }
  /** Retrieve the rule of a plugin. Requires the scope `plugins:read`. */
  getPluginRule(plugin_id: string | number, options?: RequestOptions): Promise<Platform['PluginRule']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/plugins/${segment('plugin_id', plugin_id)}/rule`,
      options,
    });
  }
  /** Set the rule of a plugin in its present version. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  putPluginRule(
    plugin_id: string | number,
    body: Platform['PluginRuleReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['PluginRule']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/plugins/${segment('plugin_id', plugin_id)}/rule`,
      body,
      options,
    });
  }
  /** Retrieve the rule of calls of an agent by other agents. Requires the scope `agents:read`. */
  getAgentRule(agent_id: string | number, options?: RequestOptions): Promise<Platform['AgentRule']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/rule`,
      options,
    });
  }
  /** Set the rule of calls of an agent by other agents, for its present version. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  putAgentRule(
    agent_id: string | number,
    body: Platform['AgentRuleReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['AgentRule']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/rule`,
      body,
      options,
    });
  }
}

export class GuardsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Retrieve what is done with secrets and personal data in runs of the project. Requires the scope `agents:read`. */
  get(options?: RequestOptions): Promise<Platform['Guards']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/guards`, options });
  }
  /** Set what is done with secrets and personal data. It holds for runs that start or go on from now on. Requires the scope `admin`. */
  put(body: Platform['GuardsReplacement'], options?: RequestOptions): Promise<Platform['Guards']> {
    return readJson(this.#send, { service: 'platform', method: 'PUT', path: `/api/v1/guards`, body, options });
  }
  /** Retrieve what is done with secrets and personal data in runs of an agent. Requires the scope `agents:read`. */
  getAgent(agent_id: string | number, options?: RequestOptions): Promise<Platform['AgentGuards']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/guards`,
      options,
    });
  }
  /** Set stricter guards for an agent. The rules of the project are the minimum. Requires the scope `admin`. */
  putAgent(
    agent_id: string | number,
    body: Platform['GuardsReplacement'],
    options?: RequestOptions,
  ): Promise<Platform['AgentGuards']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PUT',
      path: `/api/v1/agents/${segment('agent_id', agent_id)}/guards`,
      body,
      options,
    });
  }
}

export class WebhooksResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List webhooks. Requires the scope `admin`. */
  list(
    query: Platform['listWebhooks.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['Webhook'], Platform['WebhookList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/webhooks`, options },
      'page',
      query,
    );
  }
  /** Register an address that receives events. The answer has the secret of its signatures, once. Requires the scope `admin`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewWebhook'], options?: RequestOptions): Promise<Platform['CreatedWebhook']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/webhooks`,
      keyed: true,
      body,
      options,
    });
  }
  /** Retrieve a webhook. Requires the scope `admin`. */
  get(webhook_id: string | number, options?: RequestOptions): Promise<Platform['Webhook']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}`,
      options,
    });
  }
  /** Update fields of a webhook. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    webhook_id: string | number,
    body: Platform['WebhookChanges'],
    options?: RequestOptions,
  ): Promise<Platform['Webhook']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}`,
      body,
      options,
    });
  }
  /** Delete a webhook with its deliveries. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(webhook_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}`,
      options,
    });
  }
  /** Replace the secret of a webhook. Events are signed with both secrets for 24 hours. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412). */
  rotateSecret(webhook_id: string | number, options?: RequestOptions): Promise<Platform['CreatedWebhook']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}/rotate-secret`,
      keyed: true,
      options,
    });
  }
  /** Send the event webhook.test to an active webhook. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. */
  test(webhook_id: string | number, options?: RequestOptions): Promise<Platform['WebhookDeliverySummary']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}/test`,
      keyed: true,
      options,
    });
  }
  /** Send the events of a period again, at most 1000 at once, oldest first. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. */
  replay(
    webhook_id: string | number,
    body: Platform['ReplayWebhookRequest'],
    options?: RequestOptions,
  ): Promise<Platform['ReplayWebhookAnswer']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}/replay`,
      keyed: true,
      body,
      options,
    });
  }
  /** List the deliveries of a webhook, newest first. Requires the scope `admin`. */
  listDeliveries(
    webhook_id: string | number,
    query: Platform['listWebhookDeliveries.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['WebhookDeliverySummary'], Platform['WebhookDeliveryList']> {
    return readPages(
      this.#send,
      {
        service: 'platform',
        method: 'GET',
        path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}/deliveries`,
        options,
      },
      'cursor',
      query,
    );
  }
  /** Retrieve a delivery with the event's data. Requires the scope `admin`. */
  getDelivery(
    webhook_id: string | number,
    delivery_id: string | number,
    options?: RequestOptions,
  ): Promise<Platform['WebhookDelivery']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}/deliveries/${segment('delivery_id', delivery_id)}`,
      options,
    });
  }
  /** Send an event again, under the same webhook-id. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. */
  replayDelivery(
    webhook_id: string | number,
    delivery_id: string | number,
    options?: RequestOptions,
  ): Promise<Platform['WebhookDeliverySummary']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/webhooks/${segment('webhook_id', webhook_id)}/deliveries/${segment('delivery_id', delivery_id)}/replay`,
      keyed: true,
      options,
    });
  }
}

export class TriggersResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List triggers. Requires the scope `admin`. */
  list(
    query: Platform['listTriggers.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['Trigger'], Platform['TriggerList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/triggers`, options },
      'page',
      query,
    );
  }
  /** Create a trigger whose runs act for you. The answer of a webhook trigger has the secret of its posts, once. Requires the scope `admin`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewTrigger'], options?: RequestOptions): Promise<Platform['CreatedTrigger']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/triggers`,
      keyed: true,
      body,
      options,
    });
  }
  /** List the next five times of a schedule. Requires the scope `admin`. */
  listTimes(query: Platform['listTriggerTimes.query'], options?: RequestOptions): Promise<Platform['TriggerTimeList']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/triggers/times`,
      query: query as Query,
      options,
    });
  }
  /** Retrieve a trigger. Requires the scope `admin`. */
  get(trigger_id: string | number, options?: RequestOptions): Promise<Platform['Trigger']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/triggers/${segment('trigger_id', trigger_id)}`,
      options,
    });
  }
  /** Update fields of a trigger. What its runs do is changed by its owner alone; owner_id makes you the owner. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    trigger_id: string | number,
    body: Platform['TriggerChanges'],
    options?: RequestOptions,
  ): Promise<Platform['Trigger']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/triggers/${segment('trigger_id', trigger_id)}`,
      body,
      options,
    });
  }
  /** Delete a trigger with its firings; its runs stay. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(trigger_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/triggers/${segment('trigger_id', trigger_id)}`,
      options,
    });
  }
  /** Replace the secret of a webhook trigger. Posts may be signed with either secret for 24 hours. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412). */
  rotateSecret(
    trigger_id: string | number,
    body: Platform['RotateTriggerSecretRequest'],
    options?: RequestOptions,
  ): Promise<Platform['CreatedTrigger']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/triggers/${segment('trigger_id', trigger_id)}/rotate-secret`,
      keyed: true,
      body,
      options,
    });
  }
  /** Fire an active trigger now, as a test. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. */
  fire(
    trigger_id: string | number,
    body: Platform['FireTriggerRequest'],
    options?: RequestOptions,
  ): Promise<Platform['TriggerFiring']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/triggers/${segment('trigger_id', trigger_id)}/fire`,
      keyed: true,
      body,
      options,
    });
  }
  /** List the firings of a trigger, newest first. Requires the scope `admin`. */
  listFirings(
    trigger_id: string | number,
    query: Platform['listTriggerFirings.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['TriggerFiring'], Platform['TriggerFiringList']> {
    return readPages(
      this.#send,
      {
        service: 'platform',
        method: 'GET',
        path: `/api/v1/triggers/${segment('trigger_id', trigger_id)}/firings`,
        options,
      },
      'cursor',
      query,
    );
  }
}

export class BudgetsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List the budgets of the project, without those of single runs. Requires the scope `admin`. */
  list(
    query: Platform['listBudgets.query'] = {},
    options?: RequestOptions,
  ): Pages<Platform['Budget'], Platform['BudgetList']> {
    return readPages(
      this.#send,
      { service: 'platform', method: 'GET', path: `/api/v1/budgets`, options },
      'page',
      query,
    );
  }
  /** Create a budget, which counts from now on. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewBudget'], options?: RequestOptions): Promise<Platform['Budget']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/budgets`,
      keyed: true,
      body,
      options,
    });
  }
  /** List the budgets that are yours: of your account, your API keys and your triggers, 200 at most. Requires the scope `agents:read`. */
  listOwn(options?: RequestOptions): Promise<Platform['OwnBudgetList']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/budgets/mine`, options });
  }
  /** List what a budget of a level may be of, by name: the first 50. Requires the scope `admin`. */
  listSubjects(
    query: Platform['listBudgetSubjects.query'],
    options?: RequestOptions,
  ): Promise<Platform['BudgetSubjectList']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/budgets/subjects`,
      query: query as Query,
      options,
    });
  }
  /** Retrieve a budget. Requires the scope `admin`. */
  get(budget_id: string | number, options?: RequestOptions): Promise<Platform['Budget']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/budgets/${segment('budget_id', budget_id)}`,
      options,
    });
  }
  /** Change a budget. Runs that wait for it go on once it has room. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    budget_id: string | number,
    body: Platform['BudgetChanges'],
    options?: RequestOptions,
  ): Promise<Platform['Budget']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/budgets/${segment('budget_id', budget_id)}`,
      body,
      options,
    });
  }
  /** Delete a budget. Runs that wait for it go on. Requires the scope `admin`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(budget_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/budgets/${segment('budget_id', budget_id)}`,
      options,
    });
  }
}

export class ModelPricesResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List what models cost the project: 1,000 prices at most, by model, the latest first. Requires the scope `admin`. */
  list(options?: RequestOptions): Promise<Platform['ModelPriceList']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/model-prices`, options });
  }
  /** Set what a model costs from a time on. Costs of past runs stay as they are. Requires the scope `admin`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewModelPrice'], options?: RequestOptions): Promise<Platform['ModelPrice']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/model-prices`,
      keyed: true,
      body,
      options,
    });
  }
  /** Delete a price: the one before it is valid again. Costs of past runs stay as they are. Requires the scope `admin`. */
  delete(price_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/model-prices/${segment('price_id', price_id)}`,
      options,
    });
  }
}

export class KeysResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List the owner's live API keys of the project. Requires the scope `keys:read`. */
  list(options?: RequestOptions): Promise<Platform['KeyList']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/keys`, options });
  }
  /** Make an API key with at most the rights of the key of the request. The answer has the key, once. The new key has the same owner and project. It works on when the key that made it ends. Requires the scope `keys:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewKey'], options?: RequestOptions): Promise<Platform['CreatedKey']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/keys`,
      keyed: true,
      body,
      options,
    });
  }
  /** Revoke one of the owner's API keys of the project. Requires the scope `keys:write`. */
  revoke(key_id: string | number, query: Platform['revokeKey.query'] = {}, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/keys/${segment('key_id', key_id)}`,
      query: query as Query,
      options,
    });
  }
}

export class ClientsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List the owner's OAuth clients of the project. Requires the scope `keys:read`. */
  list(options?: RequestOptions): Promise<Platform['ClientList']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/clients`, options });
  }
  /** Make an OAuth client with at most the rights of the key of the request. The answer has the secret, once. The client has the same owner and project as the key. It works on when the key is revoked. Requires the scope `keys:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Platform['NewClient'], options?: RequestOptions): Promise<Platform['CreatedClient']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/clients`,
      keyed: true,
      body,
      options,
    });
  }
  /** Read one of the owner's OAuth clients of the project. Requires the scope `keys:read`. */
  get(client_id: string | number, options?: RequestOptions): Promise<Platform['Client']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'GET',
      path: `/api/v1/clients/${segment('client_id', client_id)}`,
      options,
    });
  }
  /** Change the name, the redirect URIs or the tools of an OAuth client that has no more rights than the key. Requires the scope `keys:write`. */
  update(
    client_id: string | number,
    body: Platform['ClientChanges'],
    options?: RequestOptions,
  ): Promise<Platform['Client']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'PATCH',
      path: `/api/v1/clients/${segment('client_id', client_id)}`,
      body,
      options,
    });
  }
  /** Revoke one of the owner's OAuth clients of the project, with everything it was granted. Requires the scope `keys:write`. */
  revoke(client_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'platform',
      method: 'DELETE',
      path: `/api/v1/clients/${segment('client_id', client_id)}`,
      options,
    });
  }
  /** Give an OAuth client that has no more rights than the key a new secret and a new expiry. The answer has the secret, once. The former secret works on for `overlap_hours`. Requires the scope `keys:write`. With an `Idempotency-Key` a repeated request is safe. */
  rotateSecret(
    client_id: string | number,
    body: Platform['RotateClientSecretRequest'],
    options?: RequestOptions,
  ): Promise<Platform['CreatedClient']> {
    return readJson(this.#send, {
      service: 'platform',
      method: 'POST',
      path: `/api/v1/clients/${segment('client_id', client_id)}/rotate-secret`,
      keyed: true,
      body,
      options,
    });
  }
}

export class AccountResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Read whose credential this is and what it may do. Requires a credential. */
  whoAmI(options?: RequestOptions): Promise<Platform['Identity']> {
    return readJson(this.#send, { service: 'platform', method: 'GET', path: `/api/v1/whoami`, options });
  }
  /** Read your own account. Requires the scope `prompts:read`. */
  getOwn(options?: RequestOptions): Promise<Prompt['OwnUser']> {
    return readJson(this.#send, { service: 'prompt', method: 'GET', path: `/v1/user/me`, options });
  }
  /** Change your own name. Requires the scope `prompts:write`. With `If-Match`, a record that has changed since is left alone (412). */
  updateOwn(
    uuid: string | number,
    body: Prompt['OwnUserChanges'],
    options?: RequestOptions,
  ): Promise<Prompt['OwnUser']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'PATCH',
      path: `/v1/user/${segment('uuid', uuid)}`,
      body,
      options,
    });
  }
}

export class RunsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Start a run of an agent, which goes on after the answer. Requires the scope `agents:message`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With an `Idempotency-Key` a repeated request is safe. */
  start(body: Runtime['NewRun'], options?: RequestOptions): Promise<Runtime['RunSummary']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/runs`,
      keyed: true,
      body,
      options,
    });
  }
  /** List your runs, or with `runs:read_all` those of the project, latest first. Requires the scope `runs:read`. Few of these requests run at once for a user and a project; the others wait. */
  list(
    query: Runtime['listRuns.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['RunSummary'], Runtime['RunList']> {
    return readPages(this.#send, { service: 'runtime', method: 'GET', path: `/api/v1/runs`, options }, 'cursor', query);
  }
  /** Start a run again that failed or was canceled, with the present version of its agent or the same. Requires the scope `agents:message`. With an `Idempotency-Key` a repeated request is safe. */
  retry(
    run_id: string | number,
    body: Partial<Runtime['RetryRunRequest']> = {},
    options?: RequestOptions,
  ): Promise<Runtime['RunSummary']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/runs/${segment('run_id', run_id)}/retry`,
      keyed: true,
      body,
      options,
    });
  }
  /** Read a run. Requires the scope `runs:read`. */
  get(run_id: string | number, options?: RequestOptions): Promise<Runtime['Run']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/runs/${segment('run_id', run_id)}`,
      options,
    });
  }
  /** Follow a run: what has happened, and what happens until it ends. Requires the scope `runs:read`. The answer is a stream of server-sent events, which `Last-Event-ID` resumes. */
  follow(
    run_id: string | number,
    options?: RequestOptions,
  ): AsyncGenerator<
    | { event: 'run.queued'; id?: string; data: Runtime['followRun.run.queued'] }
    | { event: 'run.running'; id?: string; data: Runtime['followRun.run.running'] }
    | { event: 'run.waiting'; id?: string; data: Runtime['followRun.run.waiting'] }
    | { event: 'message.delta'; id?: string; data: Runtime['followRun.message.delta'] }
    | { event: 'tool.call'; id?: string; data: Runtime['followRun.tool.call'] }
    | { event: 'tool.result'; id?: string; data: Runtime['followRun.tool.result'] }
    | { event: 'run.completed'; id?: string; data: Runtime['followRun.run.completed'] }
    | { event: 'run.failed'; id?: string; data: Runtime['followRun.run.failed'] }
    | { event: 'run.canceled'; id?: string; data: Runtime['followRun.run.canceled'] },
    void
  > {
    return readEventsOf(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/runs/${segment('run_id', run_id)}/events`, options },
      ['run.completed', 'run.failed', 'run.canceled'],
      true,
    );
  }
  /** List the steps of a run in order. Requires the scope `runs:read`. */
  listSteps(
    run_id: string | number,
    query: Runtime['listRunSteps.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['RunStepSummary'], Runtime['RunStepList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/runs/${segment('run_id', run_id)}/steps`, options },
      'cursor',
      query,
    );
  }
  /** Read a step of a run, with the messages that the model read. Requires the scope `runs:read`. */
  getStep(run_id: string | number, seq: string | number, options?: RequestOptions): Promise<Runtime['RunStep']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/runs/${segment('run_id', run_id)}/steps/${segment('seq', seq)}`,
      options,
    });
  }
  /** Cancel a run; canceling it again succeeds. Requires the scope `agents:message`. With an `Idempotency-Key` a repeated request is safe. */
  cancel(run_id: string | number, options?: RequestOptions): Promise<Runtime['CancelRunAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/runs/${segment('run_id', run_id)}/cancel`,
      keyed: true,
      options,
    });
  }
  /** Decide whether a call of a tool had its effect, for a run that waits for it. Requires the scope `runs:approve` or `agents:message`. With an `Idempotency-Key` a repeated request is safe. */
  decideOutcome(
    run_id: string | number,
    body: Runtime['DecideRunOutcomeRequest'],
    options?: RequestOptions,
  ): Promise<Runtime['CancelRunAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/runs/${segment('run_id', run_id)}/outcome`,
      keyed: true,
      body,
      options,
    });
  }
  /** Rate a run. Requires the scope `agents:message`. */
  putFeedback(
    run_id: string | number,
    body: Runtime['RunFeedbackReplacement'],
    options?: RequestOptions,
  ): Promise<Runtime['RunFeedback']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'PUT',
      path: `/api/v1/runs/${segment('run_id', run_id)}/feedback`,
      body,
      options,
    });
  }
  /** Start a run of an agent that is not saved; it needs `agents:message`, too. Requires the scope `agents:write`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With an `Idempotency-Key` a repeated request is safe. */
  runAgentDraft(body: Runtime['RunAgentDraftRequest'], options?: RequestOptions): Promise<Runtime['RunSummary']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/runs/draft`,
      keyed: true,
      body,
      options,
    });
  }
}

export class ApprovalsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List calls of tools that wait for a decision in your runs, or with `runs:read_all` in those of the project. Requires the scope `runs:read`. */
  list(
    query: Runtime['listApprovals.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['Approval'], Runtime['ApprovalList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/approvals`, options },
      'cursor',
      query,
    );
  }
  /** List the decisions about calls of tools in a run. Requires the scope `runs:read`. */
  listOfRun(
    run_id: string | number,
    query: Runtime['listRunApprovals.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['Approval'], Runtime['ApprovalList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/runs/${segment('run_id', run_id)}/approvals`, options },
      'cursor',
      query,
    );
  }
  /** Approve a call of a tool, with other arguments where given, or refuse it. The run goes on once all are decided. Requires the scope `runs:approve`. With an `Idempotency-Key` a repeated request is safe. */
  decide(
    run_id: string | number,
    approval_id: string | number,
    body: Runtime['DecideApprovalRequest'],
    options?: RequestOptions,
  ): Promise<Runtime['DecideApprovalAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/runs/${segment('run_id', run_id)}/approvals/${segment('approval_id', approval_id)}`,
      keyed: true,
      body,
      options,
    });
  }
}

export class UsersResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List users, oldest first. Requires the scope `users:read`. */
  list(query: Runtime['listUsers.query'] = {}, options?: RequestOptions): Pages<Runtime['User'], Runtime['UserList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/users`, options },
      'offset',
      query,
    );
  }
  /** Create a user. Requires the scope `users:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Runtime['NewUser'], options?: RequestOptions): Promise<Runtime['User']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/users`,
      keyed: true,
      body,
      options,
    });
  }
  /** Retrieve a user. Requires the scope `users:read`. */
  get(user_id: string | number, options?: RequestOptions): Promise<Runtime['User']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/users/${segment('user_id', user_id)}`,
      options,
    });
  }
  /** Update fields of a user. Requires the scope `users:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(user_id: string | number, body: Runtime['UserChanges'], options?: RequestOptions): Promise<Runtime['User']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'PUT',
      path: `/api/v1/users/${segment('user_id', user_id)}`,
      body,
      options,
    });
  }
  /** Deactivate a user and revoke their credentials. Requires the scope `users:write`. With `If-Match`, a record that has changed since is left alone (412). */
  deactivate(user_id: string | number, options?: RequestOptions): Promise<Runtime['User']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'DELETE',
      path: `/api/v1/users/${segment('user_id', user_id)}`,
      options,
    });
  }
}

export class McpResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List the MCP servers with their available tools. Requires the scope `mcp:read`. */
  listServers(
    query: Runtime['listMcpServers.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['McpServer'], Runtime['McpServerList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/mcp/registry`, options },
      'offset',
      query,
    );
  }
  /** List the MCP servers in the form of the official MCP registry. Requires the scope `mcp:read`. */
  listServerEntries(
    query: Runtime['listServerEntries.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['ServerEntry'], Runtime['ServerEntryList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/v0.1/servers`, options },
      'cursor',
      query,
    );
  }
  /** List the versions of an MCP server, of which there is one at a time. Requires the scope `mcp:read`. */
  listServerEntryVersions(server_name: string | number, options?: RequestOptions): Promise<Runtime['ServerEntryList']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/v0.1/servers/${segment('server_name', server_name)}/versions`,
      options,
    });
  }
  /** Retrieve the `latest` or the named version of an MCP server, in the form of the official MCP registry. Requires the scope `mcp:read`. */
  getServerEntry(
    server_name: string | number,
    version: string | number,
    options?: RequestOptions,
  ): Promise<Runtime['ServerEntry']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/v0.1/servers/${segment('server_name', server_name)}/versions/${segment('version', version)}`,
      options,
    });
  }
  /** MCP servers that ask for an account of your own, and whether you connected one. Requires the scope `mcp:read`. */
  listConnections(options?: RequestOptions): Promise<Runtime['McpConnectionList']> {
    return readJson(this.#send, { service: 'runtime', method: 'GET', path: `/api/v1/mcp/connections`, options });
  }
  /** Disconnect your account from an MCP server. Requires the scope `mcp:call`. */
  endConnection(server_id: string | number, options?: RequestOptions): Promise<Runtime['EndMcpConnectionAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'DELETE',
      path: `/api/v1/mcp/connections/${segment('server_id', server_id)}`,
      options,
    });
  }
}

export class FilesResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Upload a file. Requires the scope `files:write`. The body is a multipart form with one file. With an `Idempotency-Key` a repeated request is safe. */
  upload(
    file: Blob,
    fields: Runtime['file.create.fields'],
    options?: RequestOptions,
  ): Promise<Runtime['UploadedFile']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'POST',
      path: `/api/v1/files`,
      keyed: true,
      body: formOf(file, 'file', fields),
      options,
    });
  }
  /** List files, newest first. Requires the scope `files:read`. */
  list(
    query: Runtime['file.list.query'] = {},
    options?: RequestOptions,
  ): Pages<Runtime['UploadedFile'], Runtime['FileList']> {
    return readPages(
      this.#send,
      { service: 'runtime', method: 'GET', path: `/api/v1/files`, options },
      'offset',
      query,
    );
  }
  /** Download a file, or get its record. Requires the scope `files:read`. The answer is the bytes; a range of them by `Range`. With `Accept: application/json` it is the record. */
  download(file_id: string | number, options?: RequestOptions): Promise<Response> {
    return this.#send({
      ...{ service: 'runtime', method: 'GET', path: `/api/v1/files/${segment('file_id', file_id)}`, options },
      accept: '*/*',
    });
  }
  /** Delete a file. Requires the scope `files:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(file_id: string | number, options?: RequestOptions): Promise<Runtime['DeleteContextAnswer']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'DELETE',
      path: `/api/v1/files/${segment('file_id', file_id)}`,
      options,
    });
  }
}

export class AnalyticsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** A metric by day in UTC, or all of them; by default of the last 30 days. Requires the scope `analytics:read`. */
  getMetrics(query: Runtime['getMetrics.query'] = {}, options?: RequestOptions): Promise<Runtime['Metrics']> {
    return readJson(this.#send, {
      service: 'runtime',
      method: 'GET',
      path: `/api/v1/analytics/metrics`,
      query: query as Query,
      options,
    });
  }
}

export class PromptsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Create a prompt. Requires the scope `prompts:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Prompt['NewPrompt'], options?: RequestOptions): Promise<Prompt['Prompt']> {
    return readJson(this.#send, { service: 'prompt', method: 'POST', path: `/v1/prompt`, keyed: true, body, options });
  }
  /** List prompts. Requires the scope `prompts:read`. */
  list(
    query: Prompt['listPrompts.query'] = {},
    options?: RequestOptions,
  ): Pages<Prompt['Prompt'], Prompt['listPrompts.answer']> {
    return readPages(this.#send, { service: 'prompt', method: 'GET', path: `/v1/prompt`, options }, 'page', query);
  }
  /** Read a prompt. Requires the scope `prompts:read`. */
  get(uuid: string | number, options?: RequestOptions): Promise<Prompt['Prompt']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/prompt/${segment('uuid', uuid)}`,
      options,
    });
  }
  /** Update a prompt. Each update is a new version. Requires the scope `prompts:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(uuid: string | number, body: Prompt['PromptChanges'], options?: RequestOptions): Promise<Prompt['Prompt']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'PUT',
      path: `/v1/prompt/${segment('uuid', uuid)}`,
      body,
      options,
    });
  }
  /** Delete a prompt. Requires the scope `prompts:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(uuid: string | number, query: Prompt['deletePrompt.query'] = {}, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'prompt',
      method: 'DELETE',
      path: `/v1/prompt/${segment('uuid', uuid)}`,
      query: query as Query,
      options,
    });
  }
  /** Render a prompt. Requires the scope `prompts:read`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  render(
    uuid: string | number,
    body: Prompt['RenderPromptRequest'],
    query: Prompt['renderPrompt.query'] = {},
    options?: RequestOptions,
  ): Promise<Prompt['RenderPromptAnswer']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/prompt/${segment('uuid', uuid)}`,
      keyed: true,
      body,
      query: query as Query,
      options,
    });
  }
  /** Read an input definition. Requires the scope `prompts:read`. */
  getInput(uuid: string | number, options?: RequestOptions): Promise<Prompt['Definition']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/input/${segment('uuid', uuid)}`,
      options,
    });
  }
  /** Read an output definition. Requires the scope `prompts:read`. */
  getOutput(uuid: string | number, options?: RequestOptions): Promise<Prompt['Definition']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/output/${segment('uuid', uuid)}`,
      options,
    });
  }
  /** List the versions of a prompt. Requires the scope `prompts:read`. */
  listVersions(
    uuid: string | number,
    query: Prompt['listPromptVersions.query'] = {},
    options?: RequestOptions,
  ): Pages<Prompt['Prompt'], Prompt['listPromptVersions.answer']> {
    return readPages(
      this.#send,
      { service: 'prompt', method: 'GET', path: `/v1/prompt/${segment('uuid', uuid)}/version`, options },
      'page',
      query,
    );
  }
  /** Read a version of a prompt. Requires the scope `prompts:read`. */
  getVersion(uuid: string | number, n: string | number, options?: RequestOptions): Promise<Prompt['Prompt']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/prompt/${segment('uuid', uuid)}/version/${segment('n', n)}`,
      options,
    });
  }
  /** Compare a version with an earlier one: the one before it, or `from`. Requires the scope `prompts:read`. */
  diffVersions(
    uuid: string | number,
    n: string | number,
    query: Prompt['diffPromptVersions.query'] = {},
    options?: RequestOptions,
  ): Promise<Prompt['DiffPromptVersionsAnswer']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/prompt/${segment('uuid', uuid)}/version/${segment('n', n)}/diff`,
      query: query as Query,
      options,
    });
  }
  /** Restore an earlier version as a new one. Requires the scope `prompts:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412). */
  restoreVersion(uuid: string | number, n: string | number, options?: RequestOptions): Promise<Prompt['Prompt']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/prompt/${segment('uuid', uuid)}/version/${segment('n', n)}/restore`,
      keyed: true,
      options,
    });
  }
  /** List the labels of a prompt. Requires the scope `prompts:read`. */
  listLabels(uuid: string | number, options?: RequestOptions): Promise<Prompt['listPromptLabels.answer']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/prompt/${segment('uuid', uuid)}/label`,
      options,
    });
  }
  /** Point a label at a version. Requires the scope `prompts:write`. */
  moveLabel(
    uuid: string | number,
    name: string | number,
    body: Prompt['MovePromptLabelRequest'],
    options?: RequestOptions,
  ): Promise<Prompt['MovePromptLabelAnswer']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'PUT',
      path: `/v1/prompt/${segment('uuid', uuid)}/label/${segment('name', name)}`,
      body,
      options,
    });
  }
  /** Delete a label. Requires the scope `prompts:write`. */
  deleteLabel(
    uuid: string | number,
    name: string | number,
    query: Prompt['deletePromptLabel.query'] = {},
    options?: RequestOptions,
  ): Promise<void> {
    return readNothing(this.#send, {
      service: 'prompt',
      method: 'DELETE',
      path: `/v1/prompt/${segment('uuid', uuid)}/label/${segment('name', name)}`,
      query: query as Query,
      options,
    });
  }
  /** Run a prompt against a language model. Requires the scope `prompts:run`. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  run(
    uuid: string | number,
    body: Prompt['RunPromptRequest'],
    query: Prompt['runPrompt.query'] = {},
    options?: RequestOptions,
  ): Promise<Prompt['RunPromptAnswer']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/prompt/${segment('uuid', uuid)}/openai`,
      keyed: true,
      body,
      query: query as Query,
      options,
    });
  }
  /** Run a prompt against a language model. Requires the scope `prompts:run`. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  runStream(
    uuid: string | number,
    body: Prompt['RunPromptRequest'],
    query: Prompt['runPrompt.query'] = {},
    options?: RequestOptions,
  ): AsyncGenerator<{ event: string; id?: string; data: Prompt['runPrompt.event'] }, void> {
    return readEventsOf(
      this.#send,
      {
        service: 'prompt',
        method: 'POST',
        path: `/v1/prompt/${segment('uuid', uuid)}/openai`,
        keyed: true,
        body: { ...body, stream: true },
        query: query as Query,
        options,
      },
      ['result'],
      false,
    );
  }
  /** Read the usage and cost of a version. Requires the scope `prompts:read`. */
  getVersionUsage(
    uuid: string | number,
    n: string | number,
    options?: RequestOptions,
  ): Promise<Prompt['PromptVersionUsage']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/prompt/${segment('uuid', uuid)}/version/${segment('n', n)}/usage`,
      options,
    });
  }
  /** Render an unsaved prompt and report its faults. Requires the scope `prompts:read`. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  renderDraft(body: Prompt['RenderDraftRequest'], options?: RequestOptions): Promise<Prompt['RenderDraftAnswer']> {
    return readJson(this.#send, { service: 'prompt', method: 'POST', path: `/v1/render`, keyed: true, body, options });
  }
  /** Run an unsaved prompt against a language model. Requires the scope `prompts:run`. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  runDraft(body: Prompt['RunDraftRequest'], options?: RequestOptions): Promise<Prompt['RunDraftAnswer']> {
    return readJson(this.#send, { service: 'prompt', method: 'POST', path: `/v1/run`, keyed: true, body, options });
  }
  /** Run an unsaved prompt against a language model. Requires the scope `prompts:run`. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  runDraftStream(
    body: Prompt['RunDraftRequest'],
    options?: RequestOptions,
  ): AsyncGenerator<{ event: string; id?: string; data: Prompt['runDraft.event'] }, void> {
    return readEventsOf(
      this.#send,
      { service: 'prompt', method: 'POST', path: `/v1/run`, keyed: true, body: { ...body, stream: true }, options },
      ['result'],
      false,
    );
  }
}

export class ModelsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** List models, agents and prompts in the form of OpenAI. Requires the scope `prompts:run`. */
  list(options?: RequestOptions): Promise<Prompt['ModelList']> {
    return readJson(this.#send, { service: 'prompt', method: 'GET', path: `/v1/models`, options });
  }
  /** Read a model, an agent or a prompt in the form of OpenAI. Requires the scope `prompts:run`. */
  get(model: string | number, options?: RequestOptions): Promise<Prompt['Model']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/models/${segment('model', model)}`,
      options,
    });
  }
  /** Make vectors of texts by OpenAI's embeddings. Requires the scope `prompts:run`. A model is called: the answer may take minutes. */
  createEmbeddings(body: Prompt['NewEmbeddings'], options?: RequestOptions): Promise<Prompt['CreatedEmbeddings']> {
    return readJson(this.#send, { service: 'prompt', method: 'POST', path: `/v1/embeddings`, body, options });
  }
}

export class ResponsesResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Run a model, a prompt or an agent by OpenAI's Responses API. Requires the scope `prompts:run`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Prompt['NewResponse'], options?: RequestOptions): Promise<Prompt['ModelResponse']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/responses`,
      keyed: true,
      body,
      options,
    });
  }
  /** Run a model, a prompt or an agent by OpenAI's Responses API. Requires the scope `prompts:run`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With `stream: true` the answer is a stream of server-sent events. A model is called: the answer may take minutes. With an `Idempotency-Key` a repeated request is safe. */
  createStream(
    body: Prompt['NewResponse'],
    options?: RequestOptions,
  ): AsyncGenerator<{ event: string; id?: string; data: Prompt['createResponse.event'] }, void> {
    return readEventsOf(
      this.#send,
      {
        service: 'prompt',
        method: 'POST',
        path: `/v1/responses`,
        keyed: true,
        body: { ...body, stream: true },
        options,
      },
      ['response.completed', 'response.incomplete', 'response.failed'],
      false,
    );
  }
  /** Read a response. Requires the scope `conversations:read`. With `stream: true` the answer is a stream of server-sent events. */
  get(
    response_id: string | number,
    query: Prompt['getResponse.query'] = {},
    options?: RequestOptions,
  ): Promise<Prompt['ModelResponse']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/responses/${segment('response_id', response_id)}`,
      query: query as Query,
      options,
    });
  }
  /** Read a response. Requires the scope `conversations:read`. With `stream: true` the answer is a stream of server-sent events. */
  getStream(
    response_id: string | number,
    query: Prompt['getResponse.query'] = {},
    options?: RequestOptions,
  ): AsyncGenerator<{ event: string; id?: string; data: Prompt['getResponse.event'] }, void> {
    return readEventsOf(
      this.#send,
      {
        service: 'prompt',
        method: 'GET',
        path: `/v1/responses/${segment('response_id', response_id)}`,
        query: query as Query,
        options,
      },
      ['response.completed', 'response.incomplete', 'response.failed'],
      false,
    );
  }
  /** Delete a response. Requires the scope `conversations:write`. */
  delete(response_id: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'prompt',
      method: 'DELETE',
      path: `/v1/responses/${segment('response_id', response_id)}`,
      options,
    });
  }
  /** List what the model read for a response: the conversation before its answer. Requires the scope `conversations:read`. */
  listInputItems(
    response_id: string | number,
    query: Prompt['listResponseInputItems.query'] = {},
    options?: RequestOptions,
  ): Promise<Prompt['ResponseInputItemList']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/responses/${segment('response_id', response_id)}/input_items`,
      query: query as Query,
      options,
    });
  }
  /** Cancel a response that was created with background. Requires the scope `prompts:run`. With an `Idempotency-Key` a repeated request is safe. */
  cancel(response_id: string | number, options?: RequestOptions): Promise<Prompt['ModelResponse']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/responses/${segment('response_id', response_id)}/cancel`,
      keyed: true,
      options,
    });
  }
}

export class ConversationsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Create a conversation. Requires the scope `conversations:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Prompt['NewConversation'], options?: RequestOptions): Promise<Prompt['Conversation']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/conversation`,
      keyed: true,
      body,
      options,
    });
  }
  /** List conversations. Requires the scope `conversations:read`. */
  list(
    query: Prompt['listConversations.query'] = {},
    options?: RequestOptions,
  ): Pages<Prompt['Conversation'], Prompt['listConversations.answer']> {
    return readPages(
      this.#send,
      { service: 'prompt', method: 'GET', path: `/v1/conversation`, options },
      'page',
      query,
    );
  }
  /** Read a conversation. Requires the scope `conversations:read`. */
  get(
    uuid: string | number,
    query: Prompt['getConversation.query'] = {},
    options?: RequestOptions,
  ): Promise<Prompt['Conversation']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/conversation/${segment('uuid', uuid)}`,
      query: query as Query,
      options,
    });
  }
  /** Change a conversation's metadata. Requires the scope `conversations:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    uuid: string | number,
    body: Prompt['ConversationChanges'],
    options?: RequestOptions,
  ): Promise<Prompt['Conversation']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'PUT',
      path: `/v1/conversation/${segment('uuid', uuid)}`,
      body,
      options,
    });
  }
  /** Delete a conversation. Requires the scope `conversations:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(uuid: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'prompt',
      method: 'DELETE',
      path: `/v1/conversation/${segment('uuid', uuid)}`,
      options,
    });
  }
  /** Create a conversation by OpenAI's Conversations API. Requires the scope `conversations:write`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With an `Idempotency-Key` a repeated request is safe. */
  start(body: Prompt['StartConversationRequest'], options?: RequestOptions): Promise<Prompt['OpenAiConversation']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/conversations`,
      keyed: true,
      body,
      options,
    });
  }
  /** Read a conversation in the form of OpenAI. Requires the scope `conversations:read`. */
  retrieve(conversation_id: string | number, options?: RequestOptions): Promise<Prompt['OpenAiConversation']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/conversations/${segment('conversation_id', conversation_id)}`,
      options,
    });
  }
  /** Replace a client's own pairs of a conversation. Requires the scope `conversations:write`. With an `Idempotency-Key` a repeated request is safe. With `If-Match`, a record that has changed since is left alone (412). */
  change(
    conversation_id: string | number,
    body: Prompt['ChangeConversationRequest'],
    options?: RequestOptions,
  ): Promise<Prompt['OpenAiConversation']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/conversations/${segment('conversation_id', conversation_id)}`,
      keyed: true,
      body,
      options,
    });
  }
  /** Delete a conversation and its items. Requires the scope `conversations:write`. With `If-Match`, a record that has changed since is left alone (412). */
  end(conversation_id: string | number, options?: RequestOptions): Promise<Prompt['EndConversationAnswer']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'DELETE',
      path: `/v1/conversations/${segment('conversation_id', conversation_id)}`,
      options,
    });
  }
  /** List the items of a conversation. Requires the scope `conversations:read`. */
  listItems(
    conversation_id: string | number,
    query: Prompt['listConversationItems.query'] = {},
    options?: RequestOptions,
  ): Promise<Prompt['ResponseInputItemList']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/conversations/${segment('conversation_id', conversation_id)}/items`,
      query: query as Query,
      options,
    });
  }
  /** Add items to a conversation. Requires the scope `conversations:write`. The body may have 8 MiB; beyond 1 MiB it states its `Content-Length`, and few run at once for a user and a project. With an `Idempotency-Key` a repeated request is safe. */
  addItems(
    conversation_id: string | number,
    body: Prompt['AddConversationItemsRequest'],
    options?: RequestOptions,
  ): Promise<Prompt['ResponseInputItemList']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/conversations/${segment('conversation_id', conversation_id)}/items`,
      keyed: true,
      body,
      options,
    });
  }
  /** Read an item of a conversation. Requires the scope `conversations:read`. */
  getItem(
    conversation_id: string | number,
    item_id: string | number,
    options?: RequestOptions,
  ): Promise<Prompt['ConversationItem']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/conversations/${segment('conversation_id', conversation_id)}/items/${segment('item_id', item_id)}`,
      options,
    });
  }
  /** Delete an item of a conversation. Requires the scope `conversations:write`. */
  deleteItem(
    conversation_id: string | number,
    item_id: string | number,
    options?: RequestOptions,
  ): Promise<Prompt['OpenAiConversation']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'DELETE',
      path: `/v1/conversations/${segment('conversation_id', conversation_id)}/items/${segment('item_id', item_id)}`,
      options,
    });
  }
}

export class PromptAgentsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Create an agent. Requires the scope `agents:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Prompt['NewAgent'], options?: RequestOptions): Promise<Prompt['Agent']> {
    return readJson(this.#send, { service: 'prompt', method: 'POST', path: `/v1/agent`, keyed: true, body, options });
  }
  /** List agents. Requires the scope `agents:read`. */
  list(
    query: Prompt['listAgents.query'] = {},
    options?: RequestOptions,
  ): Pages<Prompt['Agent'], Prompt['listAgents.answer']> {
    return readPages(this.#send, { service: 'prompt', method: 'GET', path: `/v1/agent`, options }, 'page', query);
  }
  /** Read an agent. Requires the scope `agents:read`. */
  get(uuid: string | number, options?: RequestOptions): Promise<Prompt['Agent']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/agent/${segment('uuid', uuid)}`,
      options,
    });
  }
  /** Change an agent. Requires the scope `agents:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(uuid: string | number, body: Prompt['AgentChanges'], options?: RequestOptions): Promise<Prompt['Agent']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'PUT',
      path: `/v1/agent/${segment('uuid', uuid)}`,
      body,
      options,
    });
  }
}

export class ArtifactsResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Create an artifact. Requires the scope `artifacts:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Prompt['NewArtifact'], options?: RequestOptions): Promise<Prompt['Artifact']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'POST',
      path: `/v1/artifact`,
      keyed: true,
      body,
      options,
    });
  }
  /** List artifacts. Requires the scope `artifacts:read`. */
  list(
    query: Prompt['listArtifacts.query'] = {},
    options?: RequestOptions,
  ): Pages<Prompt['Artifact'], Prompt['listArtifacts.answer']> {
    return readPages(this.#send, { service: 'prompt', method: 'GET', path: `/v1/artifact`, options }, 'page', query);
  }
  /** Read an artifact. Requires the scope `artifacts:read`. */
  get(uuid: string | number, options?: RequestOptions): Promise<Prompt['Artifact']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/artifact/${segment('uuid', uuid)}`,
      options,
    });
  }
  /** Change an artifact. Requires the scope `artifacts:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(
    uuid: string | number,
    body: Prompt['ArtifactChanges'],
    options?: RequestOptions,
  ): Promise<Prompt['Artifact']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'PUT',
      path: `/v1/artifact/${segment('uuid', uuid)}`,
      body,
      options,
    });
  }
  /** Delete an artifact. Requires the scope `artifacts:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(uuid: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'prompt',
      method: 'DELETE',
      path: `/v1/artifact/${segment('uuid', uuid)}`,
      options,
    });
  }
}

export class BlocksResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Create a block. Requires the scope `blocks:write`. With an `Idempotency-Key` a repeated request is safe. */
  create(body: Prompt['NewBlock'], options?: RequestOptions): Promise<Prompt['Block']> {
    return readJson(this.#send, { service: 'prompt', method: 'POST', path: `/v1/block`, keyed: true, body, options });
  }
  /** List blocks. Requires the scope `blocks:read`. */
  list(
    query: Prompt['listBlocks.query'] = {},
    options?: RequestOptions,
  ): Pages<Prompt['Block'], Prompt['listBlocks.answer']> {
    return readPages(this.#send, { service: 'prompt', method: 'GET', path: `/v1/block`, options }, 'page', query);
  }
  /** Read a block. Requires the scope `blocks:read`. */
  get(uuid: string | number, options?: RequestOptions): Promise<Prompt['Block']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'GET',
      path: `/v1/block/${segment('uuid', uuid)}`,
      options,
    });
  }
  /** Change a block. Requires the scope `blocks:write`. With `If-Match`, a record that has changed since is left alone (412). */
  update(uuid: string | number, body: Prompt['BlockChanges'], options?: RequestOptions): Promise<Prompt['Block']> {
    return readJson(this.#send, {
      service: 'prompt',
      method: 'PUT',
      path: `/v1/block/${segment('uuid', uuid)}`,
      body,
      options,
    });
  }
  /** Delete a block. Requires the scope `blocks:write`. With `If-Match`, a record that has changed since is left alone (412). */
  delete(uuid: string | number, options?: RequestOptions): Promise<void> {
    return readNothing(this.#send, {
      service: 'prompt',
      method: 'DELETE',
      path: `/v1/block/${segment('uuid', uuid)}`,
      options,
    });
  }
}

export class PromptChangesResource {
  readonly #send: Send;
  constructor(send: Send) {
    this.#send = send;
  }
  /** Create, update and delete blocks and prompts, all or nothing. The changes are made in their order and in one transaction. A refusal names the change, as `changes.2`, and nothing is changed. A prompt with a protected label is deleted by its own path, which takes the reason. Requires `blocks:write` or `prompts:write` for the kinds that it names. Requires a credential. With an `Idempotency-Key` a repeated request is safe. */
  make(body: Prompt['MakeChangesRequest'], options?: RequestOptions): Promise<Prompt['MakeChangesAnswer']> {
    return readJson(this.#send, { service: 'prompt', method: 'POST', path: `/v1/changes`, keyed: true, body, options });
  }
}

/** Every resource of an installation. */
export class Resources {
  readonly skills: SkillsResource;
  readonly agents: AgentsResource;
  readonly plugins: PluginsResource;
  readonly content: ContentResource;
  readonly mcpServers: McpServersResource;
  readonly changes: ChangesResource;
  readonly toolRules: ToolRulesResource;
  readonly guards: GuardsResource;
  readonly webhooks: WebhooksResource;
  readonly triggers: TriggersResource;
  readonly budgets: BudgetsResource;
  readonly modelPrices: ModelPricesResource;
  readonly keys: KeysResource;
  readonly clients: ClientsResource;
  readonly account: AccountResource;
  readonly runs: RunsResource;
  readonly approvals: ApprovalsResource;
  readonly users: UsersResource;
  readonly mcp: McpResource;
  readonly files: FilesResource;
  readonly analytics: AnalyticsResource;
  readonly prompts: PromptsResource;
  readonly models: ModelsResource;
  readonly responses: ResponsesResource;
  readonly conversations: ConversationsResource;
  readonly promptAgents: PromptAgentsResource;
  readonly artifacts: ArtifactsResource;
  readonly blocks: BlocksResource;
  readonly promptChanges: PromptChangesResource;
  constructor(send: Send) {
    this.skills = new SkillsResource(send);
    this.agents = new AgentsResource(send);
    this.plugins = new PluginsResource(send);
    this.content = new ContentResource(send);
    this.mcpServers = new McpServersResource(send);
    this.changes = new ChangesResource(send);
    this.toolRules = new ToolRulesResource(send);
    this.guards = new GuardsResource(send);
    this.webhooks = new WebhooksResource(send);
    this.triggers = new TriggersResource(send);
    this.budgets = new BudgetsResource(send);
    this.modelPrices = new ModelPricesResource(send);
    this.keys = new KeysResource(send);
    this.clients = new ClientsResource(send);
    this.account = new AccountResource(send);
    this.runs = new RunsResource(send);
    this.approvals = new ApprovalsResource(send);
    this.users = new UsersResource(send);
    this.mcp = new McpResource(send);
    this.files = new FilesResource(send);
    this.analytics = new AnalyticsResource(send);
    this.prompts = new PromptsResource(send);
    this.models = new ModelsResource(send);
    this.responses = new ResponsesResource(send);
    this.conversations = new ConversationsResource(send);
    this.promptAgents = new PromptAgentsResource(send);
    this.artifacts = new ArtifactsResource(send);
    this.blocks = new BlocksResource(send);
    this.promptChanges = new PromptChangesResource(send);
  }
}
