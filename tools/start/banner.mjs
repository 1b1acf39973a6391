// @ts-check

/**
 * Returns the text that `npm start` prints: the next steps, with curl commands that work unchanged.
 *
 * @param {any} platform the content of platform.json
 * @param {number} seconds
 */
export function banner(platform, seconds) {
  const { base_url, runtime_url, prompt_api_url, admin, api_key, model, redis_url } = platform;
  const signIn = admin.setup_url
    ? `  Set up your passkey (${admin.email}, opens once):\n    ${admin.setup_url}`
    : `  Sign in as ${admin.email}:\n    ${base_url}/admin/login`;
  const [first, ...others] = model.names;
  const answering =
    others.length > 0
      ? `The model ${first} answers; requests may also name ${others.join(', ')}.`
      : first
        ? `The model ${first}${model.base_url ? ` at ${model.base_url}` : ''} answers.`
        : `The built-in offline model answers. Add a real one in the console: ${base_url}/admin/build/models/new`;
  const limits = redis_url
    ? 'Rate limits are counted in Redis.'
    : 'Rate limits are counted in each process, since REDIS_URL is not set.';
  const prompt =
    '{"instruction":{"static":"Answer in one sentence."},"input":{},"output":{},"metadata":{"title":"First prompt"}}';
  return `
Millwright is ready (${seconds.toFixed(1)} s).

  Console and platform API   ${base_url}
  Runtime                    ${runtime_url}
  Prompt API                 ${prompt_api_url}
  Documentation              ${base_url}/docs

${signIn}

  API key (every scope):
    ${api_key}

  Try next, in another terminal:
    curl -s ${base_url}/api/v1/skills -H 'Authorization: Bearer ${api_key}'
    curl -s ${prompt_api_url}/v1/prompt -H 'api-key: ${api_key}' -H 'Content-Type: application/json' -d '${prompt}'

  ${answering}
  ${limits}
  All of this is in .millwright/platform.json, logs in .millwright/logs. Ctrl-C stops; \`npm start -- --reset\` starts over.
`;
}
