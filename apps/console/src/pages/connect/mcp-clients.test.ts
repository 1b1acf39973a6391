import { clientGuides } from './mcp-clients.js';

const URL = 'https://mcp.example.com/api/v1/mcp/mill-tools/mcp';
const codeOf = (id: string, slug = 'mill-tools') =>
  clientGuides(slug, URL).find((guide) => guide.id === id)?.code ?? '';

describe('clientGuides', () => {
  it('contains the configuration or command for each MCP client in the format of this client', () => {
    expect(JSON.parse(codeOf('cursor'))).toEqual({ mcpServers: { 'mill-tools': { url: URL } } });
    expect(JSON.parse(codeOf('vscode'))).toEqual({ servers: { 'mill-tools': { type: 'http', url: URL } } });
    expect(codeOf('claude-code')).toBe(`claude mcp add --transport http mill-tools ${URL}`);
  });

  it("replaces, in the server's slug, the characters that a shell would interpret", () => {
    expect(codeOf('claude-code', 'a b;$(x)')).toBe(`claude mcp add --transport http a-b---x- ${URL}`);
  });

  it('includes the address of the server in every guide', () => {
    for (const { code } of clientGuides('mill-tools', URL)) expect(code).toContain(URL);
  });

  it('contains a link for each client that can add a server through a link', () => {
    const links = clientGuides('mill-tools', URL).flatMap(({ id, link }) => (link === undefined ? [] : [[id, link]]));
    const [cursor = '', vscode = ''] = links.map(([, link]) => link);
    expect(links.map(([id]) => id)).toEqual(['cursor', 'vscode']);
    const query = new globalThis.URL(cursor).searchParams;
    expect([query.get('name'), JSON.parse(atob(query.get('config') ?? ''))]).toEqual(['mill-tools', { url: URL }]);
    expect(JSON.parse(decodeURIComponent(vscode.split('?')[1] ?? ''))).toEqual({
      name: 'mill-tools',
      type: 'http',
      url: URL,
    });
  });
});
