import pg from 'pg';
import { startDeadline } from './deadline.js';
import { CONNECT_TIMEOUT, READ_TIMEOUT } from './failures.js';
import { limitSession } from './limit-session.js';
import { currentOwner } from './owner.js';
import { createTurns } from './turns.js';
import { watchQueries } from './watch-queries.js';

export interface PoolOptions {
  url: string;
  max: number;
  /** Maximum wait for a free connection. */
  acquireTimeoutMs: number;
  /** Maximum duration of a query. The server enforces it; when the server is silent, the client enforces it. */
  queryTimeoutMs: number;
  /**
   * Whether `url` leads to a pooler that assigns connections of the server for one transaction each. Such a pooler sets the settings of its
   * sessions itself, and refuses connections that send other settings.
   */
  pooled?: boolean | undefined;
  applicationName?: string;
}

/** Maximum idle time of a connection in a stopping process, in milliseconds. */
const LAST_IDLE_MS = 1_000;

/**
 * Time limit for opening a connection. It is longer than any request waits: a connection that a busy server opens late
 * serves a later request.
 */
const CONNECT_TIMEOUT_MS = 3_000;

/** Idle time after which the operating system checks whether the server's machine still answers. */
const KEEP_ALIVE_MS = 10_000;

type Take = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void;

interface Waiting {
  owner: string;
  take: Take;
  callOff: () => void;
}

type Opened = (error: Error | null) => void;

/** A connection with a time limit for its opening, which does not count the time in which this process is blocked. */
class Connection extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(opened: Opened): void;
  override connect(opened?: Opened): Promise<pg.Client> | undefined {
    if (opened === undefined)
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
    const giveUp = () => void this.connection.stream.destroy(new Error(CONNECT_TIMEOUT));
    const cancel = startDeadline(CONNECT_TIMEOUT_MS, giveUp);
    super.connect((error: Error | null) => {
      cancel();
      opened(error);
    });
    return undefined;
  }
}

/**
 * A pool that assigns connections to owners in turn, and within each owner to the oldest request. A thousand requests
 * of one owner then delay another owner by one request only. The pool keeps its connections open. Its timeouts do not
 * count the time in which this process is blocked and could not receive an answer.
 */
export class Pool extends pg.Pool {
  readonly #acquireTimeoutMs: number;
  readonly #waiting = createTurns<Waiting>();
  #asked = 0;

  constructor({ url, max, acquireTimeoutMs, queryTimeoutMs, pooled, applicationName }: PoolOptions) {
    super({
      ...(pooled
        ? { connectionString: url }
        : { connectionString: limitSession(url), statement_timeout: queryTimeoutMs }),
      ...(applicationName !== undefined && { application_name: applicationName }),
      Client: Connection,
      max,
      min: max,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    this.#acquireTimeoutMs = acquireTimeoutMs;
    this.on('connect', (client) => limitSilence(client, queryTimeoutMs));
    // A lost connection rejects its current and its later queries. Without a listener, an error between two queries
    // would end the process.
    this.on('connect', (client) => client.on('error', () => undefined));
    this.on('release', () => process.nextTick(() => this.#askForNext()));
  }

  /** Number of requests that wait for a connection. */
  get queued(): number {
    return this.#waiting.size;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(take: Take): void;
  override connect(take?: Take): Promise<pg.PoolClient> | undefined {
    if (take === undefined)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('no connection')))),
      );
    const owner = currentOwner();
    const waiting: Waiting = {
      owner,
      take,
      callOff: startDeadline(this.#acquireTimeoutMs, () => this.#fail(waiting, tooLate())),
    };
    this.#waiting.add(owner, waiting);
    this.#askFor(waiting);
    return undefined;
  }

  /** Opens every connection that the pool may have. */
  async connectAhead(): Promise<void> {
    const attempts = await Promise.allSettled(Array.from({ length: this.options.max }, () => this.connect()));
    for (const attempt of attempts) if (attempt.status === 'fulfilled') attempt.value.release();
    const failed = attempts.find((attempt) => attempt.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /**
   * Closes the idle connections now, and from now on every connection that has been idle for a second. A process that
   * finishes its last requests then keeps only the connections in use.
   */
  shrink(): void {
    this.options.min = 0;
    this.options.idleTimeoutMillis = LAST_IDLE_MS;
    for (let left = this.idleCount; left > 0; left--) super.connect((_error, _client, done) => done(true));
  }

  #askFor(asking: Waiting): void {
    if (this.#asked >= this.options.max) return;
    this.#asked += 1;
    super.connect((error, client, done) => {
      this.#asked -= 1;
      if (!client) this.#fail(asking, error ?? new Error('no connection'));
      else if (!this.#give(client, done)) done();
      this.#askForNext();
    });
  }

  #askForNext(): void {
    const next = this.#waiting.peek();
    if (next) this.#askFor(next);
  }

  #give(...[client, done]: [pg.PoolClient, Parameters<Take>[2]]): boolean {
    const next = this.#waiting.take();
    if (!next) return false;
    next.callOff();
    next.take(undefined, client, done);
    return true;
  }

  /**
   * Rejects the request for which a connection could not be opened, unless another connection has already served that
   * request.
   */
  #fail(waiting: Waiting, error: Error): void {
    if (this.#leave(waiting)) waiting.take(error, undefined, () => undefined);
  }

  #leave(waiting: Waiting): boolean {
    waiting.callOff();
    return this.#waiting.remove(waiting.owner, waiting);
  }
}

const tooLate = () => new Error('timeout exceeded when trying to connect');

/** Closes a connection when its server is silent. All queries of the connection then fail. */
function limitSilence(client: pg.PoolClient, milliseconds: number): void {
  const giveUp = () => void client.connection.stream.destroy(new Error(READ_TIMEOUT));
  watchQueries(client, () => startDeadline(milliseconds, giveUp));
}
