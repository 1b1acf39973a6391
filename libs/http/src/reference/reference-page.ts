import { createHash } from 'node:crypto';
import { AppError, catalogue, renderers, type Area, type ErrorCode } from '@millwright/errors';
import { curlExample } from './curl.js';
import {
  credentialHeader,
  endpointsByTag,
  resolve,
  type ApiDocument,
  type Content,
  type Endpoint,
  type Operation,
  type Security,
} from './document.js';
import { fieldsOf, limitsOf, typeOf, type Field } from './fields.js';
import { join, markup, raw, type Markup } from './markup.js';
import { inlineSchemas } from '../openapi/schema.js';
import { STYLE } from './style.js';

/** Policy of a page that has no scripts, sends no further requests and is not shown in frames. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Makes the readable reference of a service from its OpenAPI document alone. */
export function referencePage(openApi: object, area: Area): string {
  const document = inlineSchemas(openApi) as ApiDocument;
  const { info } = document;
  const tags = [...endpointsByTag(document)];
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title><style>${raw(STYLE)}</style>
</head>
<body><a class="skip" href="#main">Skip to the endpoints</a>
<div class="page">
${navigation(tags)}
<main id="main">
<h1>${info.title}</h1>
<p class="soft">${info.description} Version ${info.version}. For programs: <a href="openapi.json">openapi.json</a></p>
${introduction(document)}
${join(tags.map(([tag, endpoints]) => section(document, tag, endpoints)))}
${errors(area)}
</main>
</div></body>
</html>
`.text;
}

const tagId = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

function navigation(tags: readonly (readonly [string, readonly Endpoint[]])[]): Markup {
  const link = ({ method, operation: { operationId, summary } }: Endpoint) =>
    markup`<li><a href="#${operationId}"><span class="method ${method}">${method}</span><span>${summary}</span></a></li>`;
  const group = ([tag, endpoints]: readonly [string, readonly Endpoint[]]) =>
    markup`<h2><a href="#${tagId(tag)}">${tag}</a></h2><ul class="plain">${join(endpoints.map(link))}</ul>`;
  return markup`<nav aria-label="Endpoints">${join(tags.map(group))}<h2><a href="#errors">Errors</a></h2></nav>`;
}

function introduction({ servers, components }: ApiDocument): Markup {
  const rows = [
    row('Base address', '', servers[0]?.url ?? ''),
    ...Object.entries(components.securitySchemes).map(([name, scheme]) =>
      row(name === 'credential' ? 'Credential' : name, '', credential(scheme)),
    ),
    ...Object.entries(components.headers).map(([name, { description }]) => row(name, 'in answers', description)),
    ...Object.values(components.parameters).map(({ name, description = '' }) => row(name, 'in requests', description)),
  ];
  return markup`<section class="card" aria-labelledby="basics"><h2 id="basics">Every call</h2>
<dl class="fields">${join(rows)}</dl></section>`;
}

function credential(security: Security): string {
  const header = credentialHeader(security, '<credential>');
  return security.description ? `${header} (${security.description})` : header;
}

function row(name: string, where: string, text: string): Markup {
  return markup`<div><dt><b>${name}</b> <span class="soft">${where}</span></dt><dd>${text}</dd></div>`;
}

function section(document: ApiDocument, tag: string, endpoints: readonly Endpoint[]): Markup {
  return markup`<section aria-labelledby="${tagId(tag)}"><h2 id="${tagId(tag)}">${tag}</h2>
${join(endpoints.map((endpoint) => article(document, endpoint)))}
</section>`;
}

function article(document: ApiDocument, endpoint: Endpoint): Markup {
  const { method, path, operation } = endpoint;
  const { operationId, summary, requestBody, responses } = operation;
  return markup`<article id="${operationId}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="call"><span class="method ${method}">${method}</span> <code>${path}</code></p>
<p>${operation.description ?? ''}</p>
${facts(endpoint)}
${parameterList(document, endpoint)}
${bodyFields(requestBody?.content)}
<h4>Answers</h4>
<dl class="fields">${join(Object.entries(responses).map(([status, response]) => answer(document, status, response)))}</dl>
<h4>Example</h4>
<pre><code>${curlExample(document, endpoint)}</code></pre>
</article>`;
}

const fact = (name: string, value: Markup) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;

function accessFact(operation: Operation): Markup {
  const { security, 'x-required-scope': scope, 'x-alternative-scope': other, 'x-required-role': role } = operation;
  if (scope !== undefined && other !== undefined)
    return fact('Scope', markup`<code>${scope}</code> or <code>${other}</code>`);
  if (scope !== undefined) return fact('Scope', markup`<code>${scope}</code>`);
  if (security.length === 0) return fact('Scope', markup`none: public`);
  const proof = operation['x-requires-fresh-proof'] ? ', with a recent proof by passkey' : '';
  if (role !== undefined) return fact('Role', markup`<code>${[role].flat().join(' or ')}</code>${proof}`);
  return fact('Access', markup`any signed-in user${proof}`);
}

function facts({ operation }: Endpoint): Markup {
  const limit = operation['x-rate-limit'];
  return markup`<dl class="facts">${join([
    fact('Operation', markup`<code>${operation.operationId}</code>`),
    accessFact(operation),
    ...(limit === undefined ? [] : [fact('Limit', markup`${limit}`)]),
  ])}</dl>`;
}

function parameterList(document: ApiDocument, { operation }: Endpoint): Markup {
  if (operation.parameters.length === 0) return raw('');
  const fields = operation.parameters
    .map((parameter) => resolve(document, parameter))
    .map(({ name, in: place, required = false, description = '', schema = {} }) => {
      return { name, type: `${typeOf(schema)} in ${place}`, required, limits: limitsOf(schema), description };
    });
  return markup`<h4>Parameters</h4>${fieldList(fields)}`;
}

function bodyFields(content: Content | undefined): Markup {
  const [body] = Object.entries(content ?? {});
  if (!body) return raw('');
  const [type, { schema = {} }] = body;
  const fields = fieldsOf(schema);
  const shown = fields.length > 0 ? fieldList(fields) : markup`<p class="soft">${typeOf(schema)}</p>`;
  return markup`<h4>Body <span class="soft">${type}</span></h4>${shown}`;
}

type Response = Endpoint['operation']['responses'][string];

/**
 * One response. A failure is shown with its error codes, which the end of the page explains; a success is shown with
 * its fields.
 */
function answer(document: ApiDocument, status: string, { description, content }: Response): Markup {
  const failed = Number(status) >= 400;
  const codes = description.split(' or ').map((code) => markup`<code>${code}</code>`);
  const text = failed
    ? join(codes, ' or ')
    : markup`${description}${answerBody(document, content)}${eventStream(content)}`;
  return markup`<div><dt><b>${status}</b></dt><dd>${text}</dd></div>`;
}

function answerBody(document: ApiDocument, content: Content | undefined): Markup {
  const [body] = Object.entries(content ?? {});
  if (!body) return raw('');
  const [type, { schema = {} }] = body;
  const whole = resolve(document, schema);
  const fields = whole.items ? fieldsOf(whole.items, '[].') : fieldsOf(whole);
  if (fields.length === 0) return markup`, as ${type}`;
  return markup`<details class="more"><summary>${typeOf(whole)} of ${fields.length} fields</summary>${fieldList(fields)}</details>`;
}

function eventStream(content: Content = {}): Markup {
  const stream = content['text/event-stream']?.schema;
  return stream ? markup`<p class="soft">Also as text/event-stream. ${stream.description ?? ''}</p>` : raw('');
}

const meaning = (description: string) =>
  description === '' ? raw('') : markup`<br><span class="soft">${description}</span>`;

function fieldList(fields: readonly Field[]): Markup {
  const item = ({ name, type, required, limits, description }: Field) => {
    const due = required ? markup` <span class="required">required</span>` : '';
    const bounds = limits.length > 0 ? ` · ${limits.join(' · ')}` : '';
    return markup`<div><dt><code>${name}</code>${due}</dt><dd><b>${type}</b>${bounds}${meaning(description)}</dd></div>`;
  };
  return markup`<dl class="fields">${join(fields.map(item))}</dl>`;
}

/** The section that lists every error code, with the error body in the form of this service. */
function errors(area: Area): Markup {
  const rows = (Object.keys(catalogue) as ErrorCode[]).map((code) => {
    const { status, body } = renderers[area](new AppError(code));
    const { error } = body as { error: { code: string } };
    return markup`<div><dt><b>${status}</b> <code>${error.code}</code></dt><dd>${catalogue[code].message}</dd></div>`;
  });
  const { body } = renderers[area](new AppError('not_found'));
  return markup`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<div class="card"><p>Every failure has this shape:</p><pre><code>${JSON.stringify(body, null, 2)}</code></pre>
<dl class="fields">${join(rows)}</dl></div></section>`;
}
