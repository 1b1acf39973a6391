import { inSpan, telemetryEvents, type TraceSpan, type UpstreamKind } from '@millwright/telemetry';
import { EgressError } from './egress-error.js';

/**
 * Records one outbound call. A span has method, host and port, but not path and query, which may contain secrets, for example of a webhook.
 * When `kind` is set, the outcome is also counted for metrics. The recorded call ends when its answer starts.
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
