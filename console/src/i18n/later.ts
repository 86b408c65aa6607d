import type { Language } from '@ai-studio/contract/console/session.ts';
import type { Translated } from './translated.ts';

const koreanBuilder = async () => (await import('./ko/agentBuilder.json', { with: { type: 'json' } })).default;
const englishBuilder = async (): Promise<Translated<Awaited<ReturnType<typeof koreanBuilder>>>> =>
  (await import('./en/agentBuilder.json', { with: { type: 'json' } })).default;

/** Words of pages that have many: fetched with the page, not with the console. By namespace. */
export const later = {
  agentBuilder: { ko: koreanBuilder, en: englishBuilder },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, () => Promise<object>>>>>;

export type LaterWords = { readonly [N in keyof typeof later]: Awaited<ReturnType<(typeof later)[N]['ko']>> };
