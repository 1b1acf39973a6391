/** `npm run rollout` rolls everything and counts; `npm test` rolls one area. */
export const isFullRun = process.env['ROLLOUT'] === 'full';
