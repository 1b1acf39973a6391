import type { McpCall } from '../mcp-call.js';
import type { Seen } from './inspect.js';
import type { Offered, RelayedServer } from './relayed-server.js';
import type { Session } from './sessions.store.js';

/** A client's request to a server of the other era. */
export interface Translation {
  server: RelayedServer;
  call: McpCall;
  seen: Seen;
  offered: Offered;
  /** That the client named, if it is theirs. */
  session: Session | undefined;
}
