import type { QueryClient } from '@tanstack/react-query';
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from './lazy-page.ts';
import { withAnswer, withWords } from './route-parts.ts';
import { shell } from './shell-route.ts';

/** What a chat shows at once is asked for beside its code. */
const askChat = async (queries: QueryClient) => (await import('../pages/chat/ask-ahead.ts')).askAhead(queries);

/** The frame of every talk: its list stays while people go from one to another, be it with a model or with an agent. */
const talks = createRoute({
  getParentRoute: () => shell,
  id: 'talks',
  ...withAnswer('chat', askChat, 'chat'),
  component: lazyPage(() => import('../pages/chat/talks-page.tsx')),
});

const inTalks = [
  createRoute({
    getParentRoute: () => talks,
    path: '/chat',
    staticData: { page: 'chat', full: true, rail: true },
    ...withWords('chat'),
    component: lazyPage(() => import('../pages/chat/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => talks,
    path: '/chat/$conversationId',
    staticData: { page: 'chat', full: true, rail: true },
    ...withWords('chat'),
    component: lazyPage(() => import('../pages/chat/thread-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => talks,
    path: '/chat/agents/$slug',
    staticData: { page: 'chat', full: true, rail: true },
    ...withWords('chat'),
    component: lazyPage(() => import('../pages/chat/agent-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => talks,
    path: '/chat/agents/$slug/$sessionId',
    staticData: { page: 'chat', full: true, rail: true },
    ...withWords('chat'),
    component: lazyPage(() => import('../pages/chat/agent-page.tsx')),
  }),
] as const;

export const chatRoutes = [
  talks.addChildren(inTalks),
  createRoute({
    getParentRoute: () => shell,
    path: '/shared',
    staticData: { page: 'chat' },
    ...withWords('answers'),
    component: lazyPage(() => import('../pages/chat/shares-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/shared/$shareId',
    staticData: { page: 'chat', full: true },
    ...withWords('chat', 'answers'),
    component: lazyPage(() => import('../pages/chat/shared-page.tsx')),
  }),
] as const;
