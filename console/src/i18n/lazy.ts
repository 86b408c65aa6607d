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

const koreanModels = async () => (await import('./ko/modelsPage.json', { with: { type: 'json' } })).default;
const englishModels = async (): Promise<Translated<Awaited<ReturnType<typeof koreanModels>>>> =>
  (await import('./en/modelsPage.json', { with: { type: 'json' } })).default;

const koreanAudit = async () => (await import('./ko/auditPage.json', { with: { type: 'json' } })).default;
const englishAudit = async (): Promise<Translated<Awaited<ReturnType<typeof koreanAudit>>>> =>
  (await import('./en/auditPage.json', { with: { type: 'json' } })).default;

const koreanAnswers = async () => (await import('./ko/answers.json', { with: { type: 'json' } })).default;
const englishAnswers = async (): Promise<Translated<Awaited<ReturnType<typeof koreanAnswers>>>> =>
  (await import('./en/answers.json', { with: { type: 'json' } })).default;

const koreanPrompts = async () => (await import('./ko/promptsPage.json', { with: { type: 'json' } })).default;
const englishPrompts = async (): Promise<Translated<Awaited<ReturnType<typeof koreanPrompts>>>> =>
  (await import('./en/promptsPage.json', { with: { type: 'json' } })).default;

const koreanChatTools = async () => (await import('./ko/chatTools.json', { with: { type: 'json' } })).default;
const englishChatTools = async (): Promise<Translated<Awaited<ReturnType<typeof koreanChatTools>>>> =>
  (await import('./en/chatTools.json', { with: { type: 'json' } })).default;

const koreanKeys = async () => (await import('./ko/keysPage.json', { with: { type: 'json' } })).default;
const englishKeys = async (): Promise<Translated<Awaited<ReturnType<typeof koreanKeys>>>> =>
  (await import('./en/keysPage.json', { with: { type: 'json' } })).default;
const koreanInvite = async () => (await import('./ko/invitePeople.json', { with: { type: 'json' } })).default;
const englishInvite = async (): Promise<Translated<Awaited<ReturnType<typeof koreanInvite>>>> =>
  (await import('./en/invitePeople.json', { with: { type: 'json' } })).default;

const koreanTools = async () => (await import('./ko/toolsPage.json', { with: { type: 'json' } })).default;
const englishTools = async (): Promise<Translated<Awaited<ReturnType<typeof koreanTools>>>> =>
  (await import('./en/toolsPage.json', { with: { type: 'json' } })).default;
const koreanGuides = async () => (await import('./ko/guides.json', { with: { type: 'json' } })).default;
const englishGuides = async (): Promise<Translated<Awaited<ReturnType<typeof koreanGuides>>>> =>
  (await import('./en/guides.json', { with: { type: 'json' } })).default;

const koreanCollections = async () => (await import('./ko/collectionsPage.json', { with: { type: 'json' } })).default;
const englishCollections = async (): Promise<Translated<Awaited<ReturnType<typeof koreanCollections>>>> =>
  (await import('./en/collectionsPage.json', { with: { type: 'json' } })).default;

/** Namespaces that are loaded with their page, because they are large. */
export const lazyNamespaces = {
  agentBuilder: { ko: koreanBuilder, en: englishBuilder },
  profilePage: { ko: koreanProfile, en: englishProfile },
  auditPage: { ko: koreanAudit, en: englishAudit },
  answers: { ko: koreanAnswers, en: englishAnswers },
  modelsPage: { ko: koreanModels, en: englishModels },
  promptsPage: { ko: koreanPrompts, en: englishPrompts },
  chatTools: { ko: koreanChatTools, en: englishChatTools },
  toolsPage: { ko: koreanTools, en: englishTools },
  keysPage: { ko: koreanKeys, en: englishKeys },
  guides: { ko: koreanGuides, en: englishGuides },
  invitePeople: { ko: koreanInvite, en: englishInvite },
  collectionsPage: { ko: koreanCollections, en: englishCollections },
  batchList: { ko: koreanBatches, en: englishBatches },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, () => Promise<object>>>>>;

export type LazyMessages = {
  readonly [N in keyof typeof lazyNamespaces]: Awaited<ReturnType<(typeof lazyNamespaces)[N]['ko']>>;
};
