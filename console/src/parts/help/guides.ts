import type { Language } from '@ai-studio/contract/console/session.ts';
import { type GuideText, readGuide } from './guide-text.ts';

/** The guides of docs/guide, each fetched when it is opened; the console brings them, so that they are there without the internet. */
const english = import.meta.glob<string>('../../../../docs/guide/*.md', { query: '?raw', import: 'default' });
const korean = import.meta.glob<string>('../../../../docs/guide/ko/*.md', { query: '?raw', import: 'default' });

const nameOf = (path: string) => path.replace(/^.*\/|\.md$/g, '');
const named = (files: typeof english) => new Map(Object.entries(files).map(([path, load]) => [nameOf(path), load]));
const guides = { en: named(english), ko: named(korean) };

/** Names of all guides, in order. */
export const guideNames: readonly string[] = [...guides.en.keys()].toSorted();

/** A guide, and the language in which it is written. */
export interface LoadedGuide extends GuideText {
  readonly language: Language;
}

/** A guide by its name, in a language where it is written in it, else in English; null for a name of none. */
export async function loadGuide(name: string, wanted: Language): Promise<LoadedGuide | null> {
  const language = guides[wanted].has(name) ? wanted : 'en';
  const load = guides[language].get(name);
  return load === undefined ? null : { ...readGuide(await load()), language };
}
