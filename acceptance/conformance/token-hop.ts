import { once } from 'node:events';
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, type ListeningApp } from '@millwright/testing';

/** Forwards each request to `target` with a token, because the runner cannot send one. */
export async function startTokenHop(target: string, token: string): Promise<ListeningApp> {
  const hop = await listen((request, response) => pass(new URL(target), token, request, response));
  return { ...hop, url: `${hop.url}/mcp` };
}

function pass(target: URL, token: string, request: IncomingMessage, response: ServerResponse): void {
  const { host = '', origin } = request.headers;
  const ours = `127.0.0.1:${request.socket.localPort ?? ''}`;
  // A Host header with this server's address is replaced by one with the target's address. Any other Host is forwarded unchanged, because the target
  // must refuse it.
  const headers = {
    ...request.headers,
    host: host === ours ? target.host : host,
    ...(origin === `http://${ours}` && { origin: target.origin }),
    authorization: `Bearer ${token}`,
  };
  const onward = send(target, { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.once('error', () => response.destroy());
  void once(response, 'close').then(() => onward.destroy());
  request.pipe(onward);
}
