/** Types of events that a webhook can receive, each with its meaning. */
export const EVENT_TYPES = {
  'run.completed': 'A run has ended with an answer',
  'run.failed': 'A run has ended with an error',
  'run.canceled': 'A run was stopped',
  'run.waiting': 'A run waits for a person',
  'trigger.disabled': 'A trigger was disabled: it failed too often, or its owner may not run it any more',
  'approval.requested': 'A call of a tool waits for a decision',
  'approval.decided': 'A call of a tool was approved or refused, or the time for the decision is over',
  'budget.warning': 'Four fifths of a budget are spent',
  'budget.exhausted': 'A budget is used up: a call of a model that needs it is refused or waits',
  'webhook.test': 'Sent by the test of a webhook, to that webhook alone',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

/**
 * Type of test events. A test event is sent only to the webhook for which it was requested, whatever types that webhook
 * receives.
 */
export const TEST_EVENT = 'webhook.test' satisfies EventType;
