// Every colour, size and radius of the interface. Knows nothing of any screen.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { shellTexts } from './shell/texts.ts';

const accent: MantineColorsTuple = [
  '#e6f8f4',
  '#c9eee6',
  '#95decf',
  '#5eceb8',
  '#38bfa6',
  '#1fae95',
  '#12947e',
  '#0b7d6a',
  '#096857',
  '#064c40',
];

const dark: MantineColorsTuple = [
  '#dfe4ea',
  '#c3cbd4',
  '#9fabb8',
  '#8793a1',
  '#36404c',
  '#28303a',
  '#1c2229',
  '#161b21',
  '#0f1216',
  '#0a0c0f',
];

/** Shadow and border set overlays off from the page in both schemes. */
const raised = { props: { shadow: 'md' }, styles: { dropdown: { borderColor: 'var(--line-strong)' } } };

/**
 * A dialog that is closed before it has taken the focus, by a quick Escape or on a busy machine, would take it while it fades
 * out and lose it when it is gone. Without that transition the focus stays where it was.
 */
const closesAtOnce = { exitDuration: 0 };

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  colors: { accent, dark },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.6875rem', sm: '0.75rem', md: '0.8125rem', lg: '0.9375rem', xl: '1.125rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.45', xl: '1.35' },
  spacing: { xs: '0.375rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '0.9375rem' }, h3: { fontSize: '0.8125rem' } },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'compact-md', fw: 500 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    // Forms are short, and nearly all of their fields are required: a mark at each would say nothing.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true, fz: 'sm' } },
    Modal: {
      defaultProps: {
        transitionProps: { duration: 80, ...closesAtOnce },
        centered: true,
        closeButtonProps: { 'aria-label': shellTexts.close },
      },
      styles: {
        content: { background: 'var(--surface)' },
        header: { background: 'var(--surface)' },
        title: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)' },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': shellTexts.close } } },
    // The menu itself takes the focus: it may hold nothing else but its items.
    Menu: {
      defaultProps: {
        transitionProps: { duration: 60, ...closesAtOnce },
        withInitialFocusPlaceholder: false,
        ...raised.props,
      },
      styles: raised.styles,
    },
    Popover: {
      defaultProps: { transitionProps: { duration: 60, ...closesAtOnce }, ...raised.props },
      styles: raised.styles,
    },
    // As high as the buttons that stand beside them.
    Input: { styles: { wrapper: { '--input-height-sm': '1.875rem' } } },
  },
});

const lightTokens = {
  '--mantine-color-body': '#f4f6f8',
  '--mantine-color-dimmed': '#566270',
  '--mantine-color-anchor': '#096857',
  '--mantine-color-error': '#b3261e',
  '--mantine-color-red-light-color': '#ab1f18',
  '--mantine-color-red-filled': '#c4281f',
  '--mantine-color-red-filled-hover': '#ab1f18',
  '--mantine-color-placeholder': '#5f6b79',
  '--page': '#f4f6f8',
  '--surface': '#ffffff',
  '--raised': '#f0f3f6',
  '--hover': '#eaf1f1',
  '--chosen': '#d9efe9',
  '--line': '#dbe1e7',
  '--line-strong': '#b8c2cc',
  '--text': '#1b232c',
  '--text-soft': '#47525e',
  '--text-faint': '#5b6774',
  '--accent': '#096857',
  '--accent-line': '#12947e',
  '--focus': '#0b7d6a',
  '--tone-critical': '#9b1239',
  '--tint-critical': '#fde4ec',
  '--tone-high': '#ab1f18',
  '--tint-high': '#fde9e7',
  '--tone-medium': '#874900',
  '--tint-medium': '#fdeeda',
  '--tone-low': '#665400',
  '--tint-low': '#faf3d3',
  '--tone-info': '#3b5066',
  '--tint-info': '#e7eef5',
  '--tone-good': '#0a6446',
  '--tint-good': '#def3e9',
  '--tone-quiet': '#4f5a66',
  '--tint-quiet': '#edf0f3',
  '--code-tag': '#0b5f8a',
  '--code-name': '#7a3e9d',
  '--code-value': '#0a6446',
  '--code-mark': '#ffe08a',
  '--shadow': '0 1px 2px rgb(20 30 40 / 6%)',
};

const darkTokens = {
  '--mantine-color-body': '#0f1216',
  '--mantine-color-dimmed': '#9fabb8',
  '--mantine-color-anchor': '#5eceb8',
  '--mantine-color-error': '#ff9b91',
  '--mantine-color-red-light-color': '#ff9f96',
  '--mantine-color-red-filled': '#c4281f',
  '--mantine-color-red-filled-hover': '#ab1f18',
  '--mantine-color-placeholder': '#8a96a4',
  '--page': '#0f1216',
  '--surface': '#161b21',
  '--raised': '#1c2229',
  '--hover': '#1d262b',
  '--chosen': '#16352f',
  '--line': '#28303a',
  '--line-strong': '#465260',
  '--text': '#dfe4ea',
  '--text-soft': '#b4bec9',
  '--text-faint': '#93a0ad',
  '--accent': '#5eceb8',
  '--accent-line': '#1fae95',
  '--focus': '#38bfa6',
  '--tone-critical': '#ff96b6',
  '--tint-critical': '#431729',
  '--tone-high': '#ff9f96',
  '--tint-high': '#3d1a18',
  '--tone-medium': '#f4b76b',
  '--tint-medium': '#35250f',
  '--tone-low': '#e2cf6e',
  '--tint-low': '#2e2910',
  '--tone-info': '#abc2da',
  '--tint-info': '#1e2a37',
  '--tone-good': '#72dcaf',
  '--tint-good': '#103024',
  '--tone-quiet': '#a9b4c0',
  '--tint-quiet': '#222a32',
  '--code-tag': '#7cc4f0',
  '--code-name': '#cfa4ea',
  '--code-value': '#8fd8b0',
  '--code-mark': '#6b5410',
  '--shadow': 'none',
};

/**
 * The workstation's own tokens, all pairs at WCAG AA contrast in both schemes. `tone-*` are the foregrounds and
 * `tint-*` the backgrounds of statuses and severities.
 */
export const tokens: CSSVariablesResolver = () => ({
  variables: {
    '--header-height': '46px',
    '--rail-width': '72px',
    '--status-height': '24px',
  },
  light: lightTokens,
  dark: darkTokens,
});
