import type { Project } from '@millwright/auth';
import { AppError } from '@millwright/errors';
import type { Work } from '@millwright/http/process';

/**
 * Limits of the background responses that this process executes at once: of one project, and of all projects. A response counts once for each MiB of
 * its input; a part of a MiB counts as a whole one.
 */
const MOST_OF_PROJECT = 20;
const MOST = 100;
const PLACE_BYTES = 1_048_576;

/**
 * Starts work that continues after its request. The process completes the work before it exits. The work itself must store its failures.
 *
 * @throws AppError rate_limited while too much such work is in progress
 */
export function createBackground(work: Pick<Work, 'track'>) {
  const underWay = new Map<Project, number>();
  let all = 0;

  return {
    /** `input` is the data that the work keeps in memory. */
    start<Result>(project: Project, input: unknown, begin: () => Promise<Result>): Promise<Result> {
      const places = Math.ceil(JSON.stringify(input ?? '').length / PLACE_BYTES);
      const own = underWay.get(project) ?? 0;
      if (own + places > MOST_OF_PROJECT || all + places > MOST) throw new AppError('rate_limited', { retryAfter: 5 });
      underWay.set(project, own + places);
      all += places;
      return work.track(
        begin().finally(() => {
          underWay.set(project, (underWay.get(project) ?? places) - places);
          all -= places;
        }),
      );
    },
  };
}
export type Background = ReturnType<typeof createBackground>;
