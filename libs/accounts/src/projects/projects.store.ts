import { recordDecision, type Actor } from '@millwright/audit';
import {
  isSpecifiedProject,
  NO_SUCH_PROJECT,
  PROJECT_ID,
  SPECIFIED_PROJECTS,
  type Project,
} from '@millwright/auth/projects';
import { ADVISORY_LOCKS, isUniqueViolation, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { z } from 'zod';
import { parseField } from '../fields.js';
import { requireEmpty, revokeOfProject } from './delete-project.js';

/** Maximum number of projects of an installation, including Core and Commerce. */
export const MOST_PROJECTS = 50;

/** Maximum length of a project's name. */
export const PROJECT_NAME_LENGTH = 60;

export interface ProjectRecord {
  id: Project;
  name: string;
}

type Reader = Pick<Tx, '$queryRaw'>;

const LENGTH = `must be 1 to ${PROJECT_NAME_LENGTH} characters`;

/**
 * Name of a project. Several blanks in a row become one. Invisible characters are refused, because two different names
 * must also look different.
 */
const ProjectName = z
  .string()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must have no control characters and no line breaks')
  .transform((name) => name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim())
  .pipe(z.string().min(1, LENGTH).max(PROJECT_NAME_LENGTH, LENGTH));

/** Lists the projects of the installation: first Core and Commerce, then the other projects by name. */
export async function listProjects(db: Reader): Promise<ProjectRecord[]> {
  return db.$queryRaw<ProjectRecord[]>`
    SELECT id, name FROM projects WHERE deleted_at IS NULL
     ORDER BY CASE id WHEN 'Core' THEN 0 WHEN 'Commerce' THEN 1 ELSE 2 END, lower(name), id`;
}

/** Returns every project to which records or sums of usage may belong, including deleted projects. */
export async function allProjects(db: Reader): Promise<Project[]> {
  const rows = await db.$queryRaw<{ id: Project }[]>`
    SELECT id FROM projects ORDER BY CASE id WHEN 'Core' THEN 0 WHEN 'Commerce' THEN 1 ELSE 2 END, created_at, id`;
  return rows.map(({ id }) => id);
}

/** Whether the project exists. Always true for Core and Commerce. */
export async function isProject(db: Reader, id: Project): Promise<boolean> {
  if (isSpecifiedProject(id)) return true;
  const found = await db.$queryRaw<unknown[]>`SELECT 1 FROM projects WHERE id = ${id} AND deleted_at IS NULL`;
  return found.length > 0;
}

/** Requires that a project exists. @throws AppError validation_error with the field `field` when the project does not exist. */
export async function requireProject(db: Reader, id: Project, field = 'project'): Promise<void> {
  if (await isProject(db, id)) return;
  const [made] = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM projects WHERE deleted_at IS NULL AND id <> ALL(${[...SPECIFIED_PROJECTS]}) LIMIT 1`;
  throw invalidField(field, made === undefined ? NO_SUCH_PROJECT : 'is not a project');
}

/**
 * Refuses a request for a project by a person who works in another project. The answer does not reveal whether the
 * project exists.
 *
 * @throws AppError forbidden for Core and Commerce, validation_error with the field `field` for any other project.
 */
export function refuseOtherProject(id: Project, field = 'project'): never {
  throw isSpecifiedProject(id) ? new AppError('forbidden') : invalidField(field, NO_SUCH_PROJECT);
}

/**
 * Creates a project. Its id is derived from the name, and stays the same when the name changes.
 *
 * @throws AppError validation_error with the field `name` when the name is not allowed; conflict for a name in use, and when the installation has the
 * maximum number of projects.
 */
export async function createProject(tx: Tx, wanted: string, actor: Actor): Promise<ProjectRecord> {
  const name = parseField('name', ProjectName, wanted);
  // Only one transaction at a time creates a project, so that all projects are counted and no two projects get the same
  // id.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.projects})`;
  const rows = await tx.$queryRaw<{ id: Project; is_live: boolean }[]>`
    SELECT id, deleted_at IS NULL AS is_live FROM projects`;
  if (rows.filter(({ is_live }) => is_live).length >= MOST_PROJECTS) {
    const reason = `the installation has ${MOST_PROJECTS}, the most it may have; delete one that is not used`;
    throw new AppError('conflict', { fields: [{ field: 'projects', reason }] });
  }
  const id = freeId(name, new Set(rows.map((row) => row.id.toLowerCase())));
  await tx.$executeRaw`INSERT INTO projects (id, name) VALUES (${id}, ${name})`.catch(conflictOfName);
  await recordDecision(tx, { actor, action: 'project.create', resource: id, project: id, detail: { name } });
  return { id, name };
}

/**
 * Changes the name of a project. A name that is the same is not a change.
 *
 * @throws AppError not_found; validation_error with the field `name` when the name is not allowed; conflict for Core
 * and Commerce, and for a name in use.
 */
export async function renameProject(tx: Tx, id: Project, wanted: string, actor: Actor): Promise<ProjectRecord> {
  const name = parseField('name', ProjectName, wanted);
  const former = await lockProject(tx, id);
  if (former.name === name) return former;
  await tx.$executeRaw`UPDATE projects SET name = ${name} WHERE id = ${id}`.catch(conflictOfName);
  const detail = { name: { from: former.name, to: name } };
  await recordDecision(tx, { actor, action: 'project.rename', resource: id, project: id, detail });
  return { id, name };
}

/**
 * Deletes a project without members and records, and revokes the credentials that are left in it. The audit log and the sums of usage stay, and the
 * id of the project is never used again.
 *
 * @throws AppError not_found; conflict for Core and Commerce; conflict for a project that is not empty, with a list of what the project contains.
 */
export async function deleteProject(tx: Tx, id: Project, actor: Actor): Promise<void> {
  const { name } = await lockProject(tx, id);
  await requireEmpty(tx, id);
  const revoked = await revokeOfProject(tx, id);
  await tx.$executeRaw`UPDATE projects SET deleted_at = now() WHERE id = ${id}`;
  await recordDecision(tx, {
    actor,
    action: 'project.delete',
    resource: id,
    project: id,
    detail: { name, revoked: { ...revoked } },
  });
}

/**
 * Locks a project until the transaction ends. Transactions that create accounts or credentials of the project wait.
 *
 * @throws AppError not_found; conflict for Core and Commerce, which never change.
 */
async function lockProject(tx: Tx, id: Project): Promise<ProjectRecord> {
  if (isSpecifiedProject(id)) {
    throw new AppError('conflict', { fields: [{ field: 'project', reason: `${id} is never renamed or deleted` }] });
  }
  const [row] = await tx.$queryRaw<ProjectRecord[]>`
    SELECT id, name FROM projects WHERE id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  if (!row) throw new AppError('not_found');
  return row;
}

/** Ids that could be mistaken for all projects, or for no project. */
const RESERVED = ['all', 'project'];
const LONGEST_STEM = 36;

/**
 * Returns the id for a name: the letters and digits of the name in lower case, joined by hyphens. A number is added
 * when that id is taken.
 */
function freeId(name: string, taken: ReadonlySet<string>): Project {
  const words =
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const stem = words.join('-').slice(0, LONGEST_STEM).replace(/-$/, '') || 'project';
  const isFree = (id: string) => !taken.has(id) && !RESERVED.includes(id) && PROJECT_ID.test(id);
  let id = stem;
  for (let number = 2; !isFree(id); number += 1) id = `${stem}-${number}`;
  return id;
}

function conflictOfName(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new AppError('conflict', {
    cause: error,
    fields: [{ field: 'name', reason: 'is the name of another project' }],
  });
}
