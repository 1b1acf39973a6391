// @ts-check
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * @typedef {object} Target
 * @property {string} baseUrl
 * @property {string} runtimeUrl
 * @property {string} promptUrl
 * @property {string[]} keys of one account, each with every scope
 * @property {string[]} tokens of the same account for the runtime API
 * @property {string[]} endpoints of MCP servers whose answers are hostile
 * @property {string} askingEndpoint of an MCP server whose tool sends its user an input request
 *
 * @typedef {(answer: string | number) => void} Note
 * @typedef {(target: Target, signal: AbortSignal, note: Note) => Promise<unknown>} Attack
 * @typedef {object} Call
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {Buffer} [body]
 * @property {string} [localAddress]
 */

/** Loopback addresses that no honest caller uses. The gateway counts the requests of each address separately. */
export const ADDRESSES = Array.from({ length: 11 }, (_, n) => `127.0.0.${n + 2}`);
const agent = new Agent({ keepAlive: true });

/**
 * Sends a request and discards the body of the answer.
 *
 * @param {string} url @param {Call} call @param {AbortSignal} signal
 * @returns {Promise<string | number>} the status, or the failure
 */
function send(url, { method = 'GET', headers = {}, body, localAddress }, signal) {
  return new Promise((resolve) => {
    const { port, pathname, search } = new URL(url);
    const sent = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        path: pathname + search,
        method,
        localAddress,
        signal,
        headers: { ...headers, host: new URL(url).host },
      },
      (answer) => {
        answer.resume();
        answer.once('close', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.once('error', (error) => resolve('code' in error ? String(error.code) : error.name));
    sent.end(body);
  });
}

/**
 * Repeats a request, `atOnce` concurrently, with a short pause after a refusal.
 *
 * @param {number} atOnce @param {AbortSignal} signal @param {Note} note @param {(turn: number) => Promise<string | number>} ask
 */
async function repeat(atOnce, signal, note, ask) {
  let turn = 0;
  const repeatOne = async () => {
    while (!signal.aborted) {
      const answer = await ask(turn++);
      note(answer);
      if (answer !== 200) await delay(50);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, repeatOne));
}

/** @param {object} value */
const json = (value) => ({ body: Buffer.from(JSON.stringify(value)), type: 'application/json' });

/** @param {string} key @param {{ body: Buffer, type: string }} [sent] @returns {Call} */
const as = (key, sent) => ({
  method: sent ? 'POST' : 'GET',
  headers: {
    authorization: `Bearer ${key}`,
    ...(sent && { 'content-type': sent.type, 'content-length': String(sent.body.length) }),
  },
  ...(sent && { body: sent.body }),
});

/** @template Item @param {readonly Item[]} items @param {number} turn @returns {Item} */
const inTurn = (items, turn) => /** @type {Item} */ (items[turn % items.length]);

const MCP = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };

/**
 * Sends bodies at one byte every five seconds, over 95 connections from each address.
 *
 * @param {Target} target @param {AbortSignal} signal @param {Note} note
 */
async function slowBodies({ runtimeUrl }, signal, note) {
  const { port, host } = new URL(runtimeUrl);
  const head = `POST /oauth/token HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n\r\n`;
  for (const localAddress of ADDRESSES) {
    for (let n = 0; n < 95; n += 1) {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
      socket.once('connect', () => {
        note('open');
        socket.write(`${head}g`);
      });
      const timer = setInterval(() => socket.write('x'), 5_000);
      socket.on('error', () => undefined).on('data', (answer) => note(String(answer).slice(9, 12)));
      socket.once('close', () => clearInterval(timer));
      signal.addEventListener('abort', () => socket.destroy());
    }
    await delay(20);
  }
}

/** Opens a thousand event streams of one account. @param {Target} target @param {AbortSignal} signal @param {Note} note */
async function streams({ endpoints, tokens }, signal, note) {
  const opened = Array.from({ length: 1_000 }, async (_, n) => {
    const call = as(inTurn(tokens, n));
    note(
      await send(
        inTurn(endpoints, n),
        {
          ...call,
          localAddress: inTurn(ADDRESSES, n),
          headers: { ...call.headers, ...MCP, accept: 'text/event-stream' },
        },
        signal,
      ),
    );
  });
  await Promise.all(opened);
}

/** @param {string} name */
const toolCall = (name) => json({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });

/** Calls a tool whose answer has 60 MiB. @type {Attack} */
const largeAnswers = ({ endpoints, tokens }, signal, note) =>
  repeat(4, signal, note, (turn) => {
    const call = as(inTurn(tokens, turn), toolCall('flood'));
    return send(inTurn(endpoints, turn), { ...call, headers: { ...call.headers, ...MCP } }, signal);
  });

const LONG_WORD = json({
  instruction: { static: '{{message}}', state: '{{message}}', dynamic: '{{message}}' },
  message: 'A'.repeat(950_000),
});
const LONG_MESSAGE = json({ content: 'A'.repeat(199_000) });

/** Sends texts that consist of one long word. The service has to count their tokens, which is slow for such a word. @type {Attack} */
const longWords = ({ promptUrl, runtimeUrl, keys, tokens }, signal, note) =>
  repeat(4, signal, note, (turn) =>
    turn % 2 === 0
      ? send(`${promptUrl}/v1/render`, as(inTurn(keys, turn), LONG_WORD), signal)
      : send(`${runtimeUrl}/api/v1/agents/concierge/messages`, as(inTurn(tokens, turn), LONG_MESSAGE), signal),
  );

/** Skill files with deeply nested YAML in their front matter: just within the limit of its length, and far beyond the limit. */
const FRONT_MATTER = [7_500, 60_000].flatMap((length) =>
  ['[', ']', '{a: ', '- '].map((part) => ({
    body: Buffer.from(
      `---\nname: x\ndescription: y\nparameters: ${part.repeat(Math.floor(length / part.length))}\n---\nDo it.\n`,
    ),
    type: 'text/markdown',
  })),
);

/** @type {Attack} */
const frontMatter = ({ baseUrl, keys }, signal, note) =>
  repeat(10, signal, note, (turn) =>
    send(`${baseUrl}/api/v1/skills/import`, as(inTurn(keys, turn), inTurn(FRONT_MATTER, turn)), signal),
  );

/** Sends searches for words that all long documents of the account contain. @type {Attack} */
const searches = ({ baseUrl, runtimeUrl, keys, tokens }, signal, note) =>
  repeat(12, signal, note, (turn) => {
    const url = inTurn(
      [
        `${baseUrl}/api/v1/content?per_page=100&search=${encodeURIComponent("' OR 1=1--")}`,
        `${runtimeUrl}/api/v1/content/search?q=grain%20mill&limit=100`,
        `${baseUrl}/api/v1/content?per_page=100&search=grain`,
        `${runtimeUrl}/api/v1/content/search?q=graim%20mil&limit=100`,
      ],
      turn,
    );
    return send(url, as(inTurn(url.startsWith(runtimeUrl) ? tokens : keys, turn)), signal);
  });

const PARKED = { calls: 200, clients: 5 };

/**
 * Calls a tool that sends its user an input request. The user never answers it, so the calls wait.
 *
 * @param {Target} target
 * @param {AbortSignal} signal
 * @param {Note} note
 */
async function parkedCalls({ askingEndpoint, tokens }, signal, note) {
  const call = async (/** @type {string} */ token) => {
    const client = new Client({ name: 'hostile', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => {
      note('asked');
      return /** @type {Promise<never>} */ (new Promise(() => undefined));
    });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const transport = new StreamableHTTPClientTransport(new URL(askingEndpoint), { requestInit });
    await client.connect(/** @type {never} */ (transport));
    for (let n = 0; n < PARKED.calls / PARKED.clients; n += 1)
      client.callTool({ name: 'ask', arguments: {} }, undefined, { signal, timeout: 600_000 }).then(
        ({ isError }) => note(isError === true ? 'refused' : 'answered'),
        () => note('failed'),
      );
    signal.addEventListener('abort', () => void client.close());
  };
  const calls = Array.from({ length: PARKED.clients }, () => call(inTurn(tokens, 0)).catch(() => note('no session')));
  await Promise.all(calls);
}

/** Requests the public list of agent cards without a credential, from every address. @type {Attack} */
const agentCards = ({ runtimeUrl }, signal, note) =>
  repeat(8, signal, note, (turn) =>
    send(
      `${runtimeUrl}/.well-known/agent-cards?page=${(turn % 3) + 1}`,
      { localAddress: inTurn(ADDRESSES, turn) },
      signal,
    ),
  );

/** @type {Record<string, Attack>} */
export const attacks = { slowBodies, streams, largeAnswers, longWords, frontMatter, searches, parkedCalls, agentCards };
