import type { ApiDocument, Endpoint, Schema } from './document.js';
import { credentialHeader, resolve, securityOf } from './document.js';
import { exampleOf } from './fields.js';

/**
 * A shell command that calls the endpoint with the smallest request. Shell variables stand for values that only the
 * reader has.
 */
export function curlExample(document: ApiDocument, { method, path, operation }: Endpoint): string {
  const url = `${document.servers[0]?.url ?? ''}${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => `$${name.toUpperCase()}`)}`;
  const required = operation.parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, schema = {} }) => `${name}=${encodeURIComponent(String(exampleOf(schema)))}`);
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "${url}${required.length > 0 ? `?${required.join('&')}` : ''}"`,
    ...(operation.security.length > 0
      ? [`-H "${credentialHeader(securityOf(document, operation), '$CREDENTIAL')}"`]
      : []),
    ...bodyLines(operation.requestBody?.content ?? {}),
  ];
  return lines.join(' \\\n  ');
}

function bodyLines(content: Record<string, { schema?: Schema }>): string[] {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content);
  if (type === '') return [];
  if (type.endsWith('json'))
    return [
      `-H "Content-Type: ${type}"`,
      `-d '${JSON.stringify(exampleOf(schema)).replaceAll("'", String.raw`'\''`)}'`,
    ];
  if (type === 'multipart/form-data')
    return Object.entries(schema.properties ?? {}).map(([name, { format }]) =>
      format === 'binary' ? `-F "${name}=@file"` : `-F "${name}=text"`,
    );
  return [`-H "Content-Type: ${type}"`, '--data-binary @file'];
}
