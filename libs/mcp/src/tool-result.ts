import { z } from 'zod';

/** A tool's answer for a model. A failure of the tool is also an answer. */
export interface McpToolResult {
  is_error: boolean;
  text: string;
}

const LONGEST_TEXT = 256 * 1024;

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  mimeType: z.string().optional(),
  uri: z.string().optional(),
  resource: z.looseObject({ uri: z.string(), text: z.string().optional() }).optional(),
});

const Result = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(Part).default([]),
  structuredContent: z.unknown().optional(),
});

/** The result of `tools/call` as text. Parts of other types are replaced by their names. @throws ZodError for another value */
export function toToolResult(result: unknown): McpToolResult {
  const { isError = false, content, structuredContent } = Result.parse(result);
  const parts = content.map(partText);
  // Structured content usually comes with a text. Without a text, the structured content itself is used.
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return { is_error: isError, text: shortened(parts.join('\n')) };
}

function partText({ type, text, mimeType, uri, resource }: z.output<typeof Part>): string {
  if (type === 'text') return text ?? '';
  if (resource) return resource.text ?? `[${resource.uri}]`;
  return `[${[type, mimeType, uri].filter((word) => word !== undefined).join(' ')}]`;
}

export function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}\n[cut here]`;
}
