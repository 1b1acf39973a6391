/** Maximum number of calls of a guard about parts of a list that it blocked as a whole. */
const MOST_QUESTIONS = 32;

/**
 * Finds the members because of which a list is blocked, by dividing the list in halves. All members of a part count as blocked when the
 * part is blocked but neither of its halves is, or when the limit of calls is reached before the part is divided.
 */
export async function findBlocked<Member>(
  members: readonly Member[],
  isBlocked: (part: readonly Member[]) => Promise<boolean>,
): Promise<Set<Member>> {
  const found = new Set<Member>();
  const open = [members];
  let questions = 0;
  for (let part = open.shift(); part; part = open.shift()) {
    const middle = Math.ceil(part.length / 2);
    const blocked: (readonly Member[])[] = [];
    if (part.length > 1 && questions + 2 <= MOST_QUESTIONS) {
      questions += 2;
      for (const half of [part.slice(0, middle), part.slice(middle)]) if (await isBlocked(half)) blocked.push(half);
    }
    if (blocked.length > 0) open.push(...blocked);
    else for (const member of part) found.add(member);
  }
  return found;
}
