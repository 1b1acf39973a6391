import '@mantine/core/styles.css';
import './shell/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
/** CSP nonce for the style element that the package react-remove-scroll adds. The package reads the nonce from this global. */
Object.assign(globalThis, { __webpack_nonce__: nonce });

const root = document.getElementById('console');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App nonce={nonce} />
    </StrictMode>,
  );
}
