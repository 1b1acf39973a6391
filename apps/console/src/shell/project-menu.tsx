import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { chooseProject, FIRST_PROJECT, useProject } from '../api/project.js';
import { projectList, useProjectName, useProjects } from '../api/projects.js';
import classes from './shell.module.css';

/** Menu in which an administrator chooses the project to work in. */
export function ProjectMenu() {
  const project = useProject();
  const projects = useProjects();
  const name = useProjectName()(project);
  const { data } = useQuery(projectList());
  useEffect(() => {
    // Chooses the first project when the chosen project was deleted in the meantime.
    if (data && !data.items.some(({ id }) => id === project)) chooseProject(FIRST_PROJECT);
  }, [data, project]);
  return (
    <Menu position="bottom-end" width={projects.length > 2 ? 260 : 170}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          rightSection={<IconChevronDown size={14} stroke={1.7} />}
          aria-label={`Project: ${name}`}
        >
          <span className={classes.projectWord}>Project: </span>
          <span className={classes.projectName}>
            <bdi>{name}</bdi>
          </span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.projects}>
        <Menu.Label>Project</Menu.Label>
        <Menu.RadioGroup value={project} onChange={(value) => chooseProject(value)}>
          {projects.map((one) => (
            <Menu.RadioItem key={one.id} value={one.id} closeMenuOnClick>
              <bdi>{one.name}</bdi>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
