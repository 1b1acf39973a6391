import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const mill: MantineColorsTuple = [
  '#eef9f6',
  '#d6efe8',
  '#aedfd2',
  '#7dcbb8',
  '#4db39d',
  '#2b9882',
  '#17806d',
  '#0e6b5c',
  '#0b554a',
  '#083f37',
];

const dark: MantineColorsTuple = [
  '#e4e8ec',
  '#c2c9d0',
  '#9fa9b3',
  '#75808b',
  '#3c454e',
  '#2c333a',
  '#21272d',
  '#161a1f',
  '#101317',
  '#0a0c0f',
];

const system = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

export const theme = createTheme({
  primaryColor: 'mill',
  primaryShade: { light: 7, dark: 6 },
  colors: { mill, dark },
  black: '#1b2128',
  defaultRadius: 'sm',
  radius: { sm: '6px', md: '10px' },
  fontFamily: system,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontFamily: system,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '22px', lineHeight: '1.3' },
      h2: { fontSize: '15px', lineHeight: '1.4' },
      h3: { fontSize: '14px', lineHeight: '1.4' },
    },
  },
  components: {
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', size: 'sm', tt: 'none', fw: 500 },
      styles: { root: { minWidth: 'fit-content' }, label: { overflow: 'visible' } },
    },
    Button: { defaultProps: { size: 'sm', fw: 550 } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'md',
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // Tooltips open not only on hover, but also on touch and on keyboard focus.
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: true } } },
    Menu: { defaultProps: { shadow: 'md', radius: 'md' } },
  },
});

/** Colours of dimmed text and of borders, with the contrast that WCAG 2.2 (1.4.3) requires in both colour schemes. */
export const colors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59636e',
    '--mantine-color-placeholder': '#6b7580',
    '--mantine-color-error': '#c02626',
    '--mantine-color-anchor': 'var(--mantine-color-mill-7)',
    '--mantine-color-default-border': '#dbe0e5',
    '--mantine-color-orange-light-color': '#9c3a06',
    '--mantine-color-yellow-light-color': '#7d5200',
    '--console-ground': '#f6f8f9',
    '--console-surface': '#ffffff',
    '--console-line': '#e3e7eb',
    '--console-hover': '#f3f6f7',
    '--console-edge': '#868e96',
    '--console-raised': '#ffffff',
    '--console-shade': 'rgb(0 0 0 / 12%)',
  },
  dark: {
    '--mantine-color-dimmed': '#9fa9b3',
    '--mantine-color-placeholder': '#8a95a0',
    '--mantine-color-error': '#ff8a8a',
    '--mantine-color-anchor': 'var(--mantine-color-mill-3)',
    '--mantine-color-default-border': '#343c45',
    '--mantine-color-mill-light': 'rgb(43 152 130 / 20%)',
    '--mantine-color-mill-light-color': 'var(--mantine-color-mill-2)',
    '--mantine-color-red-light': 'rgb(250 82 82 / 16%)',
    '--mantine-color-red-light-color': '#ffb3b3',
    '--mantine-color-orange-light': 'rgb(253 126 20 / 15%)',
    '--mantine-color-orange-light-color': '#ffc48a',
    '--mantine-color-yellow-light': 'rgb(250 176 5 / 13%)',
    '--mantine-color-yellow-light-color': '#ffdf8a',
    '--mantine-color-gray-light': 'rgb(255 255 255 / 9%)',
    '--mantine-color-gray-light-color': 'var(--mantine-color-dark-1)',
    '--console-ground': '#101317',
    '--console-surface': '#161a1f',
    '--console-line': '#262c33',
    '--console-hover': '#1b2026',
    '--console-edge': '#6b7681',
    '--console-raised': '#1c2127',
    '--console-shade': 'rgb(0 0 0 / 55%)',
  },
});
