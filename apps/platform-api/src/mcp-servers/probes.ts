import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '@millwright/audit';
import { refreshMcpServer, type RefreshOptions } from '@millwright/mcp/refresh-servers';
import type { Logger } from '@millwright/http/process';

/** Maximum number of concurrent probes. Further servers wait for the scheduled refresh. */
const MOST_AT_ONCE = 16;
/** Milliseconds for running probes to end when the process stops. */
const GRACE_MS = 3_000;

export interface McpProbes {
  /** Probes a server (UUID) soon. The server is already marked due, so the scheduled refresh probes it if this process dies. */
  start(actor: Actor, serverUuid: string): void;
  /** Probes a server (UUID) now. `false` when the server is inactive. */
  run(actor: Actor, serverUuid: string): Promise<boolean>;
  /** Resolves when no probe is in progress. */
  idle(): Promise<void>;
  /** Waits for running probes. Servers whose probes do not end in time become due again. */
  close(): Promise<void>;
}

export function createMcpProbes(options: RefreshOptions & { logger: Pick<Logger, 'info' | 'error'> }): McpProbes {
  const { logger } = options;
  const running = new Set<Promise<unknown>>();
  const stopping = new AbortController();

  function run(actor: Actor, serverUuid: string): Promise<boolean> {
    const onUnreachable = (server_id: string, err: unknown) =>
      logger.info({ server_id, err }, 'an MCP server is unreachable');
    const probe = refreshMcpServer({ onUnreachable, ...options, signal: stopping.signal }, actor, serverUuid);
    const tracked = probe.finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.allSettled(running);
  }

  return {
    run,
    idle,
    start(actor, serverUuid) {
      if (stopping.signal.aborted || running.size >= MOST_AT_ONCE) return;
      run(actor, serverUuid).catch((err: unknown) => logger.error({ err }, 'a probe of an MCP server failed'));
    },
    async close() {
      await Promise.race([idle(), sleep(GRACE_MS, undefined, { ref: false })]);
      stopping.abort(new Error('The process is stopping.'));
      await idle();
    },
  };
}
