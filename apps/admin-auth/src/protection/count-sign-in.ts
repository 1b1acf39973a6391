import { AppError } from '@millwright/errors';
import { telemetryEvents, type SignIn } from '@millwright/telemetry';

/** Counts the outcome of an attempt to sign in. A malformed body is not counted as an attempt. */
export async function countSignIn<Result>(method: SignIn['method'], attempt: Promise<Result>): Promise<Result> {
  try {
    const result = await attempt;
    telemetryEvents.signIn.record({ method, outcome: 'succeeded' });
    return result;
  } catch (error) {
    if (error instanceof AppError && error.status === 401)
      telemetryEvents.signIn.record({ method, outcome: 'refused' });
    throw error;
  }
}
