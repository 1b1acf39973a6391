import { route, type Route } from '@millwright/http';
import type { Config } from '../config.js';
import { getInstallation } from './discovery.contract.js';

export function discoveryRoutes({
  BASE_URL,
  RUNTIME_URL,
  PROMPT_API_URL,
}: Pick<Config, 'BASE_URL' | 'RUNTIME_URL' | 'PROMPT_API_URL'>): Route[] {
  const body = {
    base_url: BASE_URL,
    runtime_url: RUNTIME_URL,
    prompt_api_url: PROMPT_API_URL,
    docs_url: `${BASE_URL}/docs`,
  };
  return [route(getInstallation, () => Promise.resolve({ body }))];
}
