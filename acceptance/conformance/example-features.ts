import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PIXEL } from './example-tools.js';

const HINT = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** Registers the resources that the conformance runner reads. */
export function addExampleResources(mcp: McpServer): void {
  const text = (name: string, uri: string, content: string) =>
    mcp.registerResource(name, uri, { mimeType: 'text/plain', cacheHint: HINT }, () => ({
      contents: [{ uri, mimeType: 'text/plain', text: content }],
    }));
  text('static-text', 'test://static-text', 'This is the content of the static text resource.');
  text('watched-resource', 'test://watched-resource', 'Watched resource content');
  const binary = 'test://static-binary';
  mcp.registerResource('static-binary', binary, { mimeType: 'image/png', cacheHint: HINT }, () => ({
    contents: [{ uri: binary, mimeType: 'image/png', blob: PIXEL }],
  }));
  mcp.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json', cacheHint: HINT },
    ({ href }, { id }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
    }),
  );
}

const user = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });

/** Registers the prompts that the conformance runner requests. */
export function addExamplePrompts(mcp: McpServer): void {
  mcp.registerPrompt('test_simple_prompt', { description: 'Without arguments.' }, () => ({
    messages: [user('This is a simple prompt for testing.')],
  }));
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With two arguments.', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        user('Please process the embedded resource above.'),
      ],
    }),
  );
  mcp.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      user('Please analyze the image above.'),
    ],
  }));
}
