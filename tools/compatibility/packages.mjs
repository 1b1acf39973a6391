// @ts-check

/** The packages of npm that clients need, each with the version that is checked. */
export const NPM_PACKAGES = {
  '@a2a-js/sdk': '1.3.0',
  '@ai-sdk/anthropic': '4.0.105',
  '@ai-sdk/mcp': '2.0.99',
  '@ai-sdk/openai': '4.0.118',
  '@anthropic-ai/sdk': '1.12.0',
  '@auth/core': '0.41.3',
  '@genkit-ai/compat-oai': '1.42.0',
  '@hey-api/openapi-ts': '0.99.0',
  '@langchain/core': '1.4.0',
  '@langchain/mcp-adapters': '1.1.4',
  '@langchain/openai': '1.6.0',
  '@llamaindex/core': '0.6.23',
  '@llamaindex/openai': '0.4.23',
  '@llamaindex/tools': '0.2.1',
  '@llamaindex/workflow': '1.1.25',
  '@mastra/core': '1.71.0',
  '@mastra/mcp': '2.0.0',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@openai/agents': '0.20.0',
  ai: '7.0.173',
  'better-auth': '1.7.25',
  genkit: '1.42.0',
  'mcp-remote': '0.15.1',
  openai: '7.57.0',
  'openid-client': '6.8.9',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  orval: '8.38.0',
  'passport-oauth2': '1.8.0',
  'passport-openidconnect': '0.1.2',
  typescript: '5.9.3',
  zod: '4.6.7',
};

/** Packages of PyPI with their versions. */
export const PYTHON_PACKAGES = { openai: '3.22.1' };
