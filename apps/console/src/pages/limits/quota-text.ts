import type { Quota } from '../../api/admin-records.js';

/** Share of a quota. Administrators are warned when this share is used. */
const WARN_SHARE = 0.8;

const KINDS: Readonly<Record<Quota['kind'], { title: string; text?: string }>> = {
  content: { title: 'Content' },
  files: { title: 'Files' },
  prompts: { title: 'Prompts', text: 'With their versions, blocks and artifacts' },
  conversations: { title: 'Conversations', text: 'With their messages' },
  contexts: { title: 'Chats with agents', text: 'With their messages' },
};

export const kindText = (kind: Quota['kind']) => KINDS[kind];

export type QuotaLevel = 'ample' | 'nearly used' | 'used up';

export function levelOf(share: number): QuotaLevel {
  if (share >= 1) return 'used up';
  return share >= WARN_SHARE ? 'nearly used' : 'ample';
}

/** Formats the used share of a quota in whole percent: 100 only when nothing is left, and 0 only when nothing is used. */
export function percentText(used: number, limit: number): string {
  if (used === 0) return '0%';
  if (used >= limit) return '100%';
  const percent = Math.round((used / limit) * 100);
  return percent === 0 ? '< 1%' : `${Math.min(percent, 99)}%`;
}

/** Warnings of the dashboard about quotas used to 80 % or more. */
export function quotaWarnings(
  quotas: readonly Pick<Quota, 'project' | 'kind' | 'share'>[],
  nameOf: (project: string) => string,
): { title: string; isGrave: boolean }[] {
  return quotas
    .filter(({ share }) => levelOf(share) !== 'ample')
    .map(({ project, kind, share }) => ({
      title: `The quota of ${nameOf(project)} for ${kindText(kind).title.toLowerCase()} is ${levelOf(share)}`,
      isGrave: levelOf(share) === 'used up',
    }));
}
