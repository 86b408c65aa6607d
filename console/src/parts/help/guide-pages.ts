import type { Language } from '@ai-studio/contract/console/session.ts';
import type { ShellPage } from '../../app/page-permissions.ts';

/** A part of a guide of docs/guide. */
export interface GuidePlace {
  /** Name of its file, without the ending. */
  readonly guide: string;
  /** Heading of the part that is about it, in each language of the console; null for the whole guide. */
  readonly section: Readonly<Record<Language, string>> | null;
}

/** Headings of the Korean guides for those of the English ones. */
const koreanHeadings = {
  'Where each role begins': '역할마다 다른 첫 화면',
  'Chat and playground': '대화와 플레이그라운드',
  'API keys': 'API 키',
  Models: '모델',
  'Addresses of your own': '내부 주소',
  'Inviting people': '사용자 초대',
  'Usage and audit': '사용량과 감사 로그',
  'Personal values': '개인정보',
  Roles: '역할',
  'Signing in safely': '안전하게 로그인하기',
} as const;

const guide = (name: string, section: keyof typeof koreanHeadings | null = null): GuidePlace => ({
  guide: name,
  section: section === null ? null : { en: section, ko: koreanHeadings[section] },
});

/** What helps with each page. */
export const guidePages: Readonly<Record<ShellPage, GuidePlace>> = {
  overview: guide('console', 'Where each role begins'),
  chat: guide('console', 'Chat and playground'),
  prompts: guide('console', 'Chat and playground'),
  agents: guide('agents'),
  reviews: guide('agents'),
  tools: guide('tools'),
  collections: guide('collections'),
  playground: guide('console', 'Chat and playground'),
  parser: guide('document-parser'),
  speech: guide('console', 'Chat and playground'),
  batches: guide('batches'),
  keys: guide('console', 'API keys'),
  models: guide('console', 'Models'),
  network: guide('tools', 'Addresses of your own'),
  users: guide('console', 'Inviting people'),
  usage: guide('console', 'Usage and audit'),
  privacy: guide('console', 'Personal values'),
  audit: guide('console', 'Usage and audit'),
  settings: guide('console', 'Roles'),
  profile: guide('console', 'Signing in safely'),
  tenants: guide('console', 'Roles'),
};
