import { useProjectName } from '../api/projects.js';

export function ProjectName({ id }: { id: string }) {
  const nameOf = useProjectName();
  return <bdi>{nameOf(id)}</bdi>;
}
