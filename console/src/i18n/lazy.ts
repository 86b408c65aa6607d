import type { Language } from '@ai-studio/contract/console/session.ts';
import type { Translated } from './translated.ts';

const koreanBuilder = async () => (await import('./ko/agentBuilder.json', { with: { type: 'json' } })).default;
const englishBuilder = async (): Promise<Translated<Awaited<ReturnType<typeof koreanBuilder>>>> =>
  (await import('./en/agentBuilder.json', { with: { type: 'json' } })).default;

const koreanBatches = async () => (await import('./ko/batchList.json', { with: { type: 'json' } })).default;
const englishBatches = async (): Promise<Translated<Awaited<ReturnType<typeof koreanBatches>>>> =>
  (await import('./en/batchList.json', { with: { type: 'json' } })).default;

const koreanProfile = async () => (await import('./ko/profilePage.json', { with: { type: 'json' } })).default;
const englishProfile = async (): Promise<Translated<Awaited<ReturnType<typeof koreanProfile>>>> =>
  (await import('./en/profilePage.json', { with: { type: 'json' } })).default;

const koreanAudit = async () => (await import('./ko/auditPage.json', { with: { type: 'json' } })).default;
const englishAudit = async (): Promise<Translated<Awaited<ReturnType<typeof koreanAudit>>>> =>
  (await import('./en/auditPage.json', { with: { type: 'json' } })).default;

const koreanAnswers = async () => (await import('./ko/answers.json', { with: { type: 'json' } })).default;
const englishAnswers = async (): Promise<Translated<Awaited<ReturnType<typeof koreanAnswers>>>> =>
  (await import('./en/answers.json', { with: { type: 'json' } })).default;

/** Namespaces that are loaded with their page, because they are large. */
export const lazyNamespaces = {
  agentBuilder: { ko: koreanBuilder, en: englishBuilder },
  profilePage: { ko: koreanProfile, en: englishProfile },
  auditPage: { ko: koreanAudit, en: englishAudit },
  answers: { ko: koreanAnswers, en: englishAnswers },
  batchList: { ko: koreanBatches, en: englishBatches },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, () => Promise<object>>>>>;

export type LazyMessages = {
  readonly [N in keyof typeof lazyNamespaces]: Awaited<ReturnType<(typeof lazyNamespaces)[N]['ko']>>;
};
