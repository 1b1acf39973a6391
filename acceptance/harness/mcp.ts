import { callers, type Reachable } from './calls.js';
import { until } from './until.js';

/** Registers an MCP server as an administrator does, and waits for its first probe. @returns its endpoint at the runtime API */
export async function registerMcpServer(platform: Reachable, name: string, url: string): Promise<string> {
  const { platform: call } = callers(platform);
  const { status, body } = await call<{ id: string; slug: string }>('/mcp/servers', { body: { name, url } });
  if (status !== 201) throw new Error(`registering ${name} was answered ${status}: ${JSON.stringify(body)}`);
  await until(async () => {
    const seen = await call<{ status: string; last_seen_at: string | null }>(`/mcp/servers/${body.id}`);
    return seen.body.status === 'active' && seen.body.last_seen_at !== null ? seen : undefined;
  });
  return `${platform.runtimeUrl}/api/v1/mcp/${body.slug}/mcp`;
}
