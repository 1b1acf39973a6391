import { setTimeout as delay } from 'node:timers/promises';

/** Polls until there is a value. @throws Error when there is none within `withinMs`. */
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
