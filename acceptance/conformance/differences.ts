import type { Era, ExampleVersions } from './example-server.js';

/**
 * Scenarios that fail only through the relay, with the reason. The keys are the server's MCP versions, the revision that the runner tests, and the
 * scenario.
 */
export const DIFFERENCES: Record<ExampleVersions, Record<Era, Record<string, string>>> = {
  '2025-11-25': {
    '2025-11-25': {},
    '2026-07-28': {
      'server-stateless':
        'A tool of a server of 2025-11-25 that needs a capability reports it in its result, not by the error -32021; all other checks of the scenario pass.',
      'input-required-result-basic-elicitation':
        'The scenario wants its request under the name `user_name`; requests of a server of 2025-11-25 have no names.',
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
