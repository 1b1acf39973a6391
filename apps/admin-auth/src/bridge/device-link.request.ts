import { DeviceName } from './bridge.contract.js';
import { loopbackRedirect } from './loopback-redirect.js';

/** The request of a bridge at `/bridge-auth/device-link`. */
export interface DeviceLinkRequest {
  deviceName: string;
  /** The address at which the bridge listens. Without this address, the page shows the code. */
  redirect?: string | undefined;
  state?: string | undefined;
  codeChallenge?: string | undefined;
}

export type ParsedDeviceLink = { request: DeviceLinkRequest } | { fault: string };

const PARAMETERS = ['redirect', 'device_name', 'state', 'code_challenge', 'code_challenge_method'] as const;

/**
 * Parses the parameters of a request. Faults are shown on a page and never sent to the redirect URI, because the redirect URI may itself be
 * invalid or lead to another site.
 */
export function parseDeviceLink(values: Readonly<Record<string, unknown>>): ParsedDeviceLink {
  const given: Partial<Record<(typeof PARAMETERS)[number], string>> = {};
  for (const name of PARAMETERS) {
    const value = values[name];
    if (value === undefined || value === '') continue;
    if (typeof value !== 'string') return { fault: `${name} must be given once.` };
    given[name] = value;
  }
  const { redirect, state, code_challenge: codeChallenge, code_challenge_method: method } = given;
  const name = DeviceName.safeParse(given.device_name ?? 'A device without a name');
  if (!name.success) return { fault: 'device_name must be 1 to 100 visible characters.' };
  if (redirect !== undefined && loopbackRedirect(redirect) === undefined)
    return { fault: 'redirect must be http on 127.0.0.1, [::1] or localhost with a port, where the bridge listens.' };
  if (state !== undefined && !/^[\x20-\x7e]{1,500}$/.test(state))
    return { fault: 'state must be 1 to 500 printable ASCII characters.' };
  if (codeChallenge !== undefined && (method !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge)))
    return { fault: 'code_challenge must be 43 characters, with code_challenge_method=S256.' };
  if (codeChallenge === undefined && method !== undefined) return { fault: 'code_challenge is missing.' };
  return { request: { deviceName: name.data, redirect, state, codeChallenge } };
}
