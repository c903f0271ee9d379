/** The themes that can be chosen; `system` follows that of the system. */
export const THEMES = ['system', 'light', 'dark'] as const;

/** One of them. */
export type Theme = (typeof THEMES)[number];

const STORED = 'theme';

/** The theme that is chosen now. */
export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Shows a theme, and from now on in this browser. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, theme);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}
