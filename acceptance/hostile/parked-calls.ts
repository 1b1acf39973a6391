import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const CALLS = 200;
const CLIENTS = 5;

/** Calls of a tool that asks its user something, whose user never answers. @returns the function that ends it, and counts its answers */
export function beginParkedCalls(endpoint: string, token: string): () => Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const note = (answer: string) => (answers[answer] = (answers[answer] ?? 0) + 1);
  const leaving = new AbortController();

  async function callAsOne(): Promise<Client> {
    const client = new Client({ name: 'hostile', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => {
      note('asked');
      return new Promise(() => undefined);
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(endpoint), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    for (let n = 0; n < CALLS / CLIENTS; n += 1) {
      const call = { name: 'test_input_required_result_elicitation', arguments: {} };
      client.callTool(call, undefined, { signal: leaving.signal }).then(
        ({ isError }) => note(isError === true ? 'refused' : 'answered'),
        () => note('failed'),
      );
    }
    return client;
  }
  const clients = Array.from({ length: CLIENTS }, () =>
    callAsOne().catch(() => {
      note('no session');
      return undefined;
    }),
  );
  return async () => {
    leaving.abort();
    for (const client of await Promise.all(clients)) await client?.close();
    return answers;
  };
}
