import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ListQuery } from '../metadata/list.contract.js';
import { Metadata, MetadataChanges, NewMetadata } from '../metadata/metadata.contract.js';

const Content = z.string().max(1_000_000);

/** Spec, "Artifact". */
export const Artifact = z.object({ id: z.string(), content: z.string(), metadata: Metadata, _link: z.string() });
export type Artifact = z.output<typeof Artifact>;

export const NewArtifact = z.object({ content: Content, metadata: NewMetadata });
export type NewArtifact = z.output<typeof NewArtifact>;

export const ArtifactChanges = z.object({ content: Content.optional(), metadata: MetadataChanges.optional() });
export type ArtifactChanges = z.output<typeof ArtifactChanges>;

const params = z.object({ uuid: z.uuid() });
const one = { status: 200, description: 'The artifact', body: Artifact } as const;

export const createArtifact = endpoint({
  operationId: 'createArtifact',
  method: 'POST',
  path: '/v1/artifact',
  summary: 'Create an artifact',
  tag: 'Artifacts',
  scope: 'artifacts:write',
  limit: 'credential',
  body: NewArtifact,
  success: { status: 201, description: 'The new artifact', body: Artifact },
  errors: [],
});

export const listArtifacts = endpoint({
  operationId: 'listArtifacts',
  method: 'GET',
  path: '/v1/artifact',
  summary: 'List artifacts',
  tag: 'Artifacts',
  scope: 'artifacts:read',
  limit: 'credential',
  query: ListQuery,
  success: { status: 200, description: 'A page of artifacts', body: z.array(Artifact) },
  errors: [],
});

export const getArtifact = endpoint({
  operationId: 'getArtifact',
  method: 'GET',
  path: '/v1/artifact/{uuid}',
  summary: 'Read an artifact',
  tag: 'Artifacts',
  scope: 'artifacts:read',
  limit: 'credential',
  params,
  success: one,
  errors: [],
});

export const updateArtifact = endpoint({
  operationId: 'updateArtifact',
  method: 'PUT',
  path: '/v1/artifact/{uuid}',
  summary: 'Change an artifact',
  tag: 'Artifacts',
  scope: 'artifacts:write',
  limit: 'credential',
  params,
  body: ArtifactChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteArtifact = endpoint({
  operationId: 'deleteArtifact',
  method: 'DELETE',
  path: '/v1/artifact/{uuid}',
  summary: 'Delete an artifact',
  tag: 'Artifacts',
  scope: 'artifacts:write',
  limit: 'credential',
  params,
  success: { status: 204, description: 'The artifact is deleted' },
  errors: ['precondition_failed'],
});
