import { parentPort } from 'node:worker_threads';
import { createCompiledSchemas } from './compiled-schemas.js';
import type { SchemaReply, SchemaRequest } from './schema-messages.js';

const port = parentPort;
if (!port) throw new Error('schema.worker runs in a worker thread only');

const { answer } = createCompiledSchemas();
const reply = (message: SchemaReply) => port.postMessage(message);

port.on('message', (request: SchemaRequest) => reply(answer(request)));
reply({ kind: 'ready' });
