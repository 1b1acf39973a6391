import { AppError } from '@millwright/errors';
import { signals, type SignIn } from '@millwright/telemetry';

/** Counts how an attempt to sign in ended. What proves nothing either way, such as a malformed body, is no attempt. */
export async function countSignIn<Result>(method: SignIn['method'], attempt: Promise<Result>): Promise<Result> {
  try {
    const result = await attempt;
    signals.signIn.tell({ method, outcome: 'succeeded' });
    return result;
  } catch (error) {
    if (error instanceof AppError && error.status === 401) signals.signIn.tell({ method, outcome: 'refused' });
    throw error;
  }
}
