interface Figures {
  events: string;
  prompt_tokens: string;
  completion_tokens: string;
  /** Costs of the events with a price, in billionths of a dollar. */
  cost: string;
  /** Number of events without a price. */
  unpriced: string;
}

/** Sums of one part of a day. Each sum is a whole number, as text. */
export interface Part extends Figures {
  project: string;
  user_id: string;
  kind: string;
  model: string;
  subject_id: string;
  key_id: string | null;
}

const FIGURES = ['events', 'prompt_tokens', 'completion_tokens', 'cost', 'unpriced'] as const;

type Sums = Map<string, { of: Partial<Part>; figures: bigint[] }>;

/**
 * The sums of a day: by user and model, by agent or prompt, and by API key. Their size depends on the number of
 * different users, models and other keys, not on the number of calls.
 */
export function createDaySums() {
  const users: Sums = new Map();
  const subjects: Sums = new Map();
  const keys: Sums = new Map();

  function addTo(sums: Sums, of: Partial<Part>, part: Part): void {
    const key = JSON.stringify(of);
    const known = sums.get(key)?.figures;
    const figures = FIGURES.map((name, at) => BigInt(part[name]) + (known?.[at] ?? 0n));
    sums.set(key, { of, figures });
  }

  const rowsOf = (sums: Sums) =>
    [...sums.values()].map(({ of, figures }) => ({
      ...of,
      ...Object.fromEntries(FIGURES.map((name, at) => [name, String(figures[at])])),
    }));

  return {
    add(parts: readonly Part[]): void {
      for (const part of parts) {
        const { project, user_id, kind, model, subject_id, key_id } = part;
        addTo(users, { project, user_id, kind, model }, part);
        addTo(subjects, { project, kind, subject_id }, part);
        if (key_id !== null) addTo(keys, { project, key_id }, part);
      }
    },
    rows: () => ({ users: rowsOf(users), subjects: rowsOf(subjects), keys: rowsOf(keys) }),
  };
}
