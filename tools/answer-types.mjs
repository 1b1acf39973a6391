// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { root } from './workspace.mjs';

export const SERVICES = /** @type {const} */ (['admin', 'platform', 'runtime', 'prompt']);

/**
 * Makes the console's types of one service's answers from docs/openapi/<service>.json. The result is an interface with one member for each
 * operation that answers JSON, one for each event of an operation that streams (such as `sendMessage.tool.call`), and one for each named schema
 * in these answers and events.
 *
 * @param {(typeof SERVICES)[number]} service
 * @returns {Promise<{ file: string, expected: string }>}
 */
export async function answerTypes(service) {
  const document = JSON.parse(readFileSync(join(root, `docs/openapi/${service}.json`), 'utf8'));
  const file = join(root, `apps/console/src/api/answers/${service}.ts`);
  const name = `${service[0]?.toUpperCase()}${service.slice(1)}Answers`;
  const members = await schemaMembers(withComponents(answersOf(document), document.components.schemas));
  const source = [
    `/** Generated from docs/openapi/${service}.json by \`npm run openapi\`: do not edit. */`,
    printInterface(name, members).replaceAll('components["schemas"]', name),
  ];
  return { file, expected: await format(source.join('\n'), { ...(await resolveConfig(file)), filepath: file }) };
}

/** @param {{ paths: Record<string, Record<string, any>> }} document @returns {Record<string, object>} schemas by name */
function answersOf({ paths }) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return Object.fromEntries(
    operations.flatMap(({ operationId, responses }) => {
      const status = Object.keys(responses).find((code) => code.startsWith('2'));
      const content = responses[status ?? '']?.content ?? {};
      const { schema } = content['application/json'] ?? {};
      const events = Object.entries(content['text/event-stream']?.['x-events'] ?? {});
      return [
        ...(schema ? [[operationId, schema]] : []),
        ...events.map(([event, data]) => [`${operationId}.${event}`, data]),
      ];
    }),
  );
}

/**
 * Adds the named schemas to which the answers refer, directly and through other schemas.
 *
 * @param {Record<string, object>} answers
 * @param {Record<string, object>} components
 * @returns {Record<string, object>}
 */
function withComponents(answers, components) {
  /** @type {Record<string, object>} */
  const used = {};
  /** @param {object} part */
  const visit = (part) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const component = components[name];
      if (component === undefined || name in used) continue;
      used[name] = component;
      visit(component);
    }
  };
  visit(answers);
  return { ...answers, ...used };
}

/**
 * Makes the TypeScript types of schemas.
 *
 * @param {Record<string, any>} schemas
 * @param {boolean} [sent] whether clients send values of these types: a field with a default is then optional
 */
export async function schemaMembers(schemas, sent = false) {
  const document = { openapi: '3.1.1', info: { title: '', version: '' }, components: { schemas } };
  const nodes = await openapiTS(document, { defaultNonNullable: !sent });
  const components = /** @type {ts.InterfaceDeclaration} */ (nodes.find((node) => nameOf(node) === 'components'));
  const member = /** @type {ts.PropertySignature} */ (components.members.find((node) => nameOf(node) === 'schemas'));
  return /** @type {ts.TypeLiteralNode} */ (member.type).members;
}

/** @param {ts.Node & { name?: ts.PropertyName }} node */
const nameOf = (node) => node.name && ts.isIdentifier(node.name) && node.name.text;

/** @param {string} name @param {ts.NodeArray<ts.TypeElement>} members @param {boolean} [commented] */
export function printInterface(name, members, commented = false) {
  const exported = [ts.factory.createToken(ts.SyntaxKind.ExportKeyword)];
  const declaration = ts.factory.createInterfaceDeclaration(exported, name, undefined, undefined, members);
  const printer = ts.createPrinter({ removeComments: !commented });
  return printer.printNode(ts.EmitHint.Unspecified, declaration, ts.createSourceFile('', '', ts.ScriptTarget.Latest));
}
