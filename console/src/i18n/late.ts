import type { Language } from '@ai-studio/contract/console/session.ts';
import type { Translated } from './translated.ts';

const koreanSearchIndex = async () => (await import('./ko/searchIndex.json', { with: { type: 'json' } })).default;
const englishSearchIndex = async (): Promise<Translated<Awaited<ReturnType<typeof koreanSearchIndex>>>> =>
  (await import('./en/searchIndex.json', { with: { type: 'json' } })).default;

/** Namespaces of parts that few people see: not even their names are in the first script, which `lazy.ts` is part of. */
export const lateNamespaces = {
  searchIndex: { ko: koreanSearchIndex, en: englishSearchIndex },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, () => Promise<object>>>>>;

export type LateMessages = {
  readonly [N in keyof typeof lateNamespaces]: Awaited<ReturnType<(typeof lateNamespaces)[N]['ko']>>;
};
