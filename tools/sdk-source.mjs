// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { schemaMembers, printInterface } from './answer-types.mjs';
import { root } from './workspace.mjs';

/**
 * Tags of each service with the SDK's resource that has their operations, and the words of operationIds that the resource's name
 * repeats.
 *
 * @type {readonly (readonly [service: 'platform' | 'runtime' | 'prompt', tag: string, resource: string, words: RegExp])[]}
 */
const RESOURCES = [
  ['platform', 'Skills', 'skills', /Skills?/],
  ['platform', 'Agents', 'agents', /Agents?/],
  ['platform', 'Plugins', 'plugins', /Plugins?/],
  ['platform', 'Content', 'content', /Content/],
  ['platform', 'MCP servers', 'mcpServers', /McpServers?/],
  ['platform', 'Tool rules', 'toolRules', /^(?!)/],
  ['platform', 'Guards', 'guards', /Guards/],
  ['platform', 'Webhooks', 'webhooks', /Webhooks?/],
  ['platform', 'Triggers', 'triggers', /Triggers?/],
  ['platform', 'Budgets', 'budgets', /Budgets?/],
  ['platform', 'Model prices', 'modelPrices', /ModelPrices?/],
  ['platform', 'Changes', 'changes', /Changes/],
  ['runtime', 'Agents', 'agents', /Agents?/],
  ['runtime', 'Runs', 'runs', /Runs?/],
  ['runtime', 'Approvals', 'approvals', /Approvals?/],
  ['runtime', 'Users', 'users', /Users?/],
  ['runtime', 'Content', 'content', /Content/],
  ['runtime', 'MCP', 'mcp', /Mcp/],
  ['runtime', 'Files', 'files', /^(?!)/],
  ['runtime', 'Analytics', 'analytics', /^(?!)/],
  ['prompt', 'Prompts', 'prompts', /Prompts?/],
  ['prompt', 'Versions', 'prompts', /Prompts?/],
  ['prompt', 'Runs', 'prompts', /Prompts?/],
  ['prompt', 'Responses', 'responses', /Responses?/],
  ['prompt', 'Conversations', 'conversations', /Conversations?/],
  ['prompt', 'Agents', 'promptAgents', /Agents?/],
  ['prompt', 'Artifacts', 'artifacts', /Artifacts?/],
  ['prompt', 'Blocks', 'blocks', /Blocks?/],
  ['prompt', 'Changes', 'promptChanges', /Changes/],
  ['prompt', 'Users', 'account', /User/],
  ['prompt', 'Models', 'models', /Models?/],
];

/** Names of operations whose operationId gives none, and `undefined` for those that another operation makes superfluous. */
/** @type {Record<string, string | undefined>} */
const NAMES = {
  'runtime.listAgents': 'listRegistered',
  'runtime.getAgent': 'getRegistered',
  'runtime.listRunApprovals': 'listOfRun',
  // The same records as the platform API's.
  'runtime.listContent': undefined,
  'runtime.createContent': undefined,
  'runtime.getContent': undefined,
  'runtime.file.create': 'upload',
  'runtime.file.list': 'list',
  'runtime.file.get': 'download',
  'runtime.file.delete': 'delete',
  // For clients of OpenAI's own.
  'prompt.getMcpUser': undefined,
};

/** The events that end a stream, and whether `Last-Event-ID` resumes it. */
/** @type {Record<string, { ends: string[], resumable?: true }>} */
const STREAMS = {
  'runtime.followRun': { ends: ['run.completed', 'run.failed', 'run.canceled'], resumable: true },
  'runtime.sendMessage': { ends: ['message.completed', 'run.waiting'] },
  'prompt.runPrompt': { ends: ['result'] },
  'prompt.runDraft': { ends: ['result'] },
  'prompt.createResponse': { ends: ['response.completed', 'response.incomplete', 'response.failed'] },
  'prompt.getResponse': { ends: ['response.completed', 'response.incomplete', 'response.failed'] },
};

const SERVICES = /** @type {const} */ (['platform', 'runtime', 'prompt']);

/**
 * The generated sources of `@millwright/sdk`: the schemas of each service, and a class for each resource.
 *
 * @returns {Promise<{ file: string, expected: string }[]>}
 */
export async function sdkSources() {
  /** @type {Map<string, { service: string, method: string, path: string, operation: any, name: string }[]>} */
  const resources = new Map();
  const sources = [];
  for (const service of SERVICES) {
    const document = JSON.parse(readFileSync(join(root, `docs/openapi/${service}.json`), 'utf8'));
    /** @type {Record<string, object>} */
    const extra = {};
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(/** @type {Record<string, any>} */ (methods))) {
        const entry = RESOURCES.find(([of, tag]) => of === service && tag === operation.tags[0]);
        const id = `${service}.${operation.operationId}`;
        if (!entry || (id in NAMES && NAMES[id] === undefined)) continue;
        const [, , resource, words] = entry;
        const name = NAMES[id] ?? methodName(operation.operationId, words);
        const of = resources.get(resource) ?? [];
        if (of.some((other) => other.name === name)) throw new Error(`${resource}.${name} is there twice: ${id}`);
        of.push({ service, method: method.toUpperCase(), path, operation: resolved(document, operation), name });
        resources.set(resource, of);
        Object.assign(extra, shapesOf(document, operation));
      }
    const name = capital(service);
    const members = await schemaMembers({ ...document.components.schemas, ...extra }, true);
    const text = printInterface(name, members, true).replaceAll('components["schemas"]', name);
    sources.push({ name: `${service}.ts`, text: `/** Generated from docs/openapi/${service}.json. */\n${text}` });
  }
  sources.push({ name: 'resources.ts', text: resourceSource(resources) });
  return Promise.all(
    sources.map(async ({ name, text }) => {
      const file = join(root, 'libs/sdk/src/generated', name);
      const head = '/* Made by `npm run openapi`: do not edit. */\n';
      return { file, expected: await format(head + text, { ...(await resolveConfig(file)), filepath: file }) };
    }),
  );
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} operationId @param {RegExp} words */
function methodName(operationId, words) {
  const verb = /^[a-z]+/.exec(operationId)?.[0] ?? '';
  return verb + operationId.slice(verb.length).replace(words, '');
}

/** The operation with its parameters in place of references. @param {any} document @param {any} operation */
function resolved(document, operation) {
  const parameters = operation.parameters.map((/** @type {any} */ parameter) =>
    parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1)] : parameter,
  );
  return { ...operation, parameters, schemas: document.components.schemas };
}

/** @param {any} operation */
const answerOf = ({ responses }) => responses[200] ?? responses[201] ?? responses[202] ?? responses[204];

/** @param {any} operation */
const queryOf = ({ parameters }) => parameters.filter((/** @type {any} */ { in: place }) => place === 'query');

/** Schemas that have no name in the document, under `operationId.part`. @param {any} document @param {any} operation */
function shapesOf(document, operation) {
  const whole = resolved(document, operation);
  const { operationId: id, requestBody } = operation;
  /** @type {Record<string, object>} */
  const shapes = {};
  const query = queryOf(whole);
  if (query.length > 0)
    shapes[`${id}.query`] = {
      type: 'object',
      properties: Object.fromEntries(
        query.map((/** @type {any} */ { name, schema, description }) => [name, { ...schema, description }]),
      ),
      required: query.filter((/** @type {any} */ { required }) => required).map((/** @type {any} */ { name }) => name),
      additionalProperties: false,
    };
  const body = requestBody?.content['application/json']?.schema;
  if (body && !body.$ref) shapes[`${id}.body`] = body;
  const upload = requestBody?.content['multipart/form-data']?.schema;
  if (upload) {
    const form = upload.$ref ? document.components.schemas[upload.$ref.split('/').at(-1)] : upload;
    const properties = { ...form.properties };
    delete properties.file;
    shapes[`${id}.fields`] = {
      ...form,
      properties,
      required: form.required.filter((/** @type {string} */ n) => n !== 'file'),
    };
  }
  const answer = answerOf(operation).content?.['application/json']?.schema;
  if (answer && !answer.$ref) shapes[`${id}.answer`] = answer;
  const item = itemOf(document.components.schemas, answer);
  if (item && !item.$ref) shapes[`${id}.item`] = item;
  const stream = operation.responses[200]?.content?.['text/event-stream'];
  for (const [event, data] of Object.entries(stream?.['x-events'] ?? {})) shapes[`${id}.${event}`] = data;
  if (stream && !stream['x-events']) shapes[`${id}.event`] = stream.schema;
  return shapes;
}

/** The schema of the records of a list. @param {any} schemas @param {any} answer */
function itemOf(schemas, answer) {
  if (!answer) return undefined;
  const whole = answer.$ref ? schemas[answer.$ref.split('/').at(-1)] : answer;
  if (whole.type === 'array') return whole.items;
  return Object.values(whole.properties ?? {}).find((/** @type {any} */ { type }) => type === 'array')?.items;
}

/** @param {string} service @param {string} id @param {string} part @param {any} schema */
const typeOf = (service, id, part, schema) =>
  `${capital(service)}['${schema?.$ref ? schema.$ref.split('/').at(-1) : `${id}.${part}`}']`;

/** @param {Map<string, any[]>} resources */
function resourceSource(resources) {
  const names = [...resources.keys()];
  const classes = names.map((resource) => {
    const methods = (resources.get(resource) ?? []).map(methodSource);
    return `export class ${capital(resource)}Resource {
      readonly #send: Send;
      constructor(send: Send) { this.#send = send; }
      ${methods.join('\n')}
    }`;
  });
  return `/* eslint-disable */
    import { formOf, readEventsOf, readJson, readNothing, readPages, readText, segment } from '../core/calls.js';
    import type { Pages } from '../core/pages.js';
    import type { Query, RequestOptions, Send } from '../core/transport.js';
    import type { Platform } from './platform.js';
    import type { Prompt } from './prompt.js';
    import type { Runtime } from './runtime.js';

    ${classes.join('\n\n')}

    /** Every resource of an installation. */
    export class Resources {
      ${names.map((name) => `readonly ${name}: ${capital(name)}Resource;`).join('\n')}
      constructor(send: Send) {
        ${names.map((name) => `this.${name} = new ${capital(name)}Resource(send);`).join('\n')}
      }
    }
  `;
}

/** @param {{ service: string, method: string, path: string, operation: any, name: string }} entry */
function methodSource({ service, method, path, operation, name }) {
  const { operationId: id, requestBody, summary, description } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const template = `\`${path.replaceAll(/\{(\w+)\}/g, (_all, parameter) => `\${segment('${parameter}', ${parameter})}`)}\``;
  const keyed = operation.parameters.some((/** @type {any} */ parameter) => parameter.name === 'Idempotency-Key');
  const query = queryOf(operation).filter((/** @type {any} */ parameter) => parameter.name !== 'stream');
  const answer = answerOf(operation);
  const json = answer.content?.['application/json'];
  const stream = operation.responses[200]?.content?.['text/event-stream'];
  const bodyType = requestBody && Object.keys(requestBody.content)[0];
  const args = inPath.map((parameter) => `${parameter}: string | number`);
  const parts = [`service: '${service}'`, `method: '${method}'`, `path: ${template}`];
  if (keyed) parts.push('keyed: true');
  if (bodyType === 'application/json') {
    const type = typeOf(service, id, 'body', requestBody.content[bodyType].schema);
    args.push(requestBody.required ? `body: ${type}` : `body: Partial<${type}> = {}`);
    parts.push('body');
  } else if (bodyType === 'multipart/form-data') {
    args.push('file: Blob', `fields: ${capital(service)}['${id}.fields']`);
    parts.push(`body: formOf(file, 'file', fields)`);
  } else if (bodyType) {
    args.push('text: string');
    parts.push('body: text', `contentType: '${bodyType}'`);
  }
  const paging = pagingOf(query, json);
  if (query.length > 0) {
    const needed = query.some((/** @type {any} */ { required }) => required);
    args.push(`query: ${capital(service)}['${id}.query']${needed ? '' : ' = {}'}`);
    if (!paging) parts.push('query: query as Query');
  }
  const comment = `/** ${summary}. ${description} */`;
  const call = `{ ${[...parts, 'options'].join(', ')} }`;
  const head = `(${[...args, 'options?: RequestOptions'].join(', ')})`;
  const type = json && typeOf(service, id, 'answer', json.schema);
  const streamed = stream && streamSource({ service, id, name, stream, json, head, parts, comment });
  if (stream && !json) return streamed;
  if (paging) {
    const item = typeOf(service, id, 'item', itemOf(operation.schemas, json.schema));
    return `${comment}\n${name}${head}: Pages<${item}, ${type}> { return readPages(this.#send, ${call}, '${paging}', query); }`;
  }
  if (answer.content?.['*/*'])
    return `${comment}\n${name}${head}: Promise<Response> { return this.#send({ ...${call}, accept: '*/*' }); }`;
  if (json) {
    const plain = `${comment}\n${name}${head}: Promise<${type}> { return readJson(this.#send, ${call}); }`;
    return streamed ? `${plain}\n${streamed}` : plain;
  }
  if (answer.content) return `${comment}\n${name}${head}: Promise<string> { return readText(this.#send, ${call}); }`;
  return `${comment}\n${name}${head}: Promise<void> { return readNothing(this.#send, ${call}); }`;
}

/** @param {any[]} query @param {any} json @returns {'page' | 'offset' | 'cursor' | undefined} */
function pagingOf(query, json) {
  if (!json) return undefined;
  const names = query.map(({ name }) => name);
  return /** @type {const} */ (['cursor', 'page', 'offset']).find((name) => names.includes(name));
}

/** @param {any} entry */
function streamSource({ service, id, name, stream, json, head, parts, comment }) {
  const { ends, resumable = false } = STREAMS[`${service}.${id}`] ?? {};
  if (!ends) throw new Error(`The last event of the stream ${service}.${id} is not known`);
  const events = Object.keys(stream['x-events'] ?? {}).filter((event) => event !== 'error');
  const data = (/** @type {string} */ event) =>
    `{ event: '${event}'; id?: string; data: ${capital(service)}['${id}.${event}'] }`;
  const union =
    events.length > 0
      ? events.map(data).join(' | ')
      : `{ event: string; id?: string; data: ${capital(service)}['${id}.event'] }`;
  const inBody = events.length === 0 && parts.includes('body');
  const sent = inBody
    ? parts.map((/** @type {string} */ part) => (part === 'body' ? 'body: { ...body, stream: true }' : part))
    : parts;
  const call = `{ ${[...sent, 'options'].join(', ')} }`;
  return `${comment}\n${json ? `${name}Stream` : name}${head}: AsyncGenerator<${union}, void> {
    return readEventsOf(this.#send, ${call}, ${JSON.stringify(ends)}, ${resumable});
  }`;
}
