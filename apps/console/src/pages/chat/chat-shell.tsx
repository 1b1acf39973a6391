import { Burger, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencilPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Outlet, useNavigate, useParams } from 'react-router';
import type { Me } from '../../api/admin-records.js';
import { resource } from '../../api/api.js';
import { chooseProject, isProjectChosen, useProject } from '../../api/project.js';
import { AUDIT_ROLES, hasRole, PROJECT_ROLES } from '../../api/roles.js';
import mark from '../../shell/mark.svg';
import { ProjectMenu } from '../../shell/project-menu.js';
import frame from '../../shell/shell.module.css';
import { ThemeMenu } from '../../shell/theme-menu.js';
import { UserMenu } from '../../shell/user-menu.js';
import { Failure } from '../../ui/failure.js';
import { ConversationList } from '../talk/conversation-list.js';
import { useAgentNames } from '../talk/use-agent-names.js';
import classes from './chat.module.css';

const Overlays = lazy(async () => ({ default: (await import('../../shell/overlays.js')).Overlays }));

/** The frame of the chat: the list of the user's conversations beside the open conversation. On phones, a button opens the list. */
function ChatShell() {
  const [opened, { toggle, close }] = useDisclosure();
  const me = useQuery(resource<Me>('/me'));
  const project = useProject();
  const navigate = useNavigate();
  const { context } = useParams();
  useEffect(() => {
    // Another account may have chosen a project in this browser. Users who are not administrators work only in their own project.
    if (me.data && !me.data.is_admin && isProjectChosen()) chooseProject(me.data.project);
  }, [me.data]);
  return (
    <>
      <a href="#main" className={frame.skip}>
        Skip to content
      </a>
      <header className={frame.header}>
        <Group gap="xs" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? 'Close conversations' : 'Open conversations'}
            aria-expanded={opened}
          />
          <Link to="/" className={frame.brand} onClick={close}>
            <img src={mark} alt="" width={24} height={24} />
            Millwright
          </Link>
        </Group>
        <Group gap="xs" wrap="nowrap">
          {me.data?.is_admin && <ProjectMenu />}
          {hasRole(me.data?.roles, [...PROJECT_ROLES, ...AUDIT_ROLES]) && (
            <Button component="a" href="/admin" variant="subtle" color="gray" size="compact-md">
              Console
            </Button>
          )}
          <ThemeMenu />
          {me.data && <UserMenu me={me.data} />}
        </Group>
      </header>
      <div className={frame.navbar} data-closed={!opened}>
        <nav aria-label="Conversations" className={classes.side}>
          <Button
            component={Link}
            to="/"
            variant="default"
            fullWidth
            leftSection={<IconPencilPlus size={16} stroke={1.7} />}
            onClick={close}
          >
            New conversation
          </Button>
          {me.data && (
            <Conversations
              key={project}
              current={context}
              onOpen={close}
              onDeleted={() => void navigate('/', { replace: true })}
            />
          )}
        </nav>
      </div>
      <main id="main" tabIndex={-1} className={frame.main}>
        <div className={classes.page}>
          {me.error && !me.data ? (
            <Failure error={me.error} retry={() => void me.refetch()} />
          ) : (
            <Outlet key={project} />
          )}
        </div>
      </main>
      <Suspense>
        <Overlays />
      </Suspense>
    </>
  );
}

interface ConversationsProps {
  current: string | undefined;
  onOpen: () => void;
  onDeleted: () => void;
}

function Conversations(props: ConversationsProps) {
  const nameOf = useAgentNames();
  return <ConversationList {...props} addressOf={(id) => `/${id}`} nameOf={(slug) => nameOf(slug).name} />;
}

export { ChatShell as Component };
