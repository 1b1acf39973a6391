import { readFileSync } from 'node:fs';
import { isAdminScope } from '@millwright/auth';
import { changeWithProof } from './areas.endpoint.js';

interface Operation {
  id: string;
  method: string;
  path: string;
  /** Whether the operation requires a scope that only admins have. */
  isForAdmins: boolean;
  /** Whether the service itself requires a proof for some requests of the operation. */
  mayNeedProof: boolean;
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; 'x-required-scope'?: string; responses: object }>>;
}

/** All changes in the OpenAPI documents of the other services, with an id in place of each path parameter. */
const changes = ['platform', 'runtime', 'prompt'].flatMap((area): Operation[] => {
  const file = new URL(`../../../../docs/openapi/${area}.json`, import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get')
      .map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path: `/${area}${path.replaceAll(/\{[^}]+\}/g, 'id_0123456789')}`,
        isForAdmins: isAdminScope(operation['x-required-scope'] ?? ''),
        mayNeedProof: JSON.stringify(operation.responses).includes('step_up_required'),
      })),
  );
});

/** Operations that require a recent proof, by their action in the audit log. */
const FRESH = {
  'mcp_server.change': ['approveTool', 'registerMcpServer', 'updateMcpServer'],
  'mcp_server.set_tool_rules': ['putToolRules'],
  'plugin.set_rule': ['putPluginRule'],
  'agent.set_rule': ['putAgentRule'],
  'tool_policy.update': ['putToolPolicy'],
  'knowledge_search.update': ['putKnowledgeSearch'],
  'guards.update': ['putGuards'],
  'agent.set_guards': ['putAgentGuards'],
  'budget.update': ['updateBudget'],
  'budget.delete': ['deleteBudget'],
  'model.create': ['createModel'],
  'model.update': ['updateModel'],
  'model.delete': ['deleteModel'],
  'model_price.create': ['createModelPrice'],
  'model_price.delete': ['deleteModelPrice'],
  'trigger.create': ['createTrigger'],
  'trigger.rotate_secret': ['rotateTriggerSecret'],
  'webhook.create': ['createWebhook'],
  'webhook.update': ['updateWebhook'],
  'webhook.rotate_secret': ['rotateWebhookSecret'],
  'user.create': ['createUser'],
  'user.update': ['updateUser'],
  'user.deactivate': ['deactivateUser'],
};

/** Operations for admins that need no proof: they give nobody more rights, and in an emergency they must work at once. */
const NOT_FRESH = [
  ...['deleteTrigger', 'fireTrigger', 'updateTrigger'],
  ...['deleteWebhook', 'testWebhook', 'replayWebhook', 'replayWebhookDelivery'],
  ...['markDefaultAgent', 'unmarkDefaultAgent', 'releaseAgent', 'stopAgent'],
  // These operations send the stored key of a model only to the server that already receives this key.
  ...['testDraftModel', 'testModel'],
  // A new budget can only reduce what may be spent.
  'createBudget',
];

/**
 * Changes that need a proof only when they loosen `ask_tools`. The service decides this from the body, and from its token, which states
 * whether the session is fresh.
 */
const DECIDED_BY_SERVICE = ['makeChanges', 'replaceAgent', 'restoreAgentVersion', 'runAgentDraft', 'updateAgent'];

describe('changeWithProof', () => {
  it('returns an action for exactly the changes that require a recent passkey proof at one of the services', () => {
    const found = Map.groupBy(changes.filter(changeWithProof), (change) => changeWithProof(change) ?? '');
    expect(
      Object.fromEntries([...found].map(([change, listed]) => [change, listed.map(({ id }) => id).sort()])),
    ).toEqual(FRESH);
  });

  it('returns no action for a change for which the service decides from the request body whether a proof is needed', () => {
    const decided = changes.filter(({ mayNeedProof }) => mayNeedProof);
    expect(decided.map(({ id }) => id).sort()).toEqual(DECIDED_BY_SERVICE);
    expect(decided.filter(changeWithProof)).toEqual([]);
  });

  it("returns no action for an admin's change that needs no proof because it gives nobody more rights", () => {
    const others = changes.filter((change) => change.isForAdmins && !changeWithProof(change));
    expect(others.map(({ id }) => id).sort()).toEqual(NOT_FRESH.toSorted());
  });
});
