// @ts-check

/** Runs the checks of one client, and writes a line of JSON for each. The argument is the client's file. */
const MOST_MS = 120_000;

// A promise that a client rejects and no code awaits must not end the other checks. The check with that promise fails by its time limit.
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
