import { readJwks } from '@millwright/auth/signing-keys';
import type { Database } from '@millwright/db';
import { route, type Route } from '@millwright/http';
import { serviceVersion } from '@millwright/http/process';
import { getHealth, getJwks } from './health.contract.js';

export function healthRoutes(db: Database): Route[] {
  return [
    route(getHealth, async () => {
      const reason = await db.notReady();
      return {
        body: {
          status: reason ? 'degraded' : 'ok',
          version: serviceVersion,
          uptime_seconds: Math.floor(process.uptime()),
        },
      };
    }),
    // Clients in browsers verify tokens too, so every origin may read the keys.
    route(getJwks, async () => ({
      body: await readJwks(db, 'runtime-api'),
      headers: { 'Access-Control-Allow-Origin': '*' },
    })),
  ];
}
