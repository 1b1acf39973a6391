import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Assertion } from '../passkeys/assertion.js';

const base = { tag: 'Step-up', scope: null, limit: 'credential', method: 'POST' } as const;

export const startStepUp = endpoint({
  ...base,
  operationId: 'startStepUp',
  path: '/admin/api/step-up/start',
  summary: 'Begin a fresh passkey proof',
  success: { status: 200, description: 'PublicKeyCredentialRequestOptionsJSON', body: z.looseObject({}) },
  errors: ['unauthorized', 'conflict'],
});

export const finishStepUp = endpoint({
  ...base,
  operationId: 'finishStepUp',
  path: '/admin/api/step-up/finish',
  summary: 'Complete a fresh passkey proof',
  body: z.strictObject({ response: Assertion }),
  success: {
    status: 200,
    description: 'Until when this session counts as freshly proven',
    body: z.object({ fresh_until: z.string() }),
  },
  errors: ['unauthorized', 'forbidden', 'validation_error'],
});
