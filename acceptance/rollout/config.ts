/** `npm run rollout` updates every service and counts requests; `npm test` updates one service behind the gateway. */
export const isFullRun = process.env['ROLLOUT'] === 'full';
