// @ts-check
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const launcher = import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const bridge = import.meta.resolve('mcp-remote/dist/proxy.js');

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ runtime, key, agent }) {
  const url = `${runtime}/api/v1/mcp/platform/mcp`;
  const authorization = `Bearer ${key}`;
  async function inspect(/** @type {string[]} */ ...args) {
    const options = ['--cli', url, '--transport', 'http', '--header', `Authorization: ${authorization}`];
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(launcher), ...options, ...args]);
    return stdout;
  }
  async function useServer(/** @type {import('@modelcontextprotocol/sdk/shared/transport.js').Transport} */ transport) {
    const client = new Client({ name: 'compatibility', version: '1' });
    await client.connect(transport);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert(names.includes(`ask_${agent}`));
    const answer = await client.callTool({ name: `ask_${agent}`, arguments: { content: 'Hello' } });
    assert.match(JSON.stringify(answer), /You wrote: Hello/);
    await client.listResources();
    await client.listPrompts();
    await client.close();
  }
  return {
    'SDK: tools, call, resources, prompts': () =>
      useServer(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } })),
    'mcp-remote: tools, call, resources, prompts': () => {
      const args = [
        fileURLToPath(bridge),
        url,
        '--transport',
        'http-only',
        '--header',
        `Authorization: ${authorization}`,
      ];
      const env = { MCP_REMOTE_CONFIG_DIR: mkdtempSync(join(import.meta.dirname, 'mcp-remote-')) };
      return useServer(new StdioClientTransport({ command: process.execPath, args, env }));
    },
    'Inspector --cli: tools/list, tools/call': async () => {
      assert.match(await inspect('--method', 'tools/list'), new RegExp(`ask_${agent}`));
      const call = ['--method', 'tools/call', '--tool-name', `ask_${agent}`, '--tool-arg', 'content=Hello'];
      assert.match(await inspect(...call), /You wrote: Hello/);
    },
  };
}
