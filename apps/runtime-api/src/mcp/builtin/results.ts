import type { CallToolResult } from '@modelcontextprotocol/server';

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

export const failure = (text: string): CallToolResult => ({ ...textResult(text), isError: true });
