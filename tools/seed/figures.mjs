// @ts-check

/** Length of the seeded period in days. The times of all rows are within this period. */
export const DAYS = 90;

/** Maximum numbers of models and other records in one project, which the product enforces. */
const MOST_MODELS = 10;
const MOST_WEBHOOKS = 20;
const MOST_TRIGGERS = 96;
const MOST_SOURCES = 96;

/** Number of runs at scale 1: those that twenty people with their programs and triggers start in ninety days. */
const RUNS = 15_000;

/**
 * Returns the numbers of records, by scale: 1 is a small team, 100 an organisation of 2,000 people. The further records of a run (steps, events,
 * messages, usage, audit rows) follow from the runs.
 *
 * @param {number} scale
 */
export function figuresOf(scale) {
  /** @param {number} ofOne @param {number} [least] */
  const times = (ofOne, least = 1) => Math.max(least, Math.round(ofOne * scale));
  // Conversations overlap in time: consecutive runs of a round belong to different conversations.
  const width = Math.max(1, Math.round(scale));
  const round = { threads: 4 * width, agentRuns: 16 * width, conversations: 2 * width, runs: 20 * width };
  const users = times(20, 10);
  return {
    scale,
    round,
    runs: Math.max(1, Math.ceil((RUNS * scale) / round.runs)) * round.runs,
    users,
    keysOfUser: 2,
    sessionsOfUser: 40,
    clients: times(10, 2),
    grants: times(600, 12),
    scimGroups: Math.min(500, times(3, 2)),
    skills: times(40, 8),
    agents: times(15, 6),
    servers: times(4, 2),
    toolsOfServer: 12,
    plugins: times(4, 3),
    content: times(100, 10),
    files: times(60, 6),
    /** Number of files whose text is indexed, and number of passages in each of these files. */
    knowledge: times(12, 2),
    passagesOfFile: 20,
    sources: Math.min(MOST_SOURCES, times(6, 2)),
    models: Math.min(MOST_MODELS, times(2, 2)),
    prompts: times(30, 6),
    versions: 4,
    blocks: times(20, 4),
    artifacts: times(20, 4),
    webhooks: Math.min(MOST_WEBHOOKS, times(2, 2)),
    triggers: Math.min(MOST_TRIGGERS, times(6, 4)),
    /** Number of budgets of agents. The number of budgets of users is the same. */
    budgets: Math.min(100, times(4, 4)),
  };
}

/** @typedef {ReturnType<typeof figuresOf>} Figures */
