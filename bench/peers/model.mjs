// @ts-check
import { createServer } from 'node:http';

/** A model that answers every request without delay, whole or as a stream. */
const common = { id: 'bench', created: 0, model: 'bench' };
const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
const message = { role: 'assistant', content: 'Hello from the model.' };
const whole = JSON.stringify({
  ...common,
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage,
});
const chunks = [
  { choices: [{ index: 0, delta: message, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage },
].map((chunk) => JSON.stringify({ ...common, object: 'chat.completion.chunk', ...chunk }));
const stream = [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');

createServer(async (request, response) => {
  const isStreamed = JSON.parse((await request.toArray()).join('') || '{}').stream === true;
  response.setHeader('content-type', isStreamed ? 'text/event-stream' : 'application/json');
  response.end(isStreamed ? stream : whole);
}).listen(Number(process.argv[2]), '127.0.0.1');
