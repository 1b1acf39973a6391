import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, type ListeningApp } from '@millwright/testing';

const CARD = '/.well-known/agent-card.json';
/** Headers that the hop removes from the answer with the agent card: the hop replaces the runtime's address in the body, which changes the length. */
const LENGTHS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/**
 * Starts a server that forwards the kit's requests to the runtime. It adds an access token, which the kit cannot send, and adds the A2A version 1.0
 * to requests for the card. In the card, the server replaces the runtime's address by the address of this server. `onMessage` receives the id of each
 * message; the kit begins this id with the name of its scenario.
 */
export async function startHop(
  runtimeUrl: string,
  token: string,
  onMessage: (id: string) => void,
): Promise<ListeningApp> {
  const hop = await listen((request, response) => void pass(request, response).catch(() => response.destroy()));

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const [, id] = /"messageId":\s*"([^"]+)"/.exec(body.toString()) ?? [];
    if (id !== undefined) onMessage(id);
    // The kit's JSON-RPC client adds a slash to the address from the card. The hop removes the slash.
    const target = new URL((request.url ?? '/').replace(/\/a2a\/$/, '/a2a'), runtimeUrl);
    const isCard = target.pathname === CARD;
    const headers = {
      ...request.headers,
      'accept-encoding': 'identity',
      host: target.host,
      authorization: `Bearer ${token}`,
      ...(isCard && { 'a2a-version': '1.0' }),
    };
    const onward = send(target, { method: request.method, headers }, (answer) => {
      if (!isCard) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      void textOf(answer).then((card) => {
        const kept = Object.entries(answer.headers).filter(([name]) => !LENGTHS.has(name));
        response
          .writeHead(answer.statusCode ?? 502, Object.fromEntries(kept))
          .end(card.replaceAll(runtimeUrl, hop.url));
      });
    });
    onward.once('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    onward.end(body);
  }

  return hop;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += String(part);
  return text;
}
