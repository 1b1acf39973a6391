/** Types of events to choose from, with their labels. */
export const EVENT_LABELS: Readonly<Record<string, string>> = {
  'run.completed': 'A run has completed',
  'run.failed': 'A run has failed',
  'run.canceled': 'A run was canceled',
  'run.waiting': 'A run waits for a person',
  'trigger.disabled': 'A trigger was disabled',
  'approval.requested': 'A tool call waits for approval',
  'budget.warning': 'Four fifths of a budget are spent',
  'budget.exhausted': 'A budget is used up',
  'approval.decided': 'A tool call was approved, refused or expired',
};

/** Names the types of events that a webhook receives; no type means all events. */
export const typesText = (types: readonly string[]): string => (types.length === 0 ? 'All events' : types.join(', '));
