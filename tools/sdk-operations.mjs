// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * For each tag of a service's OpenAPI document, the resource of the SDK that has the tag's operations. `words` matches the words of an operationId
 * that the method's name omits, because the name of the resource already contains them.
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
  ['platform', 'Keys', 'keys', /Keys?/],
  ['platform', 'Clients', 'clients', /Clients?/],
  ['platform', 'Users', 'account', /^(?!)/],
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

/** Method names that are not derived from the operationId. An operation with `undefined` has no method, because another operation replaces it. */
/** @type {Record<string, string | undefined>} */
const NAMES = {
  'runtime.listAgents': 'listRegistered',
  'runtime.getAgent': 'getRegistered',
  'runtime.listRunApprovals': 'listOfRun',
  // These operations have the same answers and the same records as operations of the platform API.
  'runtime.whoAmI': undefined,
  'runtime.listContent': undefined,
  'runtime.createContent': undefined,
  'runtime.getContent': undefined,
  'runtime.file.create': 'upload',
  'runtime.file.list': 'list',
  'runtime.file.get': 'download',
  'runtime.file.delete': 'delete',
  // This operation is another path of the caller's account, for known clients.
  'prompt.getMcpUser': undefined,
};

/** For each operation that streams: the events that end its stream, and whether `Last-Event-ID` resumes it. */
/** @type {Record<string, { ends: string[], resumable?: true }>} */
export const STREAMS = {
  'runtime.followRun': { ends: ['run.completed', 'run.failed', 'run.canceled'], resumable: true },
  'runtime.sendMessage': { ends: ['message.completed', 'run.waiting'] },
  'prompt.runPrompt': { ends: ['result'] },
  'prompt.runDraft': { ends: ['result'] },
  'prompt.createResponse': { ends: ['response.completed', 'response.incomplete', 'response.failed'] },
  'prompt.getResponse': { ends: ['response.completed', 'response.incomplete', 'response.failed'] },
};

export const SERVICES = /** @type {const} */ (['platform', 'runtime', 'prompt']);

/**
 * @typedef {object} SdkOperation an operation as a method of a resource
 * @property {string} service
 * @property {string} method
 * @property {string} path
 * @property {any} operation with its parameters in place of references
 * @property {string} name of the method, in camel case
 */

/**
 * Reads the sources of the SDKs: the schemas of each service, and the operations of each resource.
 *
 * @returns {{ schemas: Map<string, Record<string, object>>, resources: Map<string, SdkOperation[]> }}
 */
export function sdkOperations() {
  /** @type {Map<string, SdkOperation[]>} */
  const resources = new Map();
  /** @type {Map<string, Record<string, object>>} */
  const schemas = new Map();
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
    schemas.set(service, { ...document.components.schemas, ...extra });
  }
  return { schemas, resources };
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} operationId @param {RegExp} words */
function methodName(operationId, words) {
  const verb = /^[a-z]+/.exec(operationId)?.[0] ?? '';
  return verb + operationId.slice(verb.length).replace(words, '');
}

/**
 * Returns the operation with references to parameters replaced by the parameters, and with the schemas of the document.
 *
 * @param {any} document
 * @param {any} operation
 */
function resolved(document, operation) {
  const parameters = operation.parameters.map((/** @type {any} */ parameter) =>
    parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1)] : parameter,
  );
  return { ...operation, parameters, schemas: document.components.schemas };
}

/** @param {any} operation */
export const answerOf = ({ responses }) => responses[200] ?? responses[201] ?? responses[202] ?? responses[204];

/** @param {any} operation */
export const queryOf = ({ parameters }) => parameters.filter((/** @type {any} */ { in: place }) => place === 'query');

/**
 * Returns the schemas of an operation that have no name in the document. Their keys are `operationId.part`, such as `.body` or `.answer`.
 *
 * @param {any} document @param {any} operation
 */
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

/** Returns the schema of the records of a list. @param {any} schemas @param {any} answer */
export function itemOf(schemas, answer) {
  if (!answer) return undefined;
  const whole = answer.$ref ? schemas[answer.$ref.split('/').at(-1)] : answer;
  if (whole.type === 'array') return whole.items;
  return Object.values(whole.properties ?? {}).find((/** @type {any} */ { type }) => type === 'array')?.items;
}

/** @param {any[]} query @param {any} json @returns {'page' | 'offset' | 'cursor' | undefined} */
export function pagingOf(query, json) {
  if (!json) return undefined;
  const names = query.map(({ name }) => name);
  return /** @type {const} */ (['cursor', 'page', 'offset']).find((name) => names.includes(name));
}
