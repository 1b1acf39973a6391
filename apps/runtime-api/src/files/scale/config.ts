/** What `npm run files:endure` says; other test runs kill little. */
export const scaleSettings = (): { kills: number; megabytes: number } => ({
  kills: Number(process.env['UPLOAD_KILLS'] ?? 2),
  megabytes: Number(process.env['UPLOAD_MEGABYTES'] ?? 256),
});
