import type { ShellPage } from '../../app/page-permissions.ts';

/** A part of a guide of docs/guide. */
export interface GuidePlace {
  /** Name of its file, without the ending. */
  readonly guide: string;
  /** Heading of the part that is about it; null for the whole guide. */
  readonly section: string | null;
}

const guide = (name: string, section: string | null = null): GuidePlace => ({ guide: name, section });

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
