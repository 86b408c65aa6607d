import { en } from '../../../../console/src/i18n/en/index.ts';
import { ko } from '../../../../console/src/i18n/ko/index.ts';

/** What the console says, by language, so that a test finds a button in either. */
export const words = { ko, en } as const;
export type SpokenLanguage = keyof typeof words;
export type Words = (typeof words)[SpokenLanguage];

/** A text of the console with its values in their places, such as `{{name}}`. */
export const said = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
