/** `npm run rollout` rolls everything and counts; `npm test` rolls one area behind the gateway. */
export const isFullRun = process.env['ROLLOUT'] === 'full';
