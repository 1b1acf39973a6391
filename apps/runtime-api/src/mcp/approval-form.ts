import { objectOrEmpty } from './relay/v2026-terms.js';

/** The kind of input request that approvals use: a client without it cannot be asked. */
export const FORM = { method: 'elicitation/create', params: { mode: 'form' } } as const;

/** Limit of the arguments that a person can judge in the form, in characters. */
export const SHOWN_CHARACTERS = 8_192;

/** An approval form (2025-11-25 and 2026-07-28, "Elicitation"). Its only field is the decision, so that accepting an empty form approves nothing. */
export const approvalForm = (message: string) => ({
  method: FORM.method,
  params: {
    ...FORM.params,
    message,
    requestedSchema: {
      type: 'object' as const,
      properties: { approve: { type: 'boolean' as const, title: 'Make this call', default: false } },
      required: ['approve'],
    },
  },
});

/** The decision in a response to {@link approvalForm}; undefined when the user closed the form without one. */
export function decisionIn(response: unknown): 'approve' | 'refuse' | undefined {
  const { action, content } = objectOrEmpty(response);
  if (action === 'decline') return 'refuse';
  if (action !== 'accept') return undefined;
  return objectOrEmpty(content)['approve'] === true ? 'approve' : 'refuse';
}
