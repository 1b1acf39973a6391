// @ts-check

/** Stops the servers that global-setup.mjs started. */
export default async function tearDown() {
  const { stopTestServers } = /** @type {{ stopTestServers?: () => Promise<void> }} */ (globalThis);
  await stopTestServers?.();
}
