import { Ajv2020 } from 'ajv/dist/2020.js';
import { descriptionFaults } from './description-faults.js';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: object;
}
interface Content {
  content?: Record<string, { schema?: object; example?: unknown }>;
}
interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses?: Record<string, Content & { description?: string }>;
  security?: Record<string, string[]>[];
}
interface Document {
  openapi?: string;
  info?: { title?: string; version?: string };
  servers?: { url: string }[];
  paths?: Record<string, Record<string, Operation>>;
  components?: { securitySchemes?: Record<string, { type?: string }> };
}

/** The document with every reference replaced by its component. */
function resolved(document: object): { document: Document; faults: string[] } {
  const components =
    (document as { components?: Record<string, Record<string, unknown> | undefined> }).components ?? {};
  const faults: string[] = [];
  const text = JSON.stringify(document, (_name, value: unknown) => {
    const reference = (value as { $ref?: unknown } | null)?.$ref;
    const [, kind = '', name = ''] =
      typeof reference === 'string' ? (/^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? []) : [];
    if (kind === '') return value;
    const component = components[kind]?.[name];
    if (component === undefined) faults.push(`${kind}/${name} does not exist`);
    // A description that stands beside a reference overrides the description of the component.
    const own = { ...(value as Record<string, unknown>) };
    delete own['$ref'];
    return component === undefined ? undefined : { ...(component as object), ...own };
  });
  return { document: JSON.parse(text) as Document, faults };
}

/** Returns every place where a document is not a valid OpenAPI 3.1 description. The list is empty when the document has no faults. */
export function openApiFaults(document: object): string[] {
  const { document: whole, faults } = resolved(document);
  if (faults.length > 0) return faults;
  const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false });
  const { openapi = '', info = {}, servers = [], paths = {}, components = {} } = whole;
  if (!/^3\.1\.\d+$/.test(openapi)) faults.push(`openapi is ${openapi}`);
  if (!info.title || !info.version) faults.push('info lacks a title or a version');
  if (servers.length === 0 || !servers.every(({ url }) => URL.canParse(url)))
    faults.push('servers are not absolute URLs');
  const schemes = Object.keys(components.securitySchemes ?? {});
  const operationIds: (string | undefined)[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      operationIds.push(operation.operationId);
      faults.push(...operationFaults(ajv, path, operation, schemes).map((fault) => `${method} ${path}: ${fault}`));
    }
  }
  if (operationIds.length === 0) faults.push('there are no operations');
  if (new Set(operationIds).size !== operationIds.length || operationIds.includes(undefined))
    faults.push('operationIds are not unique');
  return [...faults, ...descriptionFaults(whole)];
}

function operationFaults(ajv: Ajv2020, path: string, operation: Operation, schemes: readonly string[]): string[] {
  const { parameters = [], requestBody, responses = {}, security = [] } = operation;
  const faults: string[] = [];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const declared = parameters
    .filter((parameter) => parameter.in === 'path' && parameter.required)
    .map(({ name }) => name);
  if (inPath.toSorted().join() !== declared.toSorted().join())
    faults.push(`path parameters ${inPath.join()} are declared as ${declared.join()}`);
  if (new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size !== parameters.length)
    faults.push('a parameter is declared twice');
  if (Object.keys(responses).length === 0) faults.push('has no responses');
  for (const [status, { description }] of Object.entries(responses)) {
    if (!/^[1-5]\d\d$/.test(status) || description === undefined)
      faults.push(`response ${status} lacks a status or a description`);
  }
  if (security.some((requirement) => Object.keys(requirement).some((name) => !schemes.includes(name))))
    faults.push('unknown security scheme');
  const bodies = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}));
  for (const { schema, example } of bodies) faults.push(...schemaFaults(ajv, schema, example));
  for (const { schema } of parameters) faults.push(...schemaFaults(ajv, schema));
  return faults;
}

/** Checks that schemas are valid JSON Schema 2020-12, as OpenAPI 3.1 requires, and that they accept their examples. */
function schemaFaults(ajv: Ajv2020, schema: object | undefined, example?: unknown): string[] {
  if (!schema) return ['a schema is missing'];
  try {
    const validate = ajv.compile(schema);
    if (example === undefined || validate(example)) return [];
    return [`its example is refused: ${ajv.errorsText(validate.errors)}`];
  } catch (error) {
    return [String(error)];
  }
}
