import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import type { Config } from '../config.js';
import * as contract from './dashboard.contract.js';
import { countRecords } from './dashboard.store.js';

type Settings = Pick<Config, 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL' | 'SECURITY_ALLOW_REGISTRATION'>;

export function dashboardRoutes(db: Database, config: Settings): Route[] {
  return [
    route(contract.getDashboard, async () => ({
      body: { records: await countRecords(db), registration_open: config.SECURITY_ALLOW_REGISTRATION },
    })),

    route(contract.getAddresses, ({ principal }) => {
      if (!principal) throw new AppError('unauthorized');
      const { BASE_URL, RUNTIME_URL, PROMPT_API_URL } = config;
      return Promise.resolve({
        body: { base_url: BASE_URL, runtime_url: RUNTIME_URL, prompt_api_url: PROMPT_API_URL },
      });
    }),
  ];
}
