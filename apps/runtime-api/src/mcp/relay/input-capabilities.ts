import { isJsonObject } from '@millwright/json';
import { textOf } from '../endpoint/json-rpc.js';
import { objectOrEmpty } from './v2026-terms.js';

/** The input requests that exist in both versions, each with its client capability. */
const CAPABILITY_OF: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};
/** Limit of a client's stored capabilities, in bytes. */
export const CAPABILITIES_MAX_BYTES = 4_096;

/** The client's capabilities for input requests. */
export function inputCapabilities(capabilities: unknown): Record<string, object> {
  const all = objectOrEmpty(capabilities);
  return Object.fromEntries(
    Object.values(CAPABILITY_OF).flatMap((name) => {
      const value = all[name];
      return typeof value === 'object' && value !== null ? [[name, value]] : [];
    }),
  );
}

/** The members of capabilities that both versions define. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['context', 'tools'],
  roots: [],
};

/**
 * The capabilities that both versions define, in one spelling. Clients with equal capabilities can share a session. The number of
 * different results is small, whatever clients send.
 */
export function knownCapabilities(capabilities: unknown): Record<string, Record<string, object>> {
  const stated = inputCapabilities(capabilities);
  return Object.fromEntries(
    Object.entries(MEMBERS).flatMap(([name, members]) => {
      const own = stated[name];
      if (!isJsonObject(own)) return [];
      const known = members.filter((member) => isJsonObject(own[member]));
      // Elicitation without modes means form mode.
      const named = name === 'elicitation' && Object.keys(own).length === 0 ? ['form'] : known;
      return name === 'elicitation' && named.length === 0
        ? []
        : [[name, Object.fromEntries(named.map((member) => [member, {}]))]];
    }),
  );
}

/** Whether a client with these capabilities can receive the input request. */
export function canReceive(capabilities: Readonly<Record<string, unknown>>, request: unknown): boolean {
  const { method, params } = objectOrEmpty(request);
  const name = CAPABILITY_OF[textOf(method)] ?? '';
  if (!(name in capabilities)) return false;
  if (name !== 'elicitation') return true;
  const modes = Object.keys(objectOrEmpty(capabilities[name]));
  const mode = objectOrEmpty(params)['mode'] === 'url' ? 'url' : 'form';
  // A 2025-06-18 client names no modes and can show forms.
  return modes.includes(mode) || (modes.length === 0 && mode === 'form');
}
