import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { chooseProject, PROJECTS, useProject, type Project } from '../api/project.js';
import classes from './shell.module.css';

/** In which project an administrator builds and talks. */
export function ProjectMenu() {
  const project = useProject();
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          rightSection={<IconChevronDown size={14} stroke={1.7} />}
          aria-label={`Project: ${project}`}
        >
          <span className={classes.projectWord}>Project: </span>
          {project}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Project</Menu.Label>
        <Menu.RadioGroup value={project} onChange={(value) => chooseProject(value as Project)}>
          {PROJECTS.map((name) => (
            <Menu.RadioItem key={name} value={name} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
