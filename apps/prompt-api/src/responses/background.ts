import type { Project } from '@millwright/auth';
import { AppError } from '@millwright/errors';
import type { Work } from '@millwright/http/process';

/** Limits of the responses that continue without a request, in this process. */
const MOST_OF_PROJECT = 20;
const MOST = 100;

/**
 * Starts work that continues after its request: the process finishes it before it exits. Failures are stored by the work
 * itself.
 *
 * @throws AppError rate_limited while too much such work is in progress
 */
export function createBackground(work: Pick<Work, 'track'>) {
  const underWay = new Map<Project, number>();
  let all = 0;

  return {
    start<Result>(project: Project, begin: () => Promise<Result>): Promise<Result> {
      const own = underWay.get(project) ?? 0;
      if (own >= MOST_OF_PROJECT || all >= MOST) throw new AppError('rate_limited', { retryAfter: 5 });
      underWay.set(project, own + 1);
      all += 1;
      return work.track(
        begin().finally(() => {
          underWay.set(project, (underWay.get(project) ?? 1) - 1);
          all -= 1;
        }),
      );
    },
  };
}
export type Background = ReturnType<typeof createBackground>;
