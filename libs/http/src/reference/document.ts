/** A JSON Schema in the form in which `openApiDocument` writes it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  default?: unknown;
  format?: string;
  pattern?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export type Content = Record<string, { schema?: Schema }>;

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: object[];
  'x-required-scope'?: string;
  /** Another scope that the endpoint accepts instead of the required scope. */
  'x-alternative-scope'?: string;
  'x-required-role'?: string;
  'x-requires-fresh-proof'?: boolean;
  'x-rate-limit'?: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface Security {
  type: string;
  scheme?: string;
  in?: string;
  name?: string;
  description?: string;
}

/** The parts of a service's OpenAPI document that the reference reads. */
export interface ApiDocument {
  info: { title: string; description: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: { credential: Security } & Record<string, Security>;
    schemas: Record<string, Schema>;
    headers: Record<string, { description: string }>;
    parameters: Record<string, Parameter>;
  };
}

/** Returns the component that a reference names. Any other value is returned unchanged. */
export function resolve<Part extends object>(document: ApiDocument, part: Part): Part {
  const { $ref: reference }: { $ref?: string } = part;
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(reference ?? '') ?? [];
  if (kind === undefined || name === undefined) return part;
  const components = document.components as unknown as Record<string, Record<string, Part>>;
  return components[kind]?.[name] ?? part;
}

export interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

/** The request header that carries the credential. */
export function credentialHeader({ type, name = '', in: place }: Security, secret: string): string {
  if (place === 'cookie') return `Cookie: ${name}=${secret}`;
  return type === 'apiKey' ? `${name}: ${secret}` : `Authorization: Bearer ${secret}`;
}

/** The scheme of the first credential that an operation accepts. */
export function securityOf({ components }: ApiDocument, { security }: Operation): Security {
  const [name = 'credential'] = security.flatMap((accepted) => Object.keys(accepted));
  return components.securitySchemes[name] ?? components.securitySchemes.credential;
}

/** Endpoints by tag, in the order of the document. */
export function endpointsByTag({ paths }: ApiDocument): Map<string, Endpoint[]> {
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return Map.groupBy(endpoints, ({ operation }) => operation.tags[0] ?? 'Other');
}
