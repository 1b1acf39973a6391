import { createBrowserRouter } from 'react-router';
import { CHAT } from './api/roles.js';
import { NotFound } from './shell/not-found.js';
import { RouteFailure } from './shell/route-failure.js';
import { Shell } from './shell/shell.js';

/** Routes of the chat. admin-auth answers each of these addresses with the same HTML document. */
export function createChatRouter() {
  return createBrowserRouter(
    [
      {
        lazy: () => import('./pages/chat/chat-shell.js'),
        errorElement: <RouteFailure />,
        HydrateFallback: () => null,
        children: [
          {
            errorElement: <RouteFailure />,
            children: [
              { path: ':context?', lazy: () => import('./pages/chat/chat.page.js') },
              { path: 'passages/:id', lazy: () => import('./pages/chat/passage.page.js') },
            ],
          },
        ],
      },
    ],
    { basename: CHAT },
  );
}

/** Routes of the console. A page's code is loaded on first use. admin-auth answers each of these addresses with the same HTML document. */
export function createRouter() {
  return createBrowserRouter(
    [
      {
        element: <Shell />,
        errorElement: <RouteFailure />,
        HydrateFallback: () => null,
        children: [
          {
            errorElement: <RouteFailure />,
            children: [
              { index: true, lazy: () => import('./pages/dashboard/dashboard.page.js') },
              { path: 'setup', lazy: () => import('./pages/setup/setup.page.js') },
              { path: 'connect', lazy: () => import('./pages/connect/connect.page.js') },
              { path: 'profile', lazy: () => import('./pages/profile/profile.page.js') },
              { path: 'settings', lazy: () => import('./pages/settings/settings.page.js') },
              { path: 'talk', lazy: () => import('./pages/talk/talk.page.js') },
              { path: 'talk/:agent/:context?', lazy: () => import('./pages/talk/chat.page.js') },
              { path: 'build/models', lazy: () => import('./pages/models/models.page.js') },
              { path: 'build/models/new', lazy: () => import('./pages/models/new-model.page.js') },
              { path: 'build/models/:id', lazy: () => import('./pages/models/model.page.js') },
              { path: 'build/agents', lazy: () => import('./pages/agents/agents.page.js') },
              { path: 'build/agents/new', lazy: () => import('./pages/agents/new-agent.page.js') },
              { path: 'build/agents/:id', lazy: () => import('./pages/agents/agent.page.js') },
              { path: 'build/skills', lazy: () => import('./pages/skills/skills.page.js') },
              { path: 'build/skills/new', lazy: () => import('./pages/skills/new-skill.page.js') },
              { path: 'build/skills/:id', lazy: () => import('./pages/skills/skill.page.js') },
              { path: 'build/mcp', lazy: () => import('./pages/mcp/servers.page.js') },
              { path: 'build/mcp/new', lazy: () => import('./pages/mcp/new-server.page.js') },
              { path: 'build/mcp/:id', lazy: () => import('./pages/mcp/server.page.js') },
              { path: 'build/content', lazy: () => import('./pages/content/content.page.js') },
              { path: 'build/content/new', lazy: () => import('./pages/content/new-item.page.js') },
              { path: 'build/content/:id', lazy: () => import('./pages/content/item.page.js') },
              { path: 'build/plugins', lazy: () => import('./pages/plugins/plugins.page.js') },
              { path: 'build/plugins/new', lazy: () => import('./pages/plugins/new-plugin.page.js') },
              { path: 'build/plugins/:id', lazy: () => import('./pages/plugins/plugin.page.js') },
              { path: 'build/tool-policy', lazy: () => import('./pages/tool-rules/tool-policy.page.js') },
              { path: 'build/guards', lazy: () => import('./pages/guards/guards.page.js') },
              { path: 'build/files', lazy: () => import('./pages/files/files.page.js') },
              { path: 'prompts', lazy: () => import('./pages/prompts/prompts.page.js') },
              { path: 'prompts/new', lazy: () => import('./pages/prompts/new-prompt.page.js') },
              { path: 'prompts/:id', lazy: () => import('./pages/prompts/prompt.page.js') },
              { path: 'blocks', lazy: () => import('./pages/blocks/blocks.page.js') },
              { path: 'blocks/new', lazy: () => import('./pages/blocks/new-block.page.js') },
              { path: 'blocks/:id', lazy: () => import('./pages/blocks/block.page.js') },
              { path: 'conversations', lazy: () => import('./pages/conversations/conversations.page.js') },
              { path: 'conversations/:id', lazy: () => import('./pages/conversations/conversation.page.js') },
              { path: 'access/users', lazy: () => import('./pages/users/users.page.js') },
              { path: 'access/users/:id', lazy: () => import('./pages/users/user.page.js') },
              { path: 'inbox', lazy: () => import('./pages/inbox/inbox.page.js') },
              { path: 'runs', lazy: () => import('./pages/runs/runs.page.js') },
              { path: 'runs/:id', lazy: () => import('./pages/runs/run.page.js') },
              { path: 'audit', lazy: () => import('./pages/audit/audit.page.js') },
              { path: 'triggers', lazy: () => import('./pages/triggers/triggers.page.js') },
              { path: 'triggers/new', lazy: () => import('./pages/triggers/new-trigger.page.js') },
              { path: 'triggers/:id', lazy: () => import('./pages/triggers/trigger.page.js') },
              { path: 'webhooks', lazy: () => import('./pages/webhooks/webhooks.page.js') },
              { path: 'webhooks/new', lazy: () => import('./pages/webhooks/new-webhook.page.js') },
              { path: 'webhooks/:id', lazy: () => import('./pages/webhooks/webhook.page.js') },
              { path: 'budgets', lazy: () => import('./pages/budgets/budgets.page.js') },
              { path: 'budgets/new', lazy: () => import('./pages/budgets/new-budget.page.js') },
              { path: 'budgets/prices', lazy: () => import('./pages/budgets/prices.page.js') },
              { path: 'budgets/:id', lazy: () => import('./pages/budgets/budget.page.js') },
              { path: 'jobs', lazy: () => import('./pages/jobs/jobs.page.js') },
              { path: 'limits', lazy: () => import('./pages/limits/limits.page.js') },
              { path: 'enterprises', lazy: () => import('./pages/enterprises/enterprises.page.js') },
              { path: 'enterprises/:project', lazy: () => import('./pages/enterprises/enterprise.page.js') },
              { path: 'usage', lazy: () => import('./pages/usage/usage.page.js') },
              { path: 'reports/internal', lazy: () => import('./pages/report/report.page.js') },
              { path: '*', element: <NotFound /> },
            ],
          },
        ],
      },
    ],
    { basename: '/admin' },
  );
}
