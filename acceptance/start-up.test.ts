import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a built service with this environment and nothing else. */
function run(name: string, env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const main = fileURLToPath(new URL(`../apps/${name}/dist/main.js`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [main], { env, timeout: 20_000 }, (error, _stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr });
    });
  });
}

describe('a bad environment', () => {
  it.each([
    [
      'admin-auth',
      ['DATABASE_URL', 'PORT', 'ADMIN_PORT', 'BASE_URL', 'RUNTIME_URL', 'PROMPT_API_URL', 'SIGNING_KEY_FILE'],
    ],
    ['platform-api', ['DATABASE_URL', 'PORT', 'ADMIN_PORT', 'BASE_URL', 'SECRETS_KEYS']],
    [
      'runtime-api',
      ['DATABASE_URL', 'PORT', 'ADMIN_PORT', 'BASE_URL', 'RUNTIME_URL', 'SIGNING_KEY_FILE', 'SECRETS_KEYS'],
    ],
    ['prompt-api', ['DATABASE_URL', 'PORT', 'ADMIN_PORT', 'BASE_URL', 'PROMPT_API_URL']],
    ['gateway', ['ADMIN_PORT', 'BASE_URL', 'RUNTIME_URL', 'PROMPT_API_URL', 'PLATFORM_API_TARGETS']],
  ])(
    '%s: exits 78 and names every variable at fault, at once and without its value',
    async (name, required) => {
      const { code, stderr } = await run(name, {
        LOG_LEVEL: 'loud-secret-value',
        RATE_LIMIT_MULTIPLIER: 'minus-secret-value',
      });
      expect(code).toBe(78);
      for (const variable of [...required, 'LOG_LEVEL']) expect(stderr).toContain(`${variable}:`);
      expect(stderr).not.toContain('secret-value');
    },
    30_000,
  );
});
