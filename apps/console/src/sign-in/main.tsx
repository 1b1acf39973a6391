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
import { PageContent } from './pages.js';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const root = document.getElementById('page');
const data = document.getElementById('page-data')?.textContent;

if (root && data != null) {
  const page = JSON.parse(data) as Page;
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
