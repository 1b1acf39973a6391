import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { Assertion } from '../passkeys/assertion.js';

const base = { tag: 'Step-up', access: 'session', limit: 'credential', method: 'POST' } as const;

export const startStepUp = endpoint({
  ...base,
  operationId: 'startStepUp',
  grants: 'nothing',
  path: '/admin/api/step-up/start',
  summary: 'Begin a fresh passkey proof',
  success: { status: 200, description: 'PublicKeyCredentialRequestOptionsJSON', body: z.looseObject({}) },
  errors: ['conflict'],
});

export const finishStepUp = endpoint({
  ...base,
  operationId: 'finishStepUp',
  grants: 'nothing',
  path: '/admin/api/step-up/finish',
  summary: 'Complete a fresh passkey proof',
  body: z.strictObject({ response: Assertion }),
  success: {
    status: 200,
    description: 'Until when this session counts as freshly proven',
    body: z.object({ fresh_until: z.string() }),
  },
  errors: ['forbidden', 'validation_error'],
});
