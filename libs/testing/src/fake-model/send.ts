import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelBehaviour, ModelRequestBody } from './answer.js';
import { completion, completionChunks } from './completion.js';

const GARBAGE = '<html>not what you asked for';

/** Answers a chat completion as the behaviour states. */
export async function sendAnswer(
  response: ServerResponse,
  request: ModelRequestBody,
  behaviour: ModelBehaviour,
): Promise<void> {
  if (behaviour.delayMs) await sleep(behaviour.delayMs);
  if (behaviour.hang || response.destroyed) return;
  const status = behaviour.status ?? 200;
  if (status !== 200 || behaviour.body !== undefined) {
    sendJson(
      response,
      status,
      behaviour.body ?? { error: { message: 'The fake model refuses.', type: 'fake' } },
      behaviour,
    );
  } else if (request.stream) await sendStream(response, request, behaviour);
  else if (behaviour.reset && behaviour.resetAfter === undefined) response.destroy();
  else await sendWhole(response, request, behaviour);
}

/**
 * Answers with a vector for each text: the number of its characters, 0.5, and the negative index of the text. A
 * behaviour with `status` or `body` replaces this answer.
 */
export function sendEmbeddings(
  response: ServerResponse,
  texts: readonly string[],
  behaviour: ModelBehaviour,
): Promise<void> {
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 0.5, 0 - index] }));
  const tokens = texts.join(' ').split(/\s+/).length;
  const list = { object: 'list', data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  const {
    status = 200,
    body = status === 200 ? list : { error: { message: 'The fake model refuses.', type: 'fake' } },
  } = behaviour;
  if (behaviour.reset) response.destroy();
  else sendJson(response, status, body, behaviour);
  return Promise.resolve();
}

function sendJson(response: ServerResponse, status: number, body: unknown, { headers }: ModelBehaviour): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function sendWhole(
  response: ServerResponse,
  request: ModelRequestBody,
  behaviour: ModelBehaviour,
): Promise<void> {
  const body = behaviour.garbage ? GARBAGE : JSON.stringify(completion(request, behaviour));
  response.writeHead(200, { 'content-type': 'application/json', ...behaviour.headers });
  const sent = behaviour.reset ? body.slice(0, behaviour.resetAfter) : body;
  await sendSlowly(response, behaviour.trickleMs ? Array.from(sent) : [sent], behaviour);
}

async function sendStream(
  response: ServerResponse,
  request: ModelRequestBody,
  behaviour: ModelBehaviour,
): Promise<void> {
  const events = completionChunks(request, behaviour).map((chunk) => JSON.stringify(chunk));
  if (behaviour.garbage) events.splice(1, 0, GARBAGE);
  const parts = [...events, '[DONE]'].map((data) => `data: ${data}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream', ...behaviour.headers });
  await sendSlowly(response, behaviour.reset ? parts.slice(0, behaviour.resetAfter ?? 1) : parts, behaviour);
}

async function sendSlowly(
  response: ServerResponse,
  parts: string[],
  { trickleMs, reset }: ModelBehaviour,
): Promise<void> {
  for (const part of parts) {
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(part, resolve));
    if (trickleMs) await sleep(trickleMs);
  }
  if (reset) response.destroy();
  else response.end();
}
