import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.js';

/** A span as a collector receives it. */
export interface CollectedSpan {
  /** The service's name, `service.name` of its resource. */
  service: string;
  name: string;
  /** Kind in OTLP's numbers: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
  failed: boolean;
}

export interface TraceCollector {
  url: string;
  readonly spans: readonly CollectedSpan[];
  /** The headers of each export. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** Returns every byte that was exported. */
  written(): string;
  /** Sets the status with which exports are answered from now on. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown> & { arrayValue?: { values?: Record<string, unknown>[] } };
}
interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Pick<CollectedSpan, 'name' | 'kind' | 'traceId' | 'spanId'> & {
        parentSpanId?: string;
        attributes?: Attribute[];
        status?: { code?: number };
      })[];
    }[];
  }[];
}

/** An OpenTelemetry collector that stores the traces it receives: OTLP/HTTP in JSON, `POST /v1/traces`. */
export async function createTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const bodies: string[] = [];
  let status = 200;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await buffer(request)).toString();
    const isExport = request.method === 'POST' && request.url === '/v1/traces';
    response.writeHead(isExport ? status : 404, { 'content-type': 'application/json' }).end('{}');
    if (!isExport) return;
    headers.push(request.headers);
    bodies.push(body);
    if (status === 200) spans.push(...spansOf(JSON.parse(body) as Export));
  }

  const server = await listen((request, response) => void receive(request, response));
  return {
    url: server.url,
    spans,
    headers,
    written: () => bodies.join('\n'),
    answerWith(next) {
      status = next;
    },
    close: () => server.close(),
  };
}

function spansOf({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ name, kind, traceId, spanId, parentSpanId, attributes = [], status }) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        ...{ name, kind, traceId, spanId, attributes: valuesOf(attributes), failed: status?.code === 2 },
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
      })),
  );
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

/** Reads the value of an attribute, such as `{"stringValue": "x"}`, `{"intValue": 3}` or `{"arrayValue": {"values": […]}}`. */
function valueOf(value: Attribute['value']): unknown {
  if (value.arrayValue) return (value.arrayValue.values ?? []).map((item) => Object.values(item)[0]);
  return Object.values(value)[0];
}
