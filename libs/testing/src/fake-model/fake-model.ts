import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../listen.js';
import { behaviourFor, type ModelAnswer, type ModelRequest, type ModelRequestBody } from './answer.js';
import { sendAnswer, sendEmbeddings } from './send.js';

export interface FakeModel {
  /** Address that ends in `/v1`, for MODEL_BASE_URL. */
  url: string;
  /** All received requests, oldest first. */
  requests: ModelRequest[];
  /** Sets the answer to later requests. */
  answerWith: (answer: ModelAnswer) => void;
  close: () => Promise<void>;
}

/** An OpenAI-compatible model server on loopback: chat completions, whole and streamed, embeddings, and the list of models. */
export async function createFakeModel(first: ModelAnswer = {}): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  let answer = first;
  const server = await listen((request, response) => {
    void record(request, response, requests).then(async (recorded) => {
      const path = recorded.path.split('?')[0];
      if (request.method === 'POST' && path === '/v1/chat/completions') {
        await sendAnswer(response, recorded.body, await behaviourFor(answer, recorded));
      } else if (request.method === 'POST' && path === '/v1/embeddings') {
        const { input } = recorded.body as { input?: string[] };
        await sendEmbeddings(response, input ?? [], await behaviourFor(answer, recorded));
      } else if (request.method === 'GET' && path === '/v1/models') {
        const models = { object: 'list', data: [{ id: 'fake', object: 'model', created: 0, owned_by: 'millwright' }] };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(models));
      } else response.writeHead(404).end();
    });
  });
  return {
    url: `${server.url}/v1`,
    requests,
    answerWith(next) {
      answer = next;
    },
    close: () => server.close(),
  };
}

async function record(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ModelRequest[],
): Promise<ModelRequest> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  const { method = '', url: path = '', headers } = request;
  const body = JSON.parse(text || '{}') as ModelRequestBody;
  const recorded: ModelRequest = { method, path, headers, body, aborted: false };
  response.on('close', () => (recorded.aborted = !response.writableFinished));
  requests.push(recorded);
  return recorded;
}
