import { AppError } from '@millwright/errors';
import { telemetryEvents, type SignIn } from '@millwright/telemetry';

/** Counts whether an attempt to sign in succeeded or was refused. Requests with a malformed body are not counted. */
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
