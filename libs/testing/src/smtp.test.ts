import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createMailServer, type MailBehaviour, type MailServer } from './smtp.js';

let server: MailServer;
beforeEach(async () => {
  server = await createMailServer();
});
afterEach(() => server.close());

/** Sends each line after the server has answered the line before. @returns everything that the server sent */
async function converse(behaviour: MailBehaviour, lines: readonly string[]): Promise<string[]> {
  server.behave(behaviour);
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const said: string[] = [];
  for (const line of [...lines, 'QUIT']) {
    const [answer] = (await once(socket, 'data')) as [string];
    said.push(answer.trim());
    socket.write(`${line}\r\n`);
  }
  socket.destroy();
  return said;
}
/** Resolves when the connection has closed or failed. */
const closed = (socket: Socket) =>
  new Promise((resolve) =>
    socket
      .on('error', () => undefined)
      .once('close', resolve)
      .resume(),
  );
const MAIL = ['EHLO me', 'MAIL FROM:<a@b.test>', 'RCPT TO:<c@d.test>', 'DATA', 'Subject: x\r\n\r\n..two\r\n.'];

describe('createMailServer', () => {
  it('keeps the envelope and text of accepted mails', async () => {
    const said = await converse('accept', MAIL);
    expect(said.map((line) => line.slice(0, 3))).toEqual(['220', '250', '250', '250', '354', '250']);
    expect(server.mails).toEqual([{ from: 'a@b.test', to: ['c@d.test'], data: 'Subject: x\r\n\r\n.two\r\n' }]);
    expect(server.connections).toBe(1);
  });

  it('rejects a mail with an error text that quotes the mail', async () => {
    expect((await converse('reject', MAIL)).at(-1)).toBe('550 refused: Subject: x.two');
    expect(server.mails).toEqual([]);
  });

  it('closes connections when it is set to hang up', async () => {
    server.behave('hang-up');
    const { hostname, port } = new URL(server.url);
    await closed(connect(Number(port), hostname));
    expect(server.connections).toBe(1);
  });

  it('accepts mails after a client has reset its connection', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await closed(socket);
    expect((await converse('accept', MAIL)).at(-1)).toMatch(/^250/);
  });

  it('sends nothing when it is set to be silent', async () => {
    server.behave('silent');
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('EHLO me\r\n');
    const end = closed(socket);
    await server.close();
    await end;
    expect(socket.bytesRead).toBe(0);
    server = await createMailServer();
  });
});
