import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface ReceivedMail {
  /** Addresses of the SMTP envelope. */
  from: string;
  to: string[];
  /** Headers and body as the client meant them: the dots that SMTP adds to lines are removed. */
  data: string;
}

/**
 * `reject`: refuses the message with a text that quotes the whole message, as some filters do. `silent`: accepts
 * connections and sends nothing.
 */
export type MailBehaviour = 'accept' | 'reject' | 'silent' | 'hang-up';

export interface MailServer {
  /** Address of the server: `smtp://127.0.0.1:<port>`. */
  url: string;
  mails: ReceivedMail[];
  /** Number of connections so far. */
  connections: number;
  /** Sets the behaviour of the server for all connections from now on. */
  behave: (behaviour: MailBehaviour) => void;
  close: () => Promise<void>;
}

const address = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

/** A mail server on loopback (RFC 5321), in plain text and without accounts. */
export async function createMailServer(host = '127.0.0.1'): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const open = new Set<Socket>();
  let behaviour: MailBehaviour = 'accept';
  const server = createServer((socket) => {
    mailServer.connections += 1;
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy()));
    if (behaviour === 'hang-up') socket.destroy();
    else if (behaviour === 'accept' || behaviour === 'reject') converse(socket, mails, behaviour === 'accept');
  }).listen(0, host);
  await once(server, 'listening');
  const mailServer: MailServer = {
    url: `smtp://${host}:${(server.address() as AddressInfo).port}`,
    mails,
    connections: 0,
    behave: (next) => (behaviour = next),
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
  return mailServer;
}

function converse(socket: Socket, mails: ReceivedMail[], isAccepted: boolean): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let mail: ReceivedMail = { from: '', to: [], data: '' };
  let inData = false;
  say('220 mail.test ESMTP');
  // readline emits the errors of the socket again. They are ignored here, because the listener of the socket handles
  // them.
  const lines = createInterface({ input: socket, crlfDelay: Infinity }).on('error', () => undefined);
  lines.on('line', (line) => {
    if (inData && line !== '.') mail.data += `${line.startsWith('.') ? line.slice(1) : line}\r\n`;
    else if (inData) {
      inData = false;
      if (isAccepted) mails.push(mail);
      say(isAccepted ? '250 taken' : `550 refused: ${mail.data.replaceAll(/=?\r\n/g, '')}`);
      mail = { from: '', to: [], data: '' };
    } else {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'MAIL') mail.from = address(line);
      if (verb === 'RCPT') mail.to.push(address(line));
      inData = verb === 'DATA';
      say(inData ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 mail.test');
    }
  });
}
