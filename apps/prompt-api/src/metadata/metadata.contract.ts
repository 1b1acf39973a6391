import { z } from 'zod';

export const Status = z.enum(['draft', 'published', 'archived']);
export type Status = z.output<typeof Status>;

/** Metadata of a new record. Other keys are ignored, because known clients send more. */
export const NewMetadata = z.object({
  title: z.string().max(500).default(''),
  description: z.string().max(10_000).default(''),
  tag: z.array(z.string().min(1).max(100)).max(50).default([]),
  log_message: z.string().max(2_000).default(''),
  status: Status.default('published'),
});
export type NewMetadata = z.output<typeof NewMetadata>;

/** Metadata of a PUT: an omitted field keeps its value; `version`, when sent, must be the current version. */
export const MetadataChanges = z.object({
  title: z.string().max(500).optional(),
  description: z.string().max(10_000).optional(),
  tag: z.array(z.string().min(1).max(100)).max(50).optional(),
  log_message: z.string().max(2_000).optional(),
  status: Status.optional(),
  version: z.int().optional(),
});
export type MetadataChanges = z.output<typeof MetadataChanges>;

export const Metadata = z.object({
  title: z.string(),
  description: z.string(),
  tag: z.array(z.string()),
  log_message: z.string(),
  created: z.string(),
  updated: z.string(),
  version: z.int(),
  status: Status,
  author: z.string(),
});
export type Metadata = z.output<typeof Metadata>;

/** The reason why a caller moves or deletes a protected label, or deletes a prompt with such a label. */
export const Reason = z.string().trim().min(1).max(2_000).optional();
