import type { Tx } from '@millwright/db';
import { slugCandidates } from './slug.js';

/** How many candidates are looked up at first. */
const SLUGS_AT_FIRST = 8;

/** Others who could come to want the same slug wait for this transaction. */
export async function holdSlug(tx: Tx, slug: string): Promise<void> {
  const stem = slug.replace(/(-\d+)+$/, '');
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`agent-slug:${stem}`}, 0))`;
}

/** A slug that no agent of the installation has, held. */
export async function reserveSlug(tx: Tx, base: string): Promise<string> {
  await holdSlug(tx, base);
  for (let count = SLUGS_AT_FIRST; ; count *= 8) {
    const candidates = slugCandidates(base, count);
    const rows = await tx.agent.findMany({ where: { slug: { in: candidates } }, select: { slug: true } });
    const taken = new Set(rows.map(({ slug }) => slug));
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
