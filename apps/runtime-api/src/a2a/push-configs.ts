import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { isStorable, newId, type Tx } from '@millwright/db';
import { EgressError, type Egress } from '@millwright/egress';
import { MOST_CONFIGS, type PushConfig, type PushConfigStore } from './push-configs.store.js';
import { taskId } from './task-form.js';

/** Limits of the fields in characters. */
const MOST = { id: 100, url: 2_000, token: 4_096, scheme: 50, credentials: 4_096 };

const malformed = (field: string, reason: string) => new RequestMalformedError(`${field}: ${reason}`);

/** Checks and stores the push configurations of tasks (A2A 1.0 §3.1.7 to §3.1.10). */
export function createPushConfigs(configs: PushConfigStore, egress: Pick<Egress, 'checkReachable'>) {
  async function requireReachable(url: string): Promise<void> {
    try {
      await egress.checkReachable(url);
    } catch (error) {
      // A host name that does not resolve yet is accepted, because each connection checks the address again.
      if (error instanceof EgressError && error.kind === 'unresolvable') return;
      // All refused addresses get the same reason, so that the reason reveals nothing about our network.
      throw error instanceof EgressError ? malformed('url', 'must be the address of a public server, by https') : error;
    }
  }

  return {
    /** Checks a configuration. Call it outside transactions, because it sends network requests. @throws A2AError when a field is invalid */
    async read({ id, url, token, authentication }: TaskPushNotificationConfig): Promise<PushConfig> {
      const { scheme = '', credentials = '' } = authentication ?? {};
      const given = { id, url, token, scheme, credentials };
      for (const [field, value] of Object.entries(given) as [keyof typeof MOST, string][]) {
        if (value.length > MOST[field] || !isStorable(value)) throw malformed(field, 'is too long or not allowed');
      }
      for (const [field, value] of Object.entries({ id, token, scheme, credentials }))
        if (!/^[\x20-\x7e]*$/.test(value)) throw malformed(field, 'must be visible ASCII characters');
      if (!URL.canParse(url)) throw malformed('url', 'is not an address');
      await requireReachable(url);
      return { id: id === '' ? newId() : id, url, secrets: { token, scheme, credentials } };
    },

    /** @throws A2AError when the task already has the maximum number of configurations */
    async put(tx: Tx, runId: string, config: PushConfig): Promise<void> {
      if (!(await configs.put(tx, runId, config)))
        throw malformed('taskId', `takes no more configurations: ${MOST_CONFIGS} at most`);
    },

    /**
     * Converts a configuration to the form in which its owner reads it. This form contains no credentials, because they are sent only to the
     * receiver.
     */
    toResponse: (runId: string, { id, url, secrets }: PushConfig): TaskPushNotificationConfig => ({
      ...{ tenant: '', id, taskId: taskId(runId), url, token: '' },
      authentication: secrets.scheme === '' ? undefined : { scheme: secrets.scheme, credentials: '' },
    }),
  };
}
export type PushConfigs = ReturnType<typeof createPushConfigs>;
