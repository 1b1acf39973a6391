/** `npm run files:endure` kills often and streams much; every other test run does little of either. */
export const scaleSettings = (): { kills: number; megabytes: number } => ({
  kills: Number(process.env['UPLOAD_KILLS'] ?? 4),
  megabytes: Number(process.env['UPLOAD_MEGABYTES'] ?? 64),
});
