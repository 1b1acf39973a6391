import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ListQuery } from '../metadata/list.contract.js';
import { Metadata, MetadataChanges, NewMetadata } from '../metadata/metadata.contract.js';

const Content = z.string().max(1_000_000);

/** A text that a client stores, such as the output of a run. */
export const Artifact = z.object({ id: z.string(), content: z.string(), metadata: Metadata, _link: z.string() });
export type Artifact = z.output<typeof Artifact>;

export const NewArtifact = z.object({ content: Content, metadata: NewMetadata });
export type NewArtifact = z.output<typeof NewArtifact>;

export const ArtifactChanges = z.object({ content: Content.optional(), metadata: MetadataChanges.optional() });
export type ArtifactChanges = z.output<typeof ArtifactChanges>;

const params = z.object({ uuid: z.uuid() });
const one = { status: 200, description: 'The artifact', body: Artifact } as const;

const artifacts = { tag: 'Artifacts', limit: 'credential' } as const;

export const createArtifact = endpoint({
  ...artifacts,
  operationId: 'createArtifact',
  method: 'POST',
  path: '/v1/artifact',
  summary: 'Create an artifact',
  access: { scope: 'artifacts:write' },
  body: NewArtifact,
  success: { status: 201, description: 'The new artifact', body: Artifact },
  errors: [],
});

export const listArtifacts = endpoint({
  ...artifacts,
  operationId: 'listArtifacts',
  method: 'GET',
  path: '/v1/artifact',
  summary: 'List artifacts',
  access: { scope: 'artifacts:read' },
  query: ListQuery,
  success: { status: 200, description: 'A page of artifacts', body: z.array(Artifact) },
  errors: [],
});

export const getArtifact = endpoint({
  ...artifacts,
  operationId: 'getArtifact',
  method: 'GET',
  path: '/v1/artifact/{uuid}',
  summary: 'Read an artifact',
  access: { scope: 'artifacts:read' },
  params,
  success: one,
  errors: [],
});

export const updateArtifact = endpoint({
  ...artifacts,
  operationId: 'updateArtifact',
  method: 'PUT',
  path: '/v1/artifact/{uuid}',
  summary: 'Change an artifact',
  access: { scope: 'artifacts:write' },
  params,
  body: ArtifactChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteArtifact = endpoint({
  ...artifacts,
  operationId: 'deleteArtifact',
  method: 'DELETE',
  path: '/v1/artifact/{uuid}',
  summary: 'Delete an artifact',
  access: { scope: 'artifacts:write' },
  params,
  success: { status: 204, description: 'The artifact is deleted' },
  errors: ['precondition_failed'],
});
