import { z } from 'zod';
import type { RegistryEntry, ServerDraft } from './mcp-registry.contract.js';

const text = (most: number) => z.string().max(most);
const described = {
  description: text(1_000).default(''),
  isRequired: z.boolean().default(false),
  isSecret: z.boolean().default(false),
  value: text(4_096).optional(),
  default: text(4_096).optional(),
  choices: z.array(text(200)).max(50).nullish(),
};
const Variable = z.object(described);
type Variable = z.output<typeof Variable>;
const Variables = z
  .record(text(100), Variable)
  .refine((variables) => Object.keys(variables).length <= 20)
  .nullish();

const Remote = z.object({
  type: text(50),
  url: text(2_000).min(1),
  headers: z
    .array(z.object({ ...described, name: text(100).min(1), variables: Variables }))
    .max(20)
    .nullish(),
  variables: Variables,
});
type Remote = z.output<typeof Remote>;

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** An entry of the official registry's API (v0.1); members that drafts do not need are ignored. */
const Entry = z.object({
  server: z.object({
    name: text(200).min(1),
    title: text(200).nullish(),
    description: text(2_000).default(''),
    version: text(255),
    remotes: z.array(Remote).max(10).nullish(),
  }),
  _meta: z.object({ [OFFICIAL]: z.object({ status: text(50).optional() }).optional() }).optional(),
});

export const RegistryPage = z.object({
  servers: z.array(z.unknown()).max(100).nullable(),
  metadata: z.object({ nextCursor: z.string().optional() }).optional(),
});

/** Replaces each `{name}` by the value that the registry proposes. */
const filled = (template: string, variables: Readonly<Record<string, Variable>>): string =>
  template.replaceAll(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return (variable?.value ?? variable?.default) || whole;
  });

function toDraft({
  name,
  title,
  description,
}: {
  name: string;
  title?: string | null | undefined;
  description: string;
}) {
  return ({ url: address, headers, variables }: Remote): ServerDraft => {
    const url = filled(address, variables ?? {});
    const own = (headers ?? []).map((header) => ({
      name: header.name,
      value: filled(header.value ?? header.default ?? '', header.variables ?? {}),
      description: header.description,
      is_required: header.isRequired,
      is_secret: header.isSecret,
    }));
    const templates = [url, ...own.map(({ value }) => value)];
    const known = [variables, ...(headers ?? []).map((header) => header.variables)];
    const inputs = known.flatMap((each) =>
      Object.entries(each ?? {})
        .filter(([input]) => templates.some((template) => template.includes(`{${input}}`)))
        .map(([input, variable]) => ({
          name: input,
          description: variable.description,
          is_required: variable.isRequired,
          is_secret: variable.isSecret,
          choices: variable.choices ?? [],
        })),
    );
    return { name: title?.trim() || (name.split('/').at(-1) ?? name), description, url, headers: own, inputs };
  };
}

/** Parses an entry of a registry. */
export function readEntry(entry: unknown): RegistryEntry | 'malformed' | 'deleted' {
  const { data } = Entry.safeParse(entry);
  if (!data) return 'malformed';
  const { server, _meta: meta } = data;
  const status = meta?.[OFFICIAL]?.status;
  if (status === 'deleted') return 'deleted';
  const remotes = (server.remotes ?? []).filter(({ type }) => type === 'streamable-http');
  return {
    name: server.name,
    title: server.title ?? null,
    description: server.description,
    version: server.version,
    is_deprecated: status === 'deprecated',
    drafts: remotes.map(toDraft(server)),
  };
}
