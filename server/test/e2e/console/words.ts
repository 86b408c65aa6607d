import { en } from '../../../../console/src/i18n/en/index.ts';
import { ko } from '../../../../console/src/i18n/ko/index.ts';
import { type LazyMessages, lazyNamespaces } from '../../../../console/src/i18n/lazy.ts';

/** The words of a language that come with the pages. */
async function pageWords(language: 'ko' | 'en'): Promise<LazyMessages> {
  const all = await Promise.all(
    Object.entries(lazyNamespaces).map(async ([name, words]) => [name, await words[language]()] as const),
  );
  return Object.fromEntries(all) as unknown as LazyMessages;
}

/** All words of a language; those of pages beside their titles. */
async function wordsOf<Begun extends object>(language: 'ko' | 'en', begun: Begun) {
  const pages = await pageWords(language);
  const titles = Object.entries(begun).flatMap(([name, words]) => (name in pages ? [[name, words] as const] : []));
  const whole = titles.map(([name, words]) => [name, { ...words, ...pages[name as keyof LazyMessages] }] as const);
  return { ...begun, ...pages, ...Object.fromEntries(whole) } as Begun & LazyMessages;
}

/** What the console says, by language, so that a test finds a button in either; also what comes with its page. */
export const words = { ko: await wordsOf('ko', ko), en: await wordsOf('en', en) } as const;
export type SpokenLanguage = keyof typeof words;
export type Words = (typeof words)[SpokenLanguage];

/** A text of the console with its values in their places, such as `{{name}}`. */
export const said = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
