/** Settings of `npm run files:soak`. Other test runs kill few processes. */
export const scaleSettings = (): { kills: number; megabytes: number } => ({
  kills: Number(process.env['UPLOAD_KILLS'] ?? 2),
  megabytes: Number(process.env['UPLOAD_MEGABYTES'] ?? 256),
});
