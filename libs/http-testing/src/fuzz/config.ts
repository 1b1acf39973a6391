/** Settings of the fuzz tests. `npm run fuzz` sends many requests; every other test run sends few. */
export const fuzzSettings = (): { requests: number; seed: number; timeoutMs: number } => {
  const requests = Number(process.env['FUZZ_REQUESTS'] ?? 400);
  const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1e9));
  return { requests, seed, timeoutMs: 60_000 + requests * 100 };
};
