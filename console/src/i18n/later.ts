import type { Language } from '@ai-studio/contract/console/session.ts';

/** Words of pages that have many: fetched with the page, not with the console. By namespace. */
export const later = {
  agentBuilder: {
    ko: async () => (await import('./ko/agentBuilder.ts')).agentBuilder,
    en: async () => (await import('./en/agentBuilder.ts')).agentBuilder,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, () => Promise<object>>>>>;

export type LaterWords = { readonly [N in keyof typeof later]: Awaited<ReturnType<(typeof later)[N]['ko']>> };
