import type { Era, ExampleVersions } from './example-server.js';

const QUESTION =
  "A server of 2025-11-25 asks in the middle of a call. That is not carried to modern clients, who are asked by a call's result.";

const each = (reason: string, scenarios: string[]) => Object.fromEntries(scenarios.map((name) => [name, reason]));

/** Scenarios that fail only through the relay: server's MCP versions → runner's revision → reason. */
export const DIFFERENCES: Record<ExampleVersions, Record<Era, Record<string, string>>> = {
  '2025-11-25': {
    '2025-11-25': {},
    '2026-07-28': {
      'server-stateless':
        'A tool of a server of 2025-11-25 that needs a capability reports it in its result, not by the error -32021; all other checks of the scenario pass.',
      ...each(QUESTION, [
        'input-required-result-basic-elicitation',
        'input-required-result-basic-sampling',
        'input-required-result-basic-list-roots',
        'input-required-result-request-state',
        'input-required-result-multiple-input-requests',
        'input-required-result-multi-round',
        'input-required-result-non-tool-request',
        'input-required-result-result-type',
        'input-required-result-tampered-state',
        'input-required-result-capability-check',
      ]),
    },
  },
  '2026-07-28': {
    '2025-11-25': {},
    '2026-07-28': {},
  },
  both: {
    '2025-11-25': {},
    '2026-07-28': {},
  },
};
