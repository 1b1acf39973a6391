/** Settings from environment variables. `npm run files:soak` sets more kills; other test runs use the default. */
export const scaleSettings = (): { kills: number; megabytes: number } => ({
  kills: Number(process.env['UPLOAD_KILLS'] ?? 2),
  megabytes: Number(process.env['UPLOAD_MEGABYTES'] ?? 256),
});
