import type { Language, Theme } from '@ai-studio/contract/console/session.ts';

// What this browser remembers of a person's choices, for pages before the sign-in and for the first paint. index.html
// reads the same keys.
const LANGUAGE = 'studio.language';
const THEME = 'studio.theme';
const NOTES = 'studio.seen-notes';
const COLUMNS = 'studio.columns.';
const UNSAVED = 'studio.unsaved-choices';
/** Notes that were put away are gone from the service before there are so many. */
const MAX_NOTES = 200;

/** What is kept where a browser forbids storage: it lasts as long as the page. */
const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    memory.set(key, value);
  }
}

export const storedTheme = (): Theme => {
  const theme = read(THEME);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
};
export const storeTheme = (theme: Theme): void => write(THEME, theme);

/** The language chosen last, else the browser's own. */
export function storedLanguage(): Language {
  const language = read(LANGUAGE);
  if (language === 'ko' || language === 'en') return language;
  return navigator.language.startsWith('ko') ? 'ko' : 'en';
}
export const storeLanguage = (language: Language): void => write(LANGUAGE, language);

/** Calls `listener` with each language that is chosen in another tab. Returns what ends that. */
export function onStoredLanguage(listener: (language: Language) => void): () => void {
  const changed = ({ key }: StorageEvent) => {
    if (key === LANGUAGE) listener(storedLanguage());
  };
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}

/** Ids of the notes that people have put away in this browser. */
export const readSeenNotes = (): readonly string[] => (read(NOTES) ?? '').split(' ').filter((id) => id !== '');
export const storeSeenNote = (id: string): void =>
  write(NOTES, [...new Set([...readSeenNotes(), id])].slice(-MAX_NOTES).join(' '));

/** Keys of the columns of a table that people have put away in this browser. */
export const readHiddenColumns = (table: string): readonly string[] =>
  (read(`${COLUMNS}${table}`) ?? '').split(' ').filter((key) => key !== '');
export const storeHiddenColumns = (table: string, columns: readonly string[]): void =>
  write(`${COLUMNS}${table}`, columns.join(' '));

/** What a person has chosen of how the console looks. */
export interface Choices {
  readonly language?: Language;
  readonly theme?: Theme;
}

/** Choices of a person that their profile does not have yet; none where it has all of them. */
export function readUnsavedChoices(userId: string): Choices | null {
  try {
    const { user, choices } = JSON.parse(read(UNSAVED) ?? '{}') as { user?: string; choices?: Choices };
    return user === userId && choices !== undefined ? choices : null;
  } catch {
    return null;
  }
}
export const storeUnsavedChoices = (userId: string, choices: Choices | null): void =>
  write(UNSAVED, choices === null ? '{}' : JSON.stringify({ user: userId, choices }));
