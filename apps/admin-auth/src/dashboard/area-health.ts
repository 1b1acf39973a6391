import { request as open } from 'node:http';
import type { TokenArea } from '@millwright/auth';
import { createTargets, UpstreamAgent } from '@millwright/http/upstream';

export interface AreaHealth {
  area: TokenArea;
  /** `off`: not deployed. `silent`: no answer in time. */
  state: 'answers' | 'silent' | 'off';
  /** Milliseconds until the service answered. */
  ms: number | null;
}

export type AreaAddresses = Readonly<Record<TokenArea, { publicUrl: string; targets: readonly string[] }>>;

/** Public paths of the services. A request to such a path costs a service little. */
const PATHS: Readonly<Record<TokenArea, string>> = {
  platform: '/api/v1/openapi.json',
  runtime: '/health',
  prompt: '/v1/openapi.json',
};
const TIMEOUT_MS = 2_000;

/** Sends each service a request as a client would, and reports whether it answers. */
export function createAreaHealth(areas: AreaAddresses): () => Promise<AreaHealth[]> {
  const agent = new UpstreamAgent({
    platform: createTargets(areas.platform.targets),
    runtime: createTargets(areas.runtime.targets),
    prompt: createTargets(areas.prompt.targets),
  });

  async function healthOf(area: TokenArea): Promise<AreaHealth> {
    const { publicUrl, targets } = areas[area];
    if (targets.length === 0) return { area, state: 'off', ms: null };
    const startedAt = performance.now();
    const answers = await new Promise<boolean>((resolve) => {
      const headers = { host: new URL(publicUrl).host };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      open({ agent, host: area, method: 'HEAD', path: PATHS[area], headers, signal }, (answer) => {
        answer.resume();
        resolve((answer.statusCode ?? 500) < 500);
      })
        .on('error', () => resolve(false))
        .end();
    });
    return answers
      ? { area, state: 'answers', ms: Math.round(performance.now() - startedAt) }
      : { area, state: 'silent', ms: null };
  }

  return () => Promise.all([healthOf('platform'), healthOf('runtime'), healthOf('prompt')]);
}
