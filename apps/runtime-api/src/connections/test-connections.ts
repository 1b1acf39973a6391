import { hashSecret, newOneTimeToken } from '@millwright/auth';
import { encodeId } from '@millwright/db';
import { createFakeAuthorizationServer, createFakeMcpServer } from '@millwright/testing';
import { RUNTIME_URL, type Replica, type TestRuntime, type TestUser } from '../test-runtime.js';
import type { SealedAuth } from '@millwright/mcp';

/** A browser that only follows redirects and stores cookies. Each step may be served by another process. */
export class TestBrowser {
  readonly #cookies = new Map<string, { value: string; path: string }>();
  private readonly runtime: TestRuntime;

  constructor(runtime: TestRuntime) {
    this.runtime = runtime;
  }

  /** Sends one request. A redirect is not followed. */
  async go(address: string, at: Replica = this.runtime): Promise<Response> {
    const url = new URL(address.startsWith(RUNTIME_URL) ? address.replace(RUNTIME_URL, at.url) : address);
    const isOurs = url.origin === new URL(at.url).origin;
    const sent = [...this.#cookies].filter(([, { path }]) => isOurs && url.pathname.startsWith(path));
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = '', path = '/'] = /^([^=]+)=([^;]*).*?Path=([^;]+)/i.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, { value, path });
    }
    return response;
  }

  /** Follows a user's connect address to the upstream's authorization server. @returns the address there, with its query */
  async toUpstream(serverId: string, user: TestUser, at: Replica = this.runtime): Promise<string> {
    const asked = await this.go(`${RUNTIME_URL}/connections/${serverId}`, at);
    const request = new URL(locationOf(asked)).searchParams.get('request') ?? '';
    const ticket = await this.consent(request, user);
    const back = await this.go(
      `${RUNTIME_URL}/oauth/authorize/return?${new URLSearchParams({ request, ticket }).toString()}`,
      at,
    );
    return locationOf(await this.go(locationOf(back), at));
  }

  /** Decides like admin-auth's consent page. An empty list of scopes denies the request. */
  async consent(request: string, user: TestUser, granted = ['mcp:call']): Promise<string> {
    const ticket = newOneTimeToken();
    await this.runtime.db.prisma.oAuthAuthorization.update({
      where: { request_hash: new Uint8Array(hashSecret(request)) },
      data: { user_id: user.id, granted, ticket_hash: new Uint8Array(hashSecret(ticket)), decided_at: new Date() },
    });
    return ticket;
  }

  /** Runs the whole flow. @returns the last page */
  async connect(serverId: string, user: TestUser): Promise<{ status: number; text: string }> {
    const there = await this.toUpstream(serverId, user);
    const back = await this.go(locationOf(await this.go(there)));
    return { status: back.status, text: await back.text() };
  }
}

/** Returns the target of a redirect. @throws Error when the answer is not a redirect */
export function locationOf(response: Response): string {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`no redirect but ${response.status}`);
  return location;
}

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } });

/**
 * Starts an MCP server that requires a token of each user, and the authorization server that issues these tokens. The MCP server names the
 * authorization server as the standard requires.
 */
export async function startUserUpstream(era: 'modern' | 'legacy' = 'modern') {
  const [mcp, as] = await Promise.all([
    createFakeMcpServer(era, [tool('add'), tool('sub')]),
    createFakeAuthorizationServer(),
  ]);
  const { origin } = new URL(mcp.url);
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const described = { resource: mcp.url, authorization_servers: [as.url], scopes_supported: ['tools'] };
  mcp.documents = { '/.well-known/oauth-protected-resource/mcp': described };
  mcp.challenge = ({ authorization }) =>
    as.userOf(authorization, mcp.url) === undefined ? `Bearer resource_metadata="${metadataUrl}"` : undefined;
  return { mcp, as, described, close: () => Promise.all([mcp.close(), as.close()]) };
}
export type UserUpstream = Awaited<ReturnType<typeof startUserUpstream>>;

/** Registers a server to which users connect their accounts. @returns its public id */
export async function registerForUsers(
  runtime: TestRuntime,
  { mcp }: Pick<UserUpstream, 'mcp'>,
  name: string,
  auth: Partial<SealedAuth> = {},
  project: string = 'Core',
): Promise<string> {
  const { id } = await runtime.newMcpServer({ name, url: mcp.url, project });
  const data = { auth: { ...auth, type: 'user' }, status: 'active' };
  await runtime.db.prisma.mcpServer.update({ where: { id }, data });
  return encodeId('ms', id);
}
