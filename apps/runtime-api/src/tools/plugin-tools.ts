import { createHash } from 'node:crypto';
import { PLUGINS, type UnmarkedTools } from '@millwright/auth/tool-rules';
import { openPluginConfig, type RunnableAgent, type RunnablePlugin } from '@millwright/catalog';
import { pluginTokenAuth, type PluginConfig } from '@millwright/catalog/plugin-config';
import type { AgentTokens } from '@millwright/mcp/agent-tokens';
import { HopRefused } from '@millwright/mcp/agent-hops';
import { SecretUnreadable, type SecretBox } from '@millwright/secrets';
import { encodeId } from '@millwright/db';
import { createBreakers, EgressError, type EgressFailure, type EgressFetch } from '@millwright/egress';
import { schemaKey, SchemaValidatorBusy, type SchemaValidator } from '@millwright/schemas';
import { ruleFor } from './rule-of.js';
import { answered, because, failed, refused, type AgentTool, type SentCall, type ToolResult } from './tool.js';

export interface PluginToolsDeps {
  fetch: EgressFetch;
  validator: SchemaValidator;
  secrets: SecretBox;
  /** Time limit of one call including its answer, in milliseconds. */
  timeoutMs: number;
  /** Issues tokens for tools that accept them. */
  agentTokens: AgentTokens;
  /** The installation's rule for unmarked tools. */
  unmarkedTools: UnmarkedTools;
}

interface ToolConfig {
  url: string;
  headers?: Record<string, string>;
  input_schema?: object;
}

/**
 * Hash of the plugin's version. It serves as the hash of the tool's definition, because each change of the definition increments the
 * version.
 */
const versionHash = ({ id, version }: RunnablePlugin): Buffer =>
  createHash('sha256').update(`${id}:${version}`).digest();

const ANSWER_MAX_BYTES = 256 * 1024;
const ANY_OBJECT = { type: 'object' };

const FAILURES: Readonly<Record<EgressFailure, string>> = {
  busy: 'Too many calls of the tool are under way.',
  refused: 'The tool cannot be reached.',
  unresolvable: 'The tool cannot be reached.',
  network: 'The tool cannot be reached.',
  timeout: 'The tool did not answer in time.',
  too_large: 'The answer of the tool is too large.',
};

/** Thrown for an answer that cannot be used. Its message contains no internal details of the tool. */
class Unusable extends Error {
  readonly status: number;
  readonly words: string;

  constructor(message: string, status: number, words: string) {
    super(message);
    [this.status, this.words] = [status, words];
  }
}

/** Tools that are HTTPS endpoints. A call sends its arguments as JSON in a POST request. */
export function createPluginTools({
  fetch,
  validator,
  secrets,
  timeoutMs,
  agentTokens,
  unmarkedTools,
}: PluginToolsDeps) {
  /** Each plugin has a separate circuit breaker, so that the failures of one plugin do not block calls of another plugin. */
  const breakerOf = createBreakers('plugin');

  async function check(project: string, schema: object, args: object): Promise<ToolResult | undefined> {
    try {
      const checked = await validator.of(project).validate(schemaKey(schema), schema, args);
      return checked.valid ? undefined : failed('The arguments are not valid.', { faults: checked.faults });
    } catch (error) {
      if (error instanceof SchemaValidatorBusy) return failed('The arguments cannot be checked right now.');
      throw error;
    }
  }

  /** Sends a call to the plugin. @throws EgressError when the plugin cannot be reached; Unusable for a failed or unreadable answer */
  async function post(
    { url, headers }: ToolConfig,
    share: string,
    args: object,
    { idempotencyKey, signal }: SentCall,
    token: string | undefined,
  ): Promise<ToolResult> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...(token === undefined ? headers : withoutAuthorization(headers)),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        accept: 'application/json, text/plain',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(args),
      ...(signal && { signal }),
      kind: 'plugin',
      share,
      profile: { timeoutMs, maxBytes: ANSWER_MAX_BYTES },
    });
    const text = await response.text();
    const { status } = response;
    if (status >= 500) throw new Unusable(`The tool failed with status ${status}.`, status, text);
    if (!response.ok)
      return because(failed(`The tool refused the call with status ${status}.`), 'unavailable', text, status);
    return answered(true, readable(status, response.headers.get('content-type') ?? '', text));
  }

  async function call(plugin: RunnablePlugin, args: object, sent: SentCall): Promise<ToolResult> {
    const pass = breakerOf(plugin.id).admit();
    if (!pass) return failed('The tool failed too often and is not called for a while.');
    try {
      const config = openPluginConfig(secrets, plugin) as PluginConfig & ToolConfig;
      const auth = pluginTokenAuth(config);
      const token = auth && (await agentTokens({ runId: sent.runId }, config.url, auth));
      const result = await post(config, plugin.project, args, sent, token);
      pass.succeeded();
      return result;
    } catch (error) {
      if (error instanceof SecretUnreadable) {
        pass.abandoned();
        return failed('The tool is not set up completely.');
      }
      if (error instanceof HopRefused) {
        pass.abandoned();
        return refused(failed('The tool may not be called for this user any more.'), error.message);
      }
      if (error instanceof EgressError && error.kind === 'busy') pass.abandoned();
      else pass.failed();
      if (error instanceof Unusable) return because(failed(error.message), 'unavailable', error.words, error.status);
      if (error instanceof EgressError) return because(failed(FAILURES[error.kind]), 'unavailable', error.message);
      throw error;
    }
  }

  return (agent: Pick<RunnableAgent, 'ask_tools'>, plugin: RunnablePlugin): AgentTool => {
    const id = encodeId('pl', plugin.id);
    const { input_schema: schema } = plugin.config;
    const parameters = { ...ANY_OBJECT, ...(typeof schema === 'object' && schema) };
    return {
      name: plugin.name,
      description: plugin.description,
      parameters,
      recordsItself: false,
      rule: ruleFor(agent, unmarkedTools, plugin, PLUGINS, id),
      isRepeatable: plugin.is_repeatable,
      definitionHash: versionHash(plugin),
      owner: { name: plugin.name, id },
      check: (args) => check(plugin.project, parameters, args),
      call(args, _run, sent) {
        sent.requireLease();
        return call(plugin, args, sent);
      },
    };
  };
}
export type PluginTools = ReturnType<typeof createPluginTools>;

/** The plugin's headers without `Authorization`, because a header of this name would replace the call's token. */
const withoutAuthorization = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'));

/** Returns the text of an answer. @throws Unusable for an answer that is neither JSON nor plain text */
function readable(status: number, contentType: string, text: string): string {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (text === '') return '';
  if (type === 'text/plain') return text;
  try {
    if (type === '' || type === 'application/json' || type.endsWith('+json')) {
      JSON.parse(text);
      return text;
    }
  } catch {
    // The content type is JSON, but the text is not JSON. The error below is thrown.
  }
  throw new Unusable('The answer of the tool is neither JSON nor text.', status, text);
}
