// @ts-check

/** This program runs the checks of one client, whose file is the argument. It writes a line of JSON for each check. */
const MOST_MS = 120_000;

// When a client rejects a promise that no code awaits, the other checks must still run. The check of that client then fails by its time limit.
process.on('unhandledRejection', (error) => console.error(error));

const [file = ''] = process.argv.slice(2);
const { checks } = await import(`./${file}`);
const installation = JSON.parse(process.env['INSTALLATION'] ?? '{}');
for (const [what, check] of Object.entries(checks(installation))) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no result within ${MOST_MS / 1_000} seconds`)), MOST_MS).unref();
  });
  /** @type {string | null} */
  let fault = null;
  try {
    await Promise.race([check(), late]);
  } catch (error) {
    console.error(error);
    fault = String(error).replaceAll(/\s+/g, ' ').slice(0, 500);
  }
  console.log(JSON.stringify({ what, fault }));
}
// Connections that a client keeps open would keep the process running.
process.exit();
