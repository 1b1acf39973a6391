import { setTimeout as delay } from 'node:timers/promises';

/** Calls `ask` repeatedly until it returns a value. @throws Error when it has not returned a value within `withinMs` */
export async function until<Answer>(
  ask: () => Answer | undefined | Promise<Answer | undefined>,
  withinMs = 120_000,
): Promise<Answer> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(20);
  }
  throw new Error(`there was no answer within ${withinMs} ms`);
}
