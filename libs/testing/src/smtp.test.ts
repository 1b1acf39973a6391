import { once } from 'node:events';
import { connect } from 'node:net';
import { createMailServer, type MailBehaviour, type MailServer } from './index.js';

let server: MailServer;
beforeEach(async () => {
  server = await createMailServer();
});
afterEach(() => server.close());

/** Sends these lines one after the other's answer, and gives all that the server said. */
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
const MAIL = ['EHLO me', 'MAIL FROM:<a@b.test>', 'RCPT TO:<c@d.test>', 'DATA', 'Subject: x\r\n\r\n..two\r\n.'];

describe('createMailServer', () => {
  it('keeps what it takes: envelope and text', async () => {
    const said = await converse('accept', MAIL);
    expect(said.map((line) => line.slice(0, 3))).toEqual(['220', '250', '250', '250', '354', '250']);
    expect(server.mails).toEqual([{ from: 'a@b.test', to: ['c@d.test'], data: 'Subject: x\r\n\r\n.two\r\n' }]);
    expect(server.connections).toBe(1);
  });

  it('rejects a mail with a text that quotes it', async () => {
    expect((await converse('reject', MAIL)).at(-1)).toBe('550 refused: Subject: x.two');
    expect(server.mails).toEqual([]);
  });

  it('hangs up', async () => {
    server.behave('hang-up');
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    await once(socket.resume(), 'close');
    expect(server.connections).toBe(1);
  });

  it('stays silent', async () => {
    server.behave('silent');
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('EHLO me\r\n');
    const closed = once(socket.resume(), 'close');
    await server.close();
    await closed;
    expect(socket.bytesRead).toBe(0);
    server = await createMailServer();
  });
});
