import { type CSSVariablesResolver, type MantineThemeOverride, createTheme } from '@mantine/core';
import { type Accent, accents, neutrals } from './colors.ts';

/** Quiet grounds in the dark theme: a trace of the colour, with its light text on it. */
const quietInDark = Object.entries({ ...accents, gray: neutrals.gray }).flatMap(([name, shades]) => [
  [`--mantine-color-${name}-light`, `color-mix(in srgb, ${shades[5]} 16%, transparent)`],
  [`--mantine-color-${name}-light-hover`, `color-mix(in srgb, ${shades[5]} 22%, transparent)`],
  [`--mantine-color-${name}-light-color`, shades[3]],
]);

const sans =
  '"Pretendard Variable", Pretendard, system-ui, -apple-system, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif';
// Few fonts of code have Hangul, and some machines have no other: the last one is the console's own.
const mono = 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "D2Coding", monospace, "Pretendard Variable"';

/** Names of buttons that show a sign alone. */
interface ButtonWords {
  readonly close: string;
  readonly showPassword: string;
}

/** The look of the console with one accent colour. */
export function themeWith(accent: Accent, { close, showPassword }: ButtonWords): MantineThemeOverride {
  const closeButtonProps = { 'aria-label': close };
  return createTheme({
    colors: { ...accents, ...neutrals },
    primaryColor: accent,
    // Carries white text in both themes.
    primaryShade: 7,
    autoContrast: true,
    // Between shades 6 and 7: the darker of them carry white text, the lighter ones black.
    luminanceThreshold: 0.16,
    black: '#14191b',
    fontFamily: sans,
    fontFamilyMonospace: mono,
    headings: { fontFamily: sans, fontWeight: '650', textWrap: 'balance' },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    focusRing: 'auto',
    // By their names: the components themselves come with the pages that have some.
    components: {
      Alert: { defaultProps: { closeButtonLabel: close } },
      Drawer: { defaultProps: { closeButtonProps } },
      // The head of a dialog is no banner beside that of the page, which has one on phones.
      DrawerHeader: { defaultProps: { role: 'none' } },
      // The legend stands within the frame, not on its line: it is a heading of what follows.
      Fieldset: { classNames: { root: 'studio-fieldset', legend: 'studio-legend' } },
      // The element that it would focus instead is not one that a menu may have.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      Modal: { defaultProps: { closeButtonProps }, styles: { title: { fontWeight: 650 } } },
      ModalHeader: { defaultProps: { role: 'none' } },
      Notification: { defaultProps: { closeButtonProps } },
      PasswordInput: {
        defaultProps: { visibilityToggleButtonProps: { 'aria-label': showPassword } },
      },
    },
  });
}

/** Greys of quiet text that keep a contrast of 4.5 on every ground of the console. */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: { '--studio-reading': '46rem' },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': colors['gray']?.[7] ?? '',
    '--mantine-color-placeholder': colors['gray']?.[7] ?? '',
    '--studio-ground': '#f7f9f9',
    '--studio-panel': '#ffffff',
    '--studio-line': colors['gray']?.[2] ?? '',
    '--studio-focus': 'var(--mantine-primary-color-7)',
  },
  dark: {
    ...Object.fromEntries(quietInDark),
    '--mantine-color-error': colors['red']?.[4] ?? '',
    '--mantine-color-dimmed': colors['dark']?.[2] ?? '',
    '--mantine-color-placeholder': colors['dark']?.[2] ?? '',
    '--studio-ground': colors['dark']?.[8] ?? '',
    '--studio-panel': colors['dark']?.[7] ?? '',
    '--studio-line': colors['dark']?.[5] ?? '',
    '--studio-focus': 'var(--mantine-primary-color-4)',
  },
});
