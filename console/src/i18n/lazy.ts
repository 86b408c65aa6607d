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

const koreanOverviewWords = async () => (await import('./ko/overview.json', { with: { type: 'json' } })).default;
const englishOverviewWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanOverviewWords>>>> =>
  (await import('./en/overview.json', { with: { type: 'json' } })).default;
const koreanParserWords = async () => (await import('./ko/parser.json', { with: { type: 'json' } })).default;
const englishParserWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanParserWords>>>> =>
  (await import('./en/parser.json', { with: { type: 'json' } })).default;
const koreanSpeechWords = async () => (await import('./ko/speech.json', { with: { type: 'json' } })).default;
const englishSpeechWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanSpeechWords>>>> =>
  (await import('./en/speech.json', { with: { type: 'json' } })).default;
const koreanPlaygroundWords = async () => (await import('./ko/playground.json', { with: { type: 'json' } })).default;
const englishPlaygroundWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanPlaygroundWords>>>> =>
  (await import('./en/playground.json', { with: { type: 'json' } })).default;
const koreanAgentsWords = async () => (await import('./ko/agents.json', { with: { type: 'json' } })).default;
const englishAgentsWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanAgentsWords>>>> =>
  (await import('./en/agents.json', { with: { type: 'json' } })).default;
const koreanReviewsWords = async () => (await import('./ko/reviews.json', { with: { type: 'json' } })).default;
const englishReviewsWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanReviewsWords>>>> =>
  (await import('./en/reviews.json', { with: { type: 'json' } })).default;
const koreanChatWords = async () => (await import('./ko/chat.json', { with: { type: 'json' } })).default;
const englishChatWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanChatWords>>>> =>
  (await import('./en/chat.json', { with: { type: 'json' } })).default;
const koreanUsersWords = async () => (await import('./ko/users.json', { with: { type: 'json' } })).default;
const englishUsersWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanUsersWords>>>> =>
  (await import('./en/users.json', { with: { type: 'json' } })).default;
const koreanUsageWords = async () => (await import('./ko/usage.json', { with: { type: 'json' } })).default;
const englishUsageWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanUsageWords>>>> =>
  (await import('./en/usage.json', { with: { type: 'json' } })).default;
const koreanSettingsWords = async () => (await import('./ko/settings.json', { with: { type: 'json' } })).default;
const englishSettingsWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanSettingsWords>>>> =>
  (await import('./en/settings.json', { with: { type: 'json' } })).default;
const koreanTenantsWords = async () => (await import('./ko/tenants.json', { with: { type: 'json' } })).default;
const englishTenantsWords = async (): Promise<Translated<Awaited<ReturnType<typeof koreanTenantsWords>>>> =>
  (await import('./en/tenants.json', { with: { type: 'json' } })).default;

const koreanConnections = async () => (await import('./ko/connections.json', { with: { type: 'json' } })).default;
const englishConnections = async (): Promise<Translated<Awaited<ReturnType<typeof koreanConnections>>>> =>
  (await import('./en/connections.json', { with: { type: 'json' } })).default;

/** Namespaces that are loaded with their page: what every page needs of them is its title. */
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
  connections: { ko: koreanConnections, en: englishConnections },
  overview: { ko: koreanOverviewWords, en: englishOverviewWords },
  parser: { ko: koreanParserWords, en: englishParserWords },
  speech: { ko: koreanSpeechWords, en: englishSpeechWords },
  playground: { ko: koreanPlaygroundWords, en: englishPlaygroundWords },
  agents: { ko: koreanAgentsWords, en: englishAgentsWords },
  reviews: { ko: koreanReviewsWords, en: englishReviewsWords },
  chat: { ko: koreanChatWords, en: englishChatWords },
  users: { ko: koreanUsersWords, en: englishUsersWords },
  usage: { ko: koreanUsageWords, en: englishUsageWords },
  settings: { ko: koreanSettingsWords, en: englishSettingsWords },
  tenants: { ko: koreanTenantsWords, en: englishTenantsWords },
  batchList: { ko: koreanBatches, en: englishBatches },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, () => Promise<object>>>>>;

/** One of them. */
export type LazyNamespace = keyof typeof lazyNamespaces;

export type LazyMessages = {
  readonly [N in keyof typeof lazyNamespaces]: Awaited<ReturnType<(typeof lazyNamespaces)[N]['ko']>>;
};
