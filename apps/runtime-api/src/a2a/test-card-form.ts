import { z } from 'zod';

const text = z.string().min(1);
const scopes = z.record(z.string(), z.string());

const Requirement = z.strictObject({ schemes: z.record(z.string(), z.strictObject({ list: z.array(text) })) });

const OAuth = z.strictObject({
  flows: z.union([
    z.strictObject({
      authorizationCode: z.strictObject({
        authorizationUrl: z.url(),
        tokenUrl: z.url(),
        refreshUrl: z.url().optional(),
        scopes,
        pkceRequired: z.boolean().optional(),
      }),
    }),
    z.strictObject({
      clientCredentials: z.strictObject({ tokenUrl: z.url(), refreshUrl: z.url().optional(), scopes }),
    }),
  ]),
  oauth2MetadataUrl: z.url().optional(),
});

/**
 * The message AgentCard of A2A 1.0 and the messages that it contains, as JSON Schema. Required fields are required, and unknown fields are
 * refused.
 */
export const CardForm = z.strictObject({
  name: text,
  description: text,
  version: text,
  supportedInterfaces: z
    .array(z.strictObject({ url: z.url(), protocolBinding: text, protocolVersion: z.string().regex(/^\d+\.\d+$/) }))
    .min(1),
  documentationUrl: z.url().optional(),
  capabilities: z.strictObject({
    streaming: z.boolean().optional(),
    pushNotifications: z.boolean().optional(),
    extendedAgentCard: z.boolean().optional(),
    extensions: z
      .array(z.strictObject({ uri: z.url(), description: text, required: z.boolean().optional() }))
      .optional(),
  }),
  securitySchemes: z.record(z.string(), z.strictObject({ oauth2SecurityScheme: OAuth })),
  securityRequirements: z.array(Requirement).min(1),
  defaultInputModes: z.array(text).min(1),
  defaultOutputModes: z.array(text).min(1),
  skills: z.array(z.strictObject({ id: text, name: text, description: text, tags: z.array(text).min(1) })).min(1),
  signatures: z.array(z.strictObject({ protected: text, signature: text })).min(1),
});
