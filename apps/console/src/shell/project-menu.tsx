import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { chooseProject, PROJECTS, useProject } from '../api/project.js';
import classes from './shell.module.css';

/** The choice of the project an administrator works in. */
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
        <Menu.RadioGroup value={project} onChange={(value) => chooseProject(value)}>
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
