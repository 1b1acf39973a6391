// @ts-check
import { createServer } from 'node:http';
import { createEgress } from '@millwright/egress';
import { createModels, MODEL_ANSWER_MAX_BYTES } from '@millwright/models';

/** A minimal server that receives requests for chat completions, and sends them to a model by the code with which the services call models. */
const [port, endpoint = ''] = process.argv.slice(2);
const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
const models = createModels({
  models: [{ name: 'bench', endpoint, apiKey: 'sk-bench', contextWindow: 128_000, fallbacks: [], timeoutMs: 30_000 }],
  fetch: egress.trusted({ maxBytes: MODEL_ANSWER_MAX_BYTES }),
});
createServer(async (request, response) => {
  const { messages } = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
  const { completion } = await models.complete({ messages });
  const body = JSON.stringify(completion);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
