import { inSpan, telemetryEvents, type TraceSpan, type UpstreamKind } from '@millwright/telemetry';
import { EgressError } from './egress-error.js';

/**
 * Records one outbound call: a span with method, host and port (a path or query may be a secret, for example of a webhook), and with
 * a `kind` the outcome, for metrics. The recorded call ends at the start of its answer.
 */
export async function observeCall<Answer extends { status: number }>(
  input: string | URL,
  init: RequestInit,
  kind: UpstreamKind | undefined,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const startedAt = performance.now();
  const tell = (outcome: string) => {
    if (kind) telemetryEvents.upstreamCall.record({ kind, outcome, seconds: (performance.now() - startedAt) / 1_000 });
  };
  const method = init.method?.toUpperCase() ?? 'GET';
  return inSpan(method, { kind: 'client', attributes: { 'http.request.method': method } }, async (span) => {
    if (span.recording) describe(span, input);
    try {
      const response = await call();
      span.set({ 'http.response.status_code': response.status });
      if (response.status >= 400) span.fail(String(response.status));
      tell(response.status >= 500 ? 'failed' : 'answered');
      return response;
    } catch (error) {
      tell(error instanceof EgressError ? error.kind : init.signal?.aborted ? 'aborted' : 'network');
      throw error;
    }
  });
}

function describe(span: TraceSpan, input: string | URL): void {
  if (!URL.canParse(String(input))) return;
  const { hostname, port, protocol } = new URL(input);
  span.set({ 'server.address': hostname, 'server.port': Number(port || (protocol === 'https:' ? 443 : 80)) });
}
