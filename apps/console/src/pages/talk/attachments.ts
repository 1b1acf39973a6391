/** A text file that is sent as part of a message. */
export interface Attachment {
  name: string;
  text: string;
}

/** Limits of a message: the API's limit of characters, and the limits of the files in it. */
export const MOST_CHARACTERS = 200_000;
export const MOST_FILES = 10;
const MOST_BYTES = 4 * MOST_CHARACTERS;

/** Reads a file as text. @throws Error when it is too large or no text */
export async function readAttachment(file: Pick<File, 'name' | 'size' | 'arrayBuffer'>): Promise<Attachment> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large for a message.`);
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return { name: file.name, text };
  } catch {
    // Falls through to the refusal below.
  }
  throw new Error(`${file.name} is not a text file. Only text can be sent to the agent.`);
}

/** Makes the content of a message with its files. Each file is in a code block that its text cannot end. */
export function contentWith(text: string, files: readonly Attachment[]): string {
  return [text.trim(), ...files.map(blockOf)].filter((part) => part !== '').join('\n\n');
}

function blockOf({ name, text }: Attachment): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `File ${JSON.stringify(name)}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
