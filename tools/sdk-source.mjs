// @ts-check
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { schemaMembers, printInterface } from './answer-types.mjs';
import { answerOf, capital, itemOf, pagingOf, queryOf, sdkOperations, STREAMS } from './sdk-operations.mjs';
import { root } from './workspace.mjs';

/**
 * Returns the generated sources of `@millwright/sdk`: the schemas of each service, and a class for each resource.
 *
 * @returns {Promise<{ file: string, expected: string }[]>}
 */
export async function sdkSources() {
  const { schemas, resources } = sdkOperations();
  const sources = [];
  for (const [service, members] of schemas) {
    const name = capital(service);
    const text = printInterface(name, await schemaMembers(members, true), true).replaceAll(
      'components["schemas"]',
      name,
    );
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
