// @ts-check

/** The packages of npm that clients need, each with the version that is checked. */
export const NPM_PACKAGES = {
  '@a2a-js/sdk': '1.3.0',
  '@ai-sdk/anthropic': '4.0.105',
  '@ai-sdk/mcp': '2.0.99',
  '@ai-sdk/openai': '4.0.118',
  '@anthropic-ai/sdk': '1.12.0',
  '@langchain/core': '1.4.0',
  '@langchain/mcp-adapters': '1.1.4',
  '@langchain/openai': '1.6.0',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@openai/agents': '0.20.0',
  ai: '7.0.173',
  openai: '7.57.0',
  zod: '4.6.7',
};

/** The packages of PyPI. */
export const PYTHON_PACKAGES = { openai: '3.22.1' };
