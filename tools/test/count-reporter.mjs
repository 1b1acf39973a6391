// @ts-check

/**
 * Stores the counts of a `node --test` run in the form of the Jest reporter.
 *
 * @param {AsyncIterable<{ type: string, data: { details?: { type?: string } } }>} events
 */
export default async function* countTests(events) {
  const counts = { passed: 0, failed: 0 };
  for await (const { type, data } of events) {
    if (data.details?.type === 'suite') continue;
    if (type === 'test:pass') counts.passed += 1;
    if (type === 'test:fail') counts.failed += 1;
  }
  yield JSON.stringify(counts);
}
