import {
  curlExample,
  endpointsByTag,
  fieldsOf,
  inlineSchemas,
  limitsOf,
  resolve,
  typeOf,
  type ApiDocument,
  type Content,
  type Endpoint,
  type Field,
} from '@millwright/http/reference';
import { anchorOf, type Page, type Section } from './page.js';

/** A service's document with the shell variable that contains its address in the examples. */
export interface ServiceDocument {
  name: string;
  title: string;
  address: string;
  openApi: object;
}

interface Tag {
  name: string;
  description?: string;
  externalDocs?: { description: string; url: string };
}

type Media = Record<string, { example?: unknown }>;

/** Makes the pages about a service: a list of its operations, and a page for each tag. */
export function referenceSection({ name, title, address, openApi }: ServiceDocument): Section {
  const document = inlineSchemas(openApi) as ApiDocument & { tags?: Tag[] };
  document.servers = [{ url: address }];
  const byTag = [...endpointsByTag(document)];
  const pages = byTag.map(([tag, endpoints]): Page => {
    const { description = '', externalDocs } = document.tags?.find((described) => described.name === tag) ?? {};
    const standard = externalDocs ? [`Standard: [${externalDocs.description}](${externalDocs.url})`] : [];
    const texts = endpoints.map((endpoint) => operationText(document, endpoint));
    return { address: pageOf(name, tag), title: tag, markdown: [description, ...standard, ...texts].join('\n\n') };
  });
  const lists = byTag.map(([tag, endpoints]) => {
    const rows = endpoints.map(
      ({ method, path, operation }) =>
        `| [${operation.summary}](/docs/${pageOf(name, tag)}#${anchorOf(operation.summary)}) | \`${method} ${path}\` |`,
    );
    return `## ${tag}\n\n| Operation | Request |\n|---|---|\n${rows.join('\n')}`;
  });
  const first: Page = {
    address: `reference/${name}`,
    title,
    markdown: [document.info.description, everyCall(document), ...lists].join('\n\n'),
  };
  return { title, pages: [first, ...pages], isFolded: true };
}

const pageOf = (name: string, tag: string) => `reference/${name}/${anchorOf(tag)}`;

function everyCall({ components }: ApiDocument): string {
  const rows = [
    ...Object.entries(components.headers).map(
      ([name, { description }]) => `| \`${name}\` | answers | ${cell(description)} |`,
    ),
    ...Object.values(components.parameters).map(
      ({ name, description = '' }) => `| \`${name}\` | requests | ${cell(description)} |`,
    ),
  ];
  return `## Headers\n\n| Header | Of | Meaning |\n|---|---|---|\n${rows.join('\n')}`;
}

function operationText(document: ApiDocument, endpoint: Endpoint): string {
  const { method, path, operation } = endpoint;
  const parameters = operation.parameters
    .map((parameter) => resolve(document, parameter))
    .map(({ name, in: place, required = false, description = '', schema = {} }) => ({
      ...{ name, type: `${typeOf(schema)} in ${place}`, required, limits: limitsOf(schema), description },
    }));
  const [bodyType, { schema = {} } = {}] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const limit = operation['x-rate-limit'];
  return [
    `## ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description ?? '',
    ...(limit === undefined ? [] : [`Limit: ${limit}.`]),
    fieldTable('Parameters', parameters),
    bodyType === undefined ? '' : fieldTable(`Body (${bodyType})`, fieldsOf(schema)),
    `\`\`\`sh\n${curlExample(document, endpoint).replace('$CREDENTIAL', '$KEY')}\n\`\`\``,
    ...answerTexts(operation.responses),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Escapes a table cell: one line, in which `|` is text. */
const cell = (text: string) =>
  text
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('<', '&lt;');

function fieldTable(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, type, required, limits, description }) => {
    const kind = [required ? '**required**' : '', type, ...limits].filter((part) => part !== '').join(', ');
    return `| \`${name}\` | ${cell(kind)} | ${cell(description)} |`;
  });
  return `**${title}**\n\n| Field | Type | Meaning |\n|---|---|---|\n${rows.join('\n')}`;
}

type Responses = Endpoint['operation']['responses'];

function answerTexts(responses: Responses): string[] {
  const entries = Object.entries(responses);
  const successes = entries.filter(([status]) => Number(status) < 400);
  const failures = entries.filter(([status]) => Number(status) >= 400);
  const codes = failures.flatMap(([status, { description }]) =>
    description.split(' or ').map((code) => `${status} [\`${code}\`](/docs/errors/${code.toLowerCase()})`),
  );
  return [
    ...successes.flatMap(([status, { description, content }]) => [
      `**${status}** ${description}`,
      ...exampleOf(content),
    ]),
    ...(codes.length === 0 ? [] : [`Errors: ${codes.join(', ')}.`]),
  ];
}

function exampleOf(content: Content = {}): string[] {
  const { example } = (content as Media)['application/json'] ?? {};
  return example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``];
}
