import {
  createTheme,
  Menu,
  Modal,
  Tooltip,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const iris: MantineColorsTuple = [
  '#f1f0fd',
  '#e1dffa',
  '#c5c1f4',
  '#a7a1ed',
  '#8d86e6',
  '#716ad9',
  '#5650c7',
  '#4a44b3',
  '#3f3a9b',
  '#322e7d',
];

/** From text to background: cool, and not fully black. */
const dark: MantineColorsTuple = [
  '#d7d9e0',
  '#b9bdc9',
  '#a0a5b3',
  '#6c7180',
  '#3a3d47',
  '#2d3038',
  '#202228',
  '#15161a',
  '#101115',
  '#0b0c0f',
];

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: 6,
  colors: { iris, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    // Focus an item first, since a menu must not contain a placeholder. Menus belong to the page's content.
    Menu: Menu.extend({
      defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: '#main' } },
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        // Content that measures itself during a scaling transition gets wrong sizes.
        transitionProps: { transition: 'fade', duration: 120 },
      },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        events: { hover: true, focus: true, touch: true },
        openDelay: 200,
        multiline: true,
        maw: 320,
      },
    }),
  },
});

/** Strengthens Mantine's dimmed text, whose contrast is too low. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a5f6d',
    '--mantine-color-placeholder': '#6b7080',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#d6d7de',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#4a44b3',
  },
  dark: {
    '--mantine-color-body': '#1b1d22',
    '--mantine-color-dimmed': '#a0a5b3',
    '--mantine-color-placeholder': '#868c9b',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-anchor': '#a7a1ed',
  },
});
