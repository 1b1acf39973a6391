import { randomUUID, sign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { callers, newToken, send, type Answer, type Reachable } from '../harness/calls.js';
import { connectModern } from '../harness/mcp-clients.js';
import { registerMcpServer } from '../harness/mcp.js';
import { ratingPrompt } from '../harness/rating-prompt.js';
import { until } from '../harness/until.js';

/** The requests that simulated clients send to every service. Each answer is checked. */
export interface Work {
  /** Number of requests sent so far. */
  readonly sent: number;
  /** Connection errors, unexpected statuses, and answers that lack expected content. */
  readonly failed: readonly string[];
  /** Does each kind of work once. */
  once(): Promise<void>;
  /** Works as `clients` concurrent clients until the returned function is called. */
  begin(clients: number): () => Promise<void>;
}

/**
 * Creates the records that the work needs, at the services that `at` reaches.
 *
 * @param code links a device of a user
 * @param mcpUrl of a server with the tool `weigh`
 */
export async function createWork(at: Reachable, code: string, mcpUrl: string): Promise<Work> {
  const call = callers(at);
  const made = async <Body>(answer: Promise<Answer<Body>>): Promise<Body> => {
    const { status, text, body } = await answer;
    if (status !== 201) throw new Error(`answered ${status}: ${text.slice(0, 500)}`);
    return body;
  };
  const device = await linkDevice(at, code);
  const endpoint = await registerMcpServer(at, 'scales', mcpUrl);
  const servers = await call.platform<{ items: { id: string }[] }>('/mcp/servers');
  const agent = {
    name: 'Weigher',
    description: 'Weighs.',
    mcp_server_ids: servers.body.items.map(({ id }) => id),
    mcp_tools: ['*'],
  };
  await made(call.platform('/agents', { body: agent }));
  const prompt = await made(call.prompt<{ id: string }>('/prompt', { body: ratingPrompt('upgrade') }));
  const failed: string[] = [];
  let sent = 0;

  /** Counts a request, and checks its answer. */
  async function ask<Body>(title: string, send: () => Promise<Answer<Body>>, status: number, has = ''): Promise<Body> {
    sent += 1;
    const answer = await send();
    if (answer.status !== status || !answer.text.includes(has))
      throw new Error(`${title} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    return answer.body;
  }

  const authorized = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const kinds: Record<string, () => Promise<void>> = {
    async 'a sign-in with a token of admin-auth, used at every API'() {
      const url = (name: string) => `${at.baseUrl}/bridge-auth/${name}`;
      const { nonce } = await ask(
        'a nonce',
        () => send<{ nonce: string }>(url('nonce'), { body: { pat: device.pat } }),
        200,
      );
      const signature = sign('sha256', Buffer.from(nonce), device.key).toString('base64url');
      const body = { pat: device.pat, nonce, signature };
      const { access_token } = await ask('a token', () => send<{ access_token: string }>(url('token'), { body }), 200);
      const [name, title] = [`Skill ${randomUUID()}`, `Note ${randomUUID()}`];
      const skill = { name, description: '', instructions: 'Go on.' };
      await ask(
        'a skill',
        () => send(`${at.baseUrl}/api/v1/skills`, { ...authorized(access_token), body: skill }),
        201,
        name,
      );
      const note = { title, content: 'Kept.' };
      await ask(
        'a note',
        () => send(`${at.runtimeUrl}/api/v1/content`, { ...authorized(access_token), body: note }),
        201,
        title,
      );
      await ask('prompts', () => send(`${at.promptUrl}/v1/prompt`, authorized(access_token)), 200, prompt.id);
    },
    async 'a message to an agent that calls a tool'() {
      const { access_token } = await ask('a token of the runtime', () => clientToken(at), 200);
      const message = { content: 'Weigh it.' };
      const url = `${at.runtimeUrl}/api/v1/agents/weigher/messages`;
      await ask('a message', () => send(url, { ...authorized(access_token), body: message }), 200, 'Tool: weigh');
    },
    async 'a run in the background, and the list of runs'() {
      const body = { agent: 'weigher', content: 'Weigh it later.' };
      const { id } = await ask('a run', () => call.runtime<{ id: string }>('/api/v1/runs', { body }), 202);
      await until(async () => {
        const run = await ask('the state of a run', () => call.runtime<{ state: string }>(`/api/v1/runs/${id}`), 200);
        if (run.state === 'failed') throw new Error(`the run ${id} failed: ${JSON.stringify(run)}`);
        return run.state === 'completed' ? true : undefined;
      });
      await ask('the list of runs', () => call.runtime('/api/v1/runs'), 200, id);
    },
    async 'a run of a prompt, and its conversation'() {
      const body = { message: 'How good?', structured_data: { thing: 'bread' } };
      const path = `/prompt/${prompt.id}/openai`;
      type Run = { data: { conversation: { id: string } } };
      const run = await ask('a prompt', () => call.prompt<Run>(path, { body }), 200, '"stars":5');
      await ask('a conversation', () => call.prompt(`/conversation/${run.data.conversation.id}`), 200, 'How good?');
    },
    async 'a call of a tool through the MCP relay'() {
      sent += 1;
      const mcp = await connectModern(endpoint, await newToken(at, at.client));
      const { content, isError } = await mcp.call('weigh', { grams: 5 });
      await mcp.close();
      if (isError || !JSON.stringify(content).includes('weigh'))
        throw new Error(`the tool gave ${JSON.stringify(content)}`);
    },
  };

  async function once(): Promise<void> {
    for (const [title, work] of Object.entries(kinds))
      await work().catch((error: unknown) => failed.push(`${title}: ${reasonOf(error)}`));
  }

  return {
    get sent() {
      return sent;
    },
    failed,
    once,
    begin(clients) {
      let running = true;
      const all = Array.from({ length: clients }, async () => {
        while (running) await once();
      });
      return async () => {
        running = false;
        await Promise.all(all);
      };
    },
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.message}${error.cause ? ` (${reasonOf(error.cause)})` : ''}` : String(error);

function clientToken({ runtimeUrl, client }: Reachable): Promise<Answer<{ access_token: string }>> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  return send(`${runtimeUrl}/oauth/token`, { body });
}

/** Links a device by a code, as `millwright bridge login --code` does. */
async function linkDevice({ baseUrl }: Reachable, code: string): Promise<{ pat: string; key: KeyObject }> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const public_key = publicKey.export({ type: 'spki', format: 'pem' });
  const body = { code, device_name: 'upgrade', public_key };
  const { status, text, body: linked } = await send<{ pat: string }>(`${baseUrl}/bridge-auth/session`, { body });
  if (status >= 300) throw new Error(`the device was answered ${status}: ${text}`);
  return { pat: linked.pat, key: privateKey };
}
