// @ts-check
import { createServer } from 'node:http';

const ANSWER = '{"answer":42}';

/**
 * @typedef {{ type: string, text?: string, image_url?: { url: string } }} Part
 * @typedef {{ role: string, content: string | Part[] | null }} Message
 * @typedef {{ function: { name: string, parameters?: { properties?: object } } }} Tool
 * @typedef {{ messages: Message[], tools?: Tool[], tool_choice?: unknown, response_format?: { type: string }, stream?: boolean, model:
 *   string }} ChatBody
 */

/** @param {Part} part */
const partText = ({ image_url: image, text = '' }) =>
  image ? (image.url.startsWith('data:') ? '[an image]' : `[the image at ${image.url}]`) : text;

/** @param {Message | undefined} message */
const textOf = (message) =>
  typeof message?.content === 'string' ? message.content : (message?.content ?? []).map(partText).join(' ');

/**
 * Chooses the answer by the content of the request. The output of a tool is repeated. The word `weather`, or a `tool_choice` that requires a
 * call, causes a call of the first tool. A request with a schema is answered with `{"answer": 42}`. Any other request is answered with the
 * user's text and the number of messages before it.
 *
 * @param {ChatBody} body
 */
function answerTo({ messages, tools = [], tool_choice: choice, response_format: format }) {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const output = messages.slice(last + 1).find(({ role }) => role === 'tool');
  const text = textOf(messages[last]);
  const [tool] = tools;
  const isDemanded = choice === 'required' || typeof choice === 'object';
  if (!output && tool && (isDemanded || text.includes('weather'))) {
    const { name, parameters } = tool.function;
    const isAnswer = 'answer' in (parameters?.properties ?? {});
    const isClock = 'time_zone' in (parameters?.properties ?? {});
    const call = { name, arguments: isAnswer ? ANSWER : isClock ? '{}' : '{"city":"Oslo"}' };
    return { content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] };
  }
  if (format?.type === 'json_schema') return { content: ANSWER };
  if (output) return { content: `The tool answered: ${textOf(output)}` };
  return {
    content: `You wrote: ${text} (${messages.slice(0, last).filter(({ role }) => role !== 'system').length} before)`,
  };
}

const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };

/** @param {ChatBody} body @param {import('node:http').ServerResponse} response */
async function complete(body, response) {
  const message = { role: 'assistant', refusal: null, ...answerTo(body) };
  const finish_reason = message.content === null ? 'tool_calls' : 'stop';
  const head = { id: 'chatcmpl-test', created: 1, model: body.model };
  const isSlow = body.messages.some((sent) => textOf(sent).includes('slowly'));
  if (!body.stream) {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 5_000));
    const choices = [{ index: 0, message, finish_reason }];
    response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
    return;
  }
  const words = message.content?.match(/\S+\s*/g) ?? [];
  const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
  const deltas = [...words.map((content) => ({ content })), ...(calls ? [{ tool_calls: calls }] : [])];
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage },
  ];
  response.setHeader('Content-Type', 'text/event-stream');
  for (const chunk of chunks) {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1_000));
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

/** @param {{ model: string, input: string | string[], dimensions?: number, encoding_format?: string }} body */
function embed({ model, input, dimensions = 8, encoding_format: format }) {
  const data = [input].flat().map((text, index) => {
    const vector = Float32Array.from({ length: dimensions }, (_, place) => (text.charCodeAt(place) || 1) / 256);
    const embedding = format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
    return { object: 'embedding', index, embedding };
  });
  return { object: 'list', model, data, usage: { prompt_tokens: 3, total_tokens: 3 } };
}

/**
 * Starts an OpenAI-compatible server on loopback, whose model always gives the same answers.
 *
 * @returns {Promise<{ url: string, close: () => void }>} `url` ends in `/v1`
 */
export async function startTestModel() {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    response.setHeader('Content-Type', 'application/json');
    if (request.url === '/v1/chat/completions') await complete(JSON.parse(text), response);
    else if (request.url === '/v1/embeddings') response.end(JSON.stringify(embed(JSON.parse(text))));
    else response.writeHead(404).end('{}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
