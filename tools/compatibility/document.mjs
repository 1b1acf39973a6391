// @ts-check

const HEAD = `# Compatibility

Published clients against an installation with a test model, each with nothing but a base address and an API key. \`npm run compatibility\` installs them, runs every check and writes this page.

`;

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

/** @param {string | null} fault */
const resultOf = (fault) => (fault === null ? 'works' : `fails: ${cell(fault)}`);

/**
 * Makes the page: one table of the clients, and one table of the checks of each client.
 *
 * @param {import('./run-clients.mjs').ClientResult[]} results
 */
export function documentOf(results) {
  const overview = results.map(({ title, versions, checks }) => {
    const good = checks.filter(({ fault }) => fault === null).length;
    return `| ${title} | ${versions.map((version) => `\`${version}\``).join(', ')} | ${good} of ${checks.length} work |`;
  });
  const details = results.map(
    ({ title, checks }) =>
      `## ${title}\n\n| What | Result |\n|---|---|\n${checks
        .map(({ what, fault }) => `| ${cell(what)} | ${resultOf(fault)} |`)
        .join('\n')}\n`,
  );
  return `${HEAD}| Client | Versions | Checks |\n|---|---|---|\n${overview.join('\n')}\n\n${details.join('\n')}`;
}
