/** The files of `docs/` in the order of the navigation, by section. A test refuses a guide that is missing here. */
export const CONTENTS: readonly { title: string; files: readonly string[] }[] = [
  {
    title: 'Start',
    files: [
      'guides/index.md',
      'guides/concepts.md',
      'guides/quickstart.md',
      'guides/connect.md',
      'guides/agent-with-tools.md',
      'guides/models-and-providers.md',
      'guides/from-openai.md',
      'guides/from-langfuse.md',
      'guides/approvals-and-budgets.md',
    ],
  },
  {
    title: 'Build',
    files: [
      'agents.md',
      'prompts.md',
      'models.md',
      'runs.md',
      'mcp.md',
      'a2a.md',
      'compatibility.md',
      'triggers.md',
      'webhooks.md',
      'guards.md',
      'approvals.md',
      'budgets.md',
      'cli.md',
    ],
  },
  {
    title: 'Operate',
    files: [
      'guides/deploy.md',
      'backup.md',
      'projects.md',
      'upgrading.md',
      'security.md',
      'sso.md',
      'openid.md',
      'privacy.md',
      'ARCHITECTURE.md',
      'performance.md',
      'glossary.md',
    ],
  },
];

/** Returns the address of the page that is made from a file. The address of a guide does not contain the folder of the guides. */
export const addressOfFile = (file: string): string =>
  file
    .replace(/^guides\//, '')
    .replace(/\.md$/, '')
    .replace(/^index$/, '')
    .toLowerCase();
