import '@mantine/core/styles.css';
import '../shell/global.css';
import './card.css';
import { MantineProvider } from '@mantine/core';
import type { Page } from '@millwright/pages';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { colorSchemeCookie } from '../shell/color-scheme.js';
import { colors, theme } from '../shell/theme.js';
import { Card } from './card.js';
import { openPage } from './open-page.js';
import { PageContent } from './pages.js';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const root = document.getElementById('page');
const data = document.getElementById('page-data')?.textContent;

if (root && data != null) {
  // When a link opens in a tab that already shows the page, only the fragment changes, so the page must reload.
  window.addEventListener('hashchange', () => window.location.reload());
  const page = await openPage(JSON.parse(data) as Page);
  document.title = `${page.title} · Millwright`;
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={colors}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeCookie}
        getStyleNonce={() => nonce}
      >
        <Card title={page.title}>
          <PageContent page={page} />
        </Card>
      </MantineProvider>
    </StrictMode>,
  );
}
