import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A statement as the server received it. `BEGIN` and `COMMIT` are also statements. */
export interface SentStatement {
  /** Number of the connection on which the statement was sent. */
  connection: number;
  /** Name of a prepared statement; otherwise empty. */
  name: string;
  text: string;
}

export interface StatementLog {
  /** Address of the database through the relay. */
  url: string;
  /** The statements since the last call, in the order of their execution. */
  take: () => SentStatement[];
  close: () => Promise<void>;
}

/** Length of a message's type. The startup message has no type. */
const TYPE = 1;
const LENGTH = 4;

/** Reads the statements in the bytes of a PostgreSQL client (protocol 3.0: query, parse and bind messages). */
function readStatements(onStatement: (text: string, name: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>();
  let [unread, isStarted] = [Buffer.alloc(0), false];

  const read: Record<string, (body: Buffer) => void> = {
    Q: (body) => onStatement(stringsOf(body, 1)[0] ?? '', ''),
    P: (body) => {
      const [name = '', text = ''] = stringsOf(body, 2);
      texts.set(name, text);
    },
    B: (body) => {
      const [, name = ''] = stringsOf(body, 2);
      onStatement(texts.get(name) ?? '', name);
    },
  };

  return (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const start = isStarted ? TYPE : 0;
      if (unread.length < start + LENGTH) return;
      const end = start + unread.readUInt32BE(start);
      if (unread.length < end) return;
      if (isStarted) read[unread.toString('latin1', 0, 1)]?.(unread.subarray(start + LENGTH, end));
      isStarted = true;
      unread = unread.subarray(end);
    }
  };
}

/** The first strings of a message, each of which ends with a zero byte. */
function stringsOf(body: Buffer, count: number): string[] {
  return body.toString('utf8').split('\0', count);
}

/** Starts a relay in front of a database, without TLS. It logs the statements of all connections. */
export async function createStatementLog(databaseUrl: string): Promise<StatementLog> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let statements: SentStatement[] = [];
  let connections = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const connection = (connections += 1);
    near.on(
      'data',
      readStatements((text, name) => statements.push({ connection, name, text })),
    );
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The verb and table of each write in a statement; `FOR UPDATE` does not match. */
const WRITES = /\b(insert|update|delete)(?: into| from)? "?(?:public"?\.)?"?([a-z_]+)"?(?=\s+(?:\(|set\b|where\b))/gi;
/** The first table that a statement reads, or the function that it calls. */
const READS = /\bfrom "?(?:public"?\.)?"?([a-z_]+)|\b(pg_\w+)/i;

/** Names that do not describe their statement. */
const GENERATED_NAME = /^statement-\d+$|^$/;

/** The name of a prepared statement, if it describes the statement; otherwise the tables that the statement writes or reads. */
function labelOf({ name, text }: SentStatement): string {
  if (!GENERATED_NAME.test(name)) return name;
  const writes = [...text.matchAll(WRITES)];
  if (writes.length > 0) return writes.map(([, verb = '', table]) => `${verb.toLowerCase()} ${table}`).join(', ');
  const [, table, called] = READS.exec(text) ?? [];
  return `read ${table ?? called ?? text}`;
}

/** Labels of the statements of each transaction. A statement outside of `BEGIN` counts as a separate transaction. */
export function transactionsOf(statements: readonly SentStatement[]): string[][] {
  const transactions: string[][] = [];
  const open = new Map<number, string[]>();
  for (const statement of statements) {
    const { connection, text } = statement;
    if (text === 'BEGIN') {
      const begun: string[] = [];
      open.set(connection, begun);
      transactions.push(begun);
    } else if (text === 'COMMIT') open.delete(connection);
    else {
      const within = open.get(connection);
      if (within) within.push(labelOf(statement));
      else transactions.push([labelOf(statement)]);
    }
  }
  return transactions;
}
