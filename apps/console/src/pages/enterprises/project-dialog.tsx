import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { send } from '../../api/api.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { ApiError } from '../../api/client.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { faultsOfForm } from '../../ui/form-faults.js';
import { showFailure, useAction } from '../../ui/use-action.js';
import { PROJECT_KEYS } from './project-keys.js';

/** Maximum length of a project's name in the API. */
const NAME_LENGTH = 60;

interface ProjectDialogProps {
  opened: boolean;
  close: () => void;
  /** The project to rename. If undefined, the dialog makes a new project. */
  project?: { id: string; name: string };
  onMade?: (project: AdminAnswers['createProject']) => void;
}

/** The dialog that makes or renames a project. */
export function ProjectDialog({ opened, close, ...props }: ProjectDialogProps) {
  return (
    <Modal opened={opened} onClose={close} title={props.project ? 'Rename project' : 'New project'}>
      <Fields close={close} {...props} />
    </Modal>
  );
}

function Fields({ close, project, onMade }: Omit<ProjectDialogProps, 'opened'>) {
  const form = useForm({
    initialValues: { name: project?.name ?? '' },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const save = useAction(
    ({ name }: typeof form.values) =>
      project
        ? send<AdminAnswers['renameProject']>('PATCH', `/enterprises/${project.id}`, { name: name.trim() })
        : send<AdminAnswers['createProject']>('POST', '/enterprises', { name: name.trim() }),
    {
      refresh: PROJECT_KEYS,
      done: ({ name }) => (project ? 'The project is renamed.' : `${name} is ready. Add its members under Users.`),
      onDone: (saved) => {
        close();
        onMade?.(saved);
      },
      onError: (error, _input, toast) => {
        const taken = takenName(error);
        if (taken === undefined) showFailure(error, toast, faultsOfForm(form));
        else form.setFieldError('name', taken);
      },
    },
  );
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description={
            project
              ? `Its id stays ${project.id}.`
              : 'Its id is made from the name and never changes. Its records, keys and logs carry the id.'
          }
          maxLength={NAME_LENGTH}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <DialogActions close={close} isWorking={save.isPending}>
          {project ? 'Rename' : 'Create project'}
        </DialogActions>
      </Stack>
    </form>
  );
}

/** Returns a message for the field of the name when another project has the same name. */
function takenName(error: Error): string | undefined {
  const isTaken = error instanceof ApiError && error.code === 'conflict' && / name: /.test(error.message);
  return isTaken ? 'Another project has this name. Choose another.' : undefined;
}
