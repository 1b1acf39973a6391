// @ts-check
import { join } from 'node:path';
import { answerOf, capital, itemOf, pagingOf, queryOf, sdkOperations, STREAMS } from './sdk-operations.mjs';
import { root } from './workspace.mjs';

/** @typedef {any} Schema */

const HEAD = '"""Made by `npm run openapi`: do not edit."""\n\nfrom __future__ import annotations\n\n';

/** Names that have another meaning in Python or in a model of pydantic: a field or argument of this name ends in `_`. */
const RESERVED = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield ' +
    'construct copy dict fields json parse_file parse_obj parse_raw schema schema_json validate self options'
  ).split(' '),
);

/** @param {string} text */
const snake = (text) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** @param {string} text */
const pascal = (text) =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(capital)
    .join('');
/** @param {unknown} value */
const literal = (value) =>
  JSON.stringify(value).replaceAll(
    /^(true|false|null)$/g,
    (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
  );
/** @param {string} text */
const inComment = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** Converts a name in JSON to a name in Python. @param {string} name */
function pythonName(name) {
  const text = name
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^_+/, '')
    .replace(/^(?=\d)/, 'n');
  return RESERVED.has(text) ? `${text}_` : text;
}

/** @param {string[]} types */
function union(types) {
  const all = [...new Set(types)];
  const others = all.filter((type) => type !== 'None');
  if (others.includes('Any')) return 'Any';
  const one = others.length > 1 ? `Union[${others.join(', ')}]` : (others[0] ?? 'None');
  return all.length > others.length && others.length > 0 ? `Optional[${one}]` : one;
}

/** @param {Schema} schema */
const alternatives = (schema) =>
  schema.anyOf ??
  schema.oneOf ??
  (Array.isArray(schema.type) ? schema.type.map((/** @type {string} */ type) => ({ ...schema, type })) : undefined);

/** @type {Record<string, string>} */
const PLAIN = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

/**
 * Returns the models of one service: a class for each schema, and a class for each object within the schema.
 *
 * @param {Record<string, Schema>} schemas
 */
function modelSource(schemas) {
  /** @type {string[]} */
  const classes = [];
  const own = new Set(Object.keys(schemas).map(modelName));
  /** @type {Set<string>} */
  const names = new Set();

  /** @param {Schema} schema @param {string} name of a class that the schema needs @returns {string} */
  function typeOf(schema, name) {
    if (schema.$ref) return schema.$ref.split('/').at(-1);
    if ('const' in schema) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
    if (schema.enum) {
      const values = `Literal[${schema.enum.map(literal).join(', ')}]`;
      // Any text is accepted too, because a later release may add values to the enum.
      return schema.enum.length > 1 && typeof schema.enum[0] === 'string' ? `Union[${values}, str]` : values;
    }
    const parts = alternatives(schema);
    if (parts) {
      const single = parts.filter((/** @type {Schema} */ part) => part.type !== 'null').length === 1;
      return union(
        parts.map((/** @type {Schema} */ part, /** @type {number} */ index) =>
          typeOf(part, single ? name : `${name}${index + 1}`),
        ),
      );
    }
    if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, `${name}Item`)}]`;
    // The class gets another name when a schema of the document already has this name.
    if (schema.type === 'object' && schema.properties) return define(schema, own.has(name) ? `${name}Part` : name);
    if (schema.type === 'object')
      return `Dict[str, ${typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, `${name}Value`) : 'Any'}]`;
    return PLAIN[schema.type] ?? 'Any';
  }

  /** @param {Schema} schema @param {string} name */
  function define(schema, name) {
    if (names.has(name)) throw new Error(`The model ${name} is there twice`);
    names.add(name);
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).flatMap(([property, member]) => {
      const field = pythonName(property);
      const type = typeOf(member, `${name}${pascal(property)}`);
      const isNeeded = required.has(property);
      const shown =
        isNeeded || type.startsWith('Optional[') || type === 'Any' || type === 'None' ? type : `Optional[${type}]`;
      const options = [
        ...(isNeeded ? [] : ['default=None']),
        ...(field === property ? [] : [`alias=${literal(property)}`]),
      ];
      const value = field === property ? (isNeeded ? '' : ' = None') : ` = Field(${options.join(', ')})`;
      const comment = member.description ? [`    #: ${inComment(member.description)}`] : [];
      return [...comment, `    ${field}: ${shown}${value}`];
    });
    const doc = schema.description
      ? [`    """${inComment(schema.description).replaceAll('\\', '\\\\').replaceAll('"', "'")}"""`, '']
      : [];
    classes.push([`class ${name}(_Record):`, ...doc, ...(fields.length > 0 ? fields : ['    pass'])].join('\n'));
    return name;
  }

  const aliases = [];
  for (const [key, schema] of Object.entries(schemas)) {
    if (/\.(query|body|fields|item)$/.test(key)) continue;
    const name = modelName(key);
    const type = schema.type === 'object' && schema.properties ? define(schema, name) : typeOf(schema, name);
    if (type !== name) aliases.push(`${name} = ${type}`);
  }
  return [
    HEAD,
    'from typing import Any, Dict, List, Literal, Optional, Union\n\n',
    'from pydantic import Field\n\n',
    'from .._model import Model as _Record, rebuild\n\n\n',
    `${classes.join('\n\n\n')}\n\n\n`,
    ...(aliases.length > 0 ? [`${aliases.join('\n')}\n\n`] : []),
    'rebuild(globals())\n',
  ].join('');
}

/** @param {string} key */
const modelName = (key) => key.split('.').map(pascal).join('');

/**
 * Returns the name by which the sources of resources refer to a service's model.
 *
 * @param {string} service
 * @param {string} id
 * @param {string} part
 * @param {Schema} schema
 */
const modelOf = (service, id, part, schema) =>
  `${service}.${schema?.$ref ? schema.$ref.split('/').at(-1) : modelName(`${id}.${part}`)}`;

/** Returns the type of an argument for a value of this schema. @param {Schema} schema @param {string} service @returns {string} */
function argumentType(schema, service) {
  if (schema.$ref) return `Union[${service}.${schema.$ref.split('/').at(-1)}, Mapping[str, Any]]`;
  if ('const' in schema) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const parts = alternatives(schema);
  if (parts) return union(parts.map((/** @type {Schema} */ part) => argumentType(part, service)));
  if (schema.type === 'array') return `Sequence[${argumentType(schema.items ?? {}, service)}]`;
  return schema.type === 'object' ? 'Mapping[str, Any]' : (PLAIN[schema.type] ?? 'Any');
}

/** Returns the type of the records of a list. @param {string} service @param {Schema} schemas @param {string} id @param {Schema} answer */
function recordType(service, schemas, id, answer) {
  const item = itemOf(schemas, answer);
  if (!item) return 'Any';
  if (item.$ref) return `${service}.${item.$ref.split('/').at(-1)}`;
  if (item.type !== 'object' || !item.properties) return 'Any';
  const whole = answer.$ref ? schemas[answer.$ref.split('/').at(-1)] : answer;
  const page = modelOf(service, id, 'answer', answer);
  if (whole.type === 'array') return `${page}Item`;
  const [property = ''] = Object.entries(whole.properties).find(([, { type }]) => type === 'array') ?? [];
  return `${page}${pascal(property)}Item`;
}

/** @typedef {{ wire: string, name: string, type: string, needed: boolean }} Argument */

/** @param {Schema} schema @param {string} service @param {readonly string[]} without @returns {Argument[]} */
function argumentsOf(schema, service, without = []) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([wire, member]) =>
    without.includes(wire)
      ? []
      : [{ wire, name: pythonName(wire), type: argumentType(member, service), needed: required.has(wire) }],
  );
}

/** @param {readonly Argument[]} values */
const mapping = (values) => `given({${values.map(({ wire, name }) => `${literal(wire)}: ${name}`).join(', ')}})`;

/** @param {import('./sdk-operations.mjs').SdkOperation} entry @param {boolean} isAsync */
function methodSource({ service, method, path, operation, name }, isAsync) {
  const { operationId: id, requestBody, summary, description, schemas } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const template =
    inPath.length === 0
      ? literal(path)
      : `f"${path.replaceAll(/\{(\w+)\}/g, (_all, parameter) => `{segment('${parameter}', ${pythonName(parameter)})}`)}"`;
  const keyed = operation.parameters.some((/** @type {any} */ parameter) => parameter.name === 'Idempotency-Key');
  const answer = answerOf(operation);
  const json = answer.content?.['application/json'];
  const stream = operation.responses[200]?.content?.['text/event-stream'];
  const bodyType = requestBody && Object.keys(requestBody.content)[0];
  const parts = [literal(service), literal(method), template];
  /** @type {string[]} */
  const first = inPath.map((parameter) => `${pythonName(parameter)}: Union[str, int]`);
  /** @type {Argument[]} */
  let values = [];
  /** @type {string[]} */
  let streamedBody = [];
  if (bodyType === 'application/json') {
    const { schema } = requestBody.content[bodyType];
    const whole = schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema;
    // The argument `stream` is left out, because the method decides whether an answer streams.
    values = argumentsOf(whole, service, stream ? ['stream'] : []);
    if (!requestBody.required) values = values.map((value) => ({ ...value, needed: false }));
    parts.push(`body=${mapping(values)}`);
    streamedBody = [`body={**${mapping(values)}, "stream": True}`];
  } else if (bodyType === 'multipart/form-data') {
    const { schema } = requestBody.content[bodyType];
    values = argumentsOf(schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema, service, ['file']);
    first.push('file: FileContent');
    parts.push(`file=(file, ${mapping(values)})`);
  } else if (bodyType) {
    first.push('text: str');
    parts.push('text=text', `content_type=${literal(bodyType)}`);
  }
  const query = queryOf(operation)
    // A parameter that both the query and the body have becomes one argument, which is sent in the body.
    .filter((/** @type {any} */ { name: wire }) => wire !== 'stream' && !values.some((value) => value.wire === wire))
    .map((/** @type {any} */ parameter) => ({
      wire: parameter.name,
      name: pythonName(parameter.name),
      type: argumentType(parameter.schema, service),
      needed: parameter.required === true,
    }));
  if (query.length > 0) parts.push(`query=${mapping(query)}`);
  if (keyed) parts.push('keyed=True');
  const named = [...values, ...query].toSorted((a, b) => Number(b.needed) - Number(a.needed));
  const all = [...inPath.map(pythonName), ...named.map((one) => one.name)];
  if (new Set(all).size < all.length)
    throw new Error(`${service}.${id} has two arguments of one name: ${all.join(', ')}`);
  const keywords = [
    ...named.map(({ name: keyword, type, needed }) =>
      needed ? `${keyword}: ${type}` : `${keyword}: Union[${type}, NotGiven] = NOT_GIVEN`,
    ),
    'options: Optional[RequestOptions] = None',
  ];
  const args = ['self', ...first, '*', ...keywords].map((one) => `        ${one},\n`).join('');
  const doc = `        """${inComment(`${summary}. ${description}`).replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""\n`;
  const call = (/** @type {string[]} */ given) => `Call(${[...given, 'options=options'].join(', ')})`;
  const python = snake(name) in { import: 1 } ? `${snake(name)}_` : snake(name);
  /** @param {string} of @param {string} type @param {string} work @param {boolean} waits */
  const define = (of, type, work, waits) =>
    `    ${isAsync && waits ? 'async ' : ''}def ${of}(\n${args}    ) -> ${type}:\n${doc}        return ${isAsync && waits ? 'await ' : ''}${work}`;
  /** @type {string[]} */
  const methods = [];
  const page = json && modelOf(service, id, 'answer', json.schema);
  const paging = pagingOf(
    query.map((/** @type {Argument} */ { wire }) => ({ name: wire })),
    json,
  );
  const kind = isAsync ? 'Async' : '';
  if (paging)
    methods.push(
      define(
        python,
        `${kind}Pages[${recordType(service, schemas, id, json.schema)}, ${page}]`,
        `self._sender.pages(${call(parts)}, ${literal(paging)}, ${page})`,
        false,
      ),
    );
  else if (answer.content?.['*/*'])
    methods.push(define(python, `${kind}Download`, `self._sender.download(${call(parts)})`, true));
  else if (json) methods.push(define(python, page, `self._sender.json(${call(parts)}, ${page})`, true));
  else if (answer.content && !stream) methods.push(define(python, 'str', `self._sender.text(${call(parts)})`, true));
  else if (!stream) methods.push(define(python, 'None', `self._sender.nothing(${call(parts)})`, true));
  if (stream) {
    const { ends, resumable = false } = STREAMS[`${service}.${id}`] ?? {};
    if (!ends) throw new Error(`The last event of the stream ${service}.${id} is not known`);
    const events = Object.keys(stream['x-events'] ?? {}).filter((event) => event !== 'error');
    const other = `${service}.${modelName(`${id}.event`)}`;
    const kinds = events.map((event) => `${literal(event)}: ${service}.${modelName(`${id}.${event}`)}`);
    const type =
      events.length > 0
        ? union(
            events.map((event) => `StreamEvent[Literal[${literal(event)}], ${service}.${modelName(`${id}.${event}`)}]`),
          )
        : `StreamEvent[str, ${other}]`;
    const sent =
      events.length === 0 && streamedBody.length > 0
        ? parts.map((part) => (part.startsWith('body=') ? (streamedBody[0] ?? '') : part))
        : parts;
    const inQuery = queryOf(operation).some((/** @type {any} */ parameter) => parameter.name === 'stream');
    const asked = inQuery
      ? sent.some((part) => part.startsWith('query='))
        ? sent.map((part) =>
            part.startsWith('query=') ? `query={**${part.slice('query='.length)}, "stream": True}` : part,
          )
        : [...sent, 'query={"stream": True}']
      : sent;
    methods.push(
      define(
        json ? `${python}_stream` : python,
        `${kind}Iterator[${type}]`,
        `self._sender.events(${call(asked)}, {${kinds.join(', ')}}, ${events.length > 0 ? 'None' : other}, ${JSON.stringify(ends)}, ${resumable ? 'True' : 'False'})`,
        false,
      ),
    );
  }
  return methods;
}

/** @param {Map<string, import('./sdk-operations.mjs').SdkOperation[]>} resources @param {boolean} isAsync */
function resourceSource(resources, isAsync) {
  const kind = isAsync ? 'Async' : '';
  const names = [...resources.keys()];
  const classes = names.map((resource) => {
    const methods = (resources.get(resource) ?? []).flatMap((entry) => methodSource(entry, isAsync));
    return `class ${kind}${capital(resource)}Resource:\n    def __init__(self, sender: ${kind}Sender) -> None:\n        self._sender = sender\n\n${methods.join('\n\n')}`;
  });
  return [
    HEAD,
    `from typing import Any, ${isAsync ? 'AsyncIterator' : 'Iterator'}, Literal, Mapping, Optional, Sequence, TYPE_CHECKING, Union\n\n`,
    'from .._call import Call, FileContent, RequestOptions, given, segment\n',
    'from .._model import NOT_GIVEN, NotGiven, StreamEvent\n',
    `from .._pages import ${kind}Pages\n`,
    'from . import platform, prompt, runtime\n\n',
    `if TYPE_CHECKING:\n    from .._send import ${kind}Download, ${kind}Sender\n\n\n`,
    `${classes.join('\n\n\n')}\n\n\n`,
    `class ${kind}Resources:\n    """Every resource of an installation."""\n\n    def __init__(self, sender: ${kind}Sender) -> None:\n`,
    names.map((resource) => `        self.${snake(resource)} = ${kind}${capital(resource)}Resource(sender)\n`).join(''),
  ].join('');
}

/**
 * Returns the generated sources of the Python package: the models of each service, and the resources of both clients.
 *
 * @returns {{ file: string, expected: string }[]}
 */
export function pythonSdkSources() {
  const { schemas, resources } = sdkOperations();
  const sources = [
    ...[...schemas].map(([service, members]) => ({ name: `${service}.py`, text: modelSource(members) })),
    { name: 'resources.py', text: resourceSource(resources, false) },
    { name: 'async_resources.py', text: resourceSource(resources, true) },
  ];
  return sources.map(({ name, text }) => ({
    file: join(root, 'libs/sdk-python/src/millwright/generated', name),
    expected: text,
  }));
}
