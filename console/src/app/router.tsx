import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { hasPermission, meQuery } from '../api/session.ts';
import { LoadingPage } from '../parts/loading.tsx';
import { tableSearch } from '../parts/table/table-search.ts';
import { chatRoutes } from './chat-routes.ts';
import { lazyPage } from './lazy-page.ts';
import { type ShellPage, pagePermissions } from './page-permissions.ts';
import { type RouterContext, type Visit, withAnswer, withWords } from './route-parts.ts';
import {
  agentSearch,
  agentsSearch,
  auditSearch,
  collectionsSearch,
  nextSearch,
  parserSearch,
  promptsSearch,
} from './searches.ts';
import { NotFound } from './shell/not-found.tsx';
import { RouteError } from './shell/route-error.tsx';
import { root, shell } from './shell-route.ts';

const askOverview = async (queries: QueryClient) =>
  queries.query((await import('../pages/overview/queries.ts')).overviewQuery);
const askModels = async (queries: QueryClient) =>
  queries.query((await import('../pages/models/queries.ts')).servedQuery);

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Names the page: its title in words, and what opening it needs. */
    page?: ShellPage;
    /** Fills the window, without a margin and a greatest width. */
    full?: boolean;
    /** Folds the menu to a rail of icons, so that the page has the window. */
    rail?: boolean;
  }
  interface HistoryState {
    /** Asked of the agent that is opened. */
    question?: string;
    /** Id of a prompt that is taken into the message. */
    prompt?: string;
    /** A collection in which the conversation searches. */
    collection?: { readonly id: string; readonly name: string };
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

// One block a page. A page is a folder of pages/ whose page.tsx exports `Page`; it is fetched when it is opened.
const publicRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/login',
    validateSearch: nextSearch,
    component: lazyPage(() => import('../pages/login/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/setup',
    component: lazyPage(() => import('../pages/setup/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/link',
    component: lazyPage(() => import('../pages/link/page.tsx')),
  }),
] as const;

const shellRoutes = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    staticData: { page: 'overview' },
    // Who has nothing to build or to manage begins with what they came for.
    beforeLoad: ({ context }) => {
      const me = context.queries.getQueryData(meQuery.queryKey);
      if (me !== undefined && !hasPermission(me, pagePermissions.overview))
        redirect({ to: '/chat', replace: true, throw: true });
    },
    ...withAnswer('overview', askOverview, 'overview'),
    component: lazyPage(() => import('../pages/overview/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/prompts',
    staticData: { page: 'prompts' },
    validateSearch: promptsSearch,
    ...withWords('promptsPage'),
    component: lazyPage(() => import('../pages/prompts/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agents',
    staticData: { page: 'agents' },
    validateSearch: agentsSearch,
    ...withWords('agents'),
    component: lazyPage(() => import('../pages/agents/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agents/$agentId',
    staticData: { page: 'agents' },
    validateSearch: agentSearch,
    ...withWords('agents'),
    component: lazyPage(() => import('../pages/agents/agent-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agents/$agentId/build',
    staticData: { page: 'agents', full: true, rail: true },
    validateSearch: agentSearch,
    ...withWords('agents', 'agentBuilder'),
    component: lazyPage(() => import('../pages/agents/builder/builder-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tools',
    staticData: { page: 'tools' },
    ...withWords('toolsPage'),
    component: lazyPage(() => import('../pages/tools/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agent-reviews',
    staticData: { page: 'reviews' },
    ...withWords('reviews'),
    component: lazyPage(() => import('../pages/agents/reviews/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agent-reviews/$reviewId',
    staticData: { page: 'reviews' },
    ...withWords('agents', 'reviews'),
    component: lazyPage(() => import('../pages/agents/reviews/review-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/collections',
    staticData: { page: 'collections' },
    validateSearch: tableSearch,
    ...withWords('collectionsPage'),
    component: lazyPage(() => import('../pages/collections/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/collections/$collectionId',
    staticData: { page: 'collections' },
    validateSearch: collectionsSearch,
    ...withWords('parser', 'collectionsPage'),
    component: lazyPage(() => import('../pages/collections/collection-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/collections/$collectionId/documents/$documentId',
    staticData: { page: 'collections', full: true },
    validateSearch: collectionsSearch,
    ...withWords('parser', 'collectionsPage'),
    component: lazyPage(() => import('../pages/collections/document/document-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/playground',
    staticData: { page: 'playground', full: true },
    ...withWords('playground'),
    component: lazyPage(() => import('../pages/playground/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/parser',
    staticData: { page: 'parser' },
    ...withWords('parser'),
    component: lazyPage(() => import('../pages/parser/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/parser/$documentId',
    staticData: { page: 'parser', full: true },
    validateSearch: parserSearch,
    ...withWords('parser'),
    component: lazyPage(() => import('../pages/parser/document-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/speech',
    staticData: { page: 'speech' },
    ...withWords('speech'),
    component: lazyPage(() => import('../pages/speech/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/batches',
    staticData: { page: 'batches' },
    ...withWords('batchList'),
    component: lazyPage(() => import('../pages/batches/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/keys',
    staticData: { page: 'keys' },
    validateSearch: tableSearch,
    ...withWords('keysPage'),
    component: lazyPage(() => import('../pages/keys/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/models',
    staticData: { page: 'models' },
    validateSearch: tableSearch,
    ...withAnswer('models', askModels, 'modelsPage'),
    component: lazyPage(() => import('../pages/models/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/users',
    staticData: { page: 'users' },
    validateSearch: tableSearch,
    ...withWords('users'),
    component: lazyPage(() => import('../pages/users/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/usage',
    staticData: { page: 'usage' },
    ...withWords('usage'),
    component: lazyPage(() => import('../pages/usage/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/privacy',
    staticData: { page: 'privacy' },
    component: lazyPage(() => import('../pages/privacy/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/audit',
    staticData: { page: 'audit' },
    validateSearch: auditSearch,
    ...withWords('settings', 'auditPage', 'keysPage'),
    component: lazyPage(() => import('../pages/audit/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings',
    staticData: { page: 'settings' },
    ...withWords('settings'),
    component: lazyPage(() => import('../pages/settings/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/network',
    staticData: { page: 'network' },
    validateSearch: tableSearch,
    component: lazyPage(() => import('../pages/network/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/profile',
    staticData: { page: 'profile' },
    ...withWords('profilePage'),
    component: lazyPage(() => import('../pages/profile/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tenants',
    staticData: { page: 'tenants' },
    ...withWords('tenants'),
    component: lazyPage(() => import('../pages/tenants/page.tsx')),
  }),
  // Every other address: people who are signed out sign in first, so that nothing tells which addresses there are.
  createRoute({ getParentRoute: () => shell, path: '$', component: NotFound }),
] as const;

const routeTree = root.addChildren([...publicRoutes, shell.addChildren([...chatRoutes, ...shellRoutes])]);

/** The router of the console, whose addresses all begin with /console. */
export const createConsoleRouter = (queries: QueryClient, visit: Visit, words: RouterContext['words']) =>
  createRouter({
    routeTree,
    basepath: '/console',
    context: { queries, visit, words },
    defaultPreload: 'intent',
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
