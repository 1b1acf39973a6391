import type OpenAI from 'openai';
import { APIError } from 'openai/core/error';
import type { ModelFetch } from './checked-fetch.js';
import { planRequest, type OutputMode, type PlannedRequest } from './chat-request.js';
import { createChunkCollector } from './completion-stream.js';
import { parseCompletion, type Completion } from './completion.js';
import { parseEmbeddings } from './embeddings.js';
import type { ModelDefinition, ModelRequest } from './model.js';
import type { Upstream } from './upstream.js';

type RemoteDefinition = ModelDefinition & { endpoint: string };

/**
 * Makes a client of the SDK without its own retries, timeouts and environment variables: models.ts implements retries
 * and timeouts. The SDK is loaded here, because many processes never call a model.
 */
async function createClient({ endpoint, apiKey }: RemoteDefinition, fetch: ModelFetch): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    baseURL: endpoint,
    apiKey: apiKey ?? 'none',
    ...(apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: (input, init) => fetch(input instanceof Request ? input.url : input, init),
  });
}

/** Whether the error may mean that the server does not support `json_schema`, so that the request is worth sending again without it. */
const mayBeTheFormat = (error: unknown) => error instanceof APIError && (error.status === 400 || error.status === 422);

/** Whether the error means that the server supports `json_schema` and refused only this schema. */
const refusesThisSchema = (error: unknown) =>
  error instanceof APIError && (error.code === 'invalid_json_schema' || /invalid schema/i.test(error.message));

/** A model behind an OpenAI-compatible endpoint. */
export function createOpenAiUpstream(definition: RemoteDefinition, fetch: ModelFetch): Upstream {
  let creating: Promise<OpenAI> | undefined;
  const client = () => (creating ??= createClient(definition, fetch));
  let outputMode: OutputMode = 'json_schema';

  async function send<T>(
    request: ModelRequest,
    streaming: boolean,
    call: (planned: PlannedRequest, headers: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    const attempt = (mode: OutputMode, key = request.idempotencyKey) =>
      call(planRequest(definition, request, mode, streaming), key === undefined ? {} : { 'Idempotency-Key': key });
    if (!request.output || outputMode === 'json_object') return attempt(outputMode);
    try {
      return await attempt('json_schema');
    } catch (error) {
      if (!mayBeTheFormat(error)) throw error;
      // The changed request needs another idempotency key: for the same key, a server may send its first answer, the 400, again.
      const answer = await attempt('json_object', request.idempotencyKey && `${request.idempotencyKey}:json_object`);
      if (!refusesThisSchema(error)) outputMode = 'json_object';
      return answer;
    }
  }

  function restored(completion: Completion, restore: (text: string) => string): Completion {
    const [first, ...others] = completion.body.choices;
    const { content } = first.message;
    if (!content) return completion;
    const message = { ...first.message, content: restore(content) };
    return { ...completion, body: { ...completion.body, choices: [{ ...first, message }, ...others] } };
  }

  return {
    complete: (request, signal, received) =>
      send(request, false, async ({ body, restore }, headers) => {
        const call = (await client()).chat.completions.create({ ...body, stream: false }, { signal, headers });
        await call.asResponse();
        received.began = true;
        const answer: unknown = await call;
        return restored(await parseCompletion(answer, request.messages), restore);
      }),

    async embed({ texts, dimensions }, signal) {
      const { name, upstreamName = name } = definition;
      const length = dimensions === undefined ? {} : { dimensions };
      const body = { model: upstreamName, input: [...texts], encoding_format: 'float' as const, ...length };
      return parseEmbeddings(await (await client()).embeddings.create(body, { signal }), { texts });
    },

    async *stream(request, signal, received) {
      const collector = createChunkCollector(received);
      const { chat } = await client();
      const chunks = await send(request, true, ({ body }, headers) =>
        chat.completions.create(
          { ...body, stream: true, stream_options: { include_usage: true } },
          { signal, headers },
        ),
      );
      received.began = true;
      for await (const chunk of chunks) {
        const text = collector.add(chunk);
        if (text) yield text;
      }
      signal.throwIfAborted();
      return parseCompletion(collector.whole(), request.messages);
    },
  };
}
