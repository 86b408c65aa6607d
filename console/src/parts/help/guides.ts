import { type GuideText, readGuide } from './guide-text.ts';

/** The guides of docs/guide, each fetched when it is opened; the console brings them, so that they are there without the internet. */
const files = import.meta.glob<string>('../../../../docs/guide/*.md', { query: '?raw', import: 'default' });

const nameOf = (path: string) => path.replace(/^.*\/|\.md$/g, '');

/** Names of all guides, in order. */
export const guideNames: readonly string[] = Object.keys(files).map(nameOf).toSorted();

/** A guide by its name; null for a name of none. */
export async function loadGuide(name: string): Promise<GuideText | null> {
  const load = Object.entries(files).find(([path]) => nameOf(path) === name)?.[1];
  return load === undefined ? null : readGuide(await load());
}
