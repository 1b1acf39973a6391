import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router';
import { AreaUnavailable } from './api/areas.js';
import { ApiError } from './api/client.js';
import { CHAT } from './api/roles.js';
import { createChatRouter, createRouter } from './routes.js';
import { colorSchemeCookie } from './shell/color-scheme.js';
import { colors, theme } from './shell/theme.js';

/** Whether a failure may be temporary, so that the query is retried. A service that is off is reported at once. */
const isPassing = (error: Error) =>
  error instanceof ApiError && !(error instanceof AreaUnavailable) && (error.status === 0 || error.status >= 502);

const queries = new QueryClient({
  defaultOptions: { queries: { retry: (failures, error) => failures < 2 && isPassing(error) } },
});

const isChat = new RegExp(`^${CHAT}(/|$)`).test(window.location.pathname);
const router = isChat ? createChatRouter() : createRouter();

export function App({ nonce }: { nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={colors}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeCookie}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
