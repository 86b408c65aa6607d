import { type ConsoleReason, consoleReasons } from '@ai-studio/contract/console/errors.ts';
import type { AnswerRating } from '@ai-studio/contract/console/feedback.ts';
import { type DocumentGroup, documentGroups } from '@ai-studio/contract/console/retrieval.ts';
import type { QueryClient } from '@tanstack/react-query';
import { Outlet, createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { isSignedOut } from '../api/error.ts';
import { hasPermission, meQuery } from '../api/session.ts';
import { LoadingPage } from '../parts/loading.tsx';
import { type TableSearch, tableSearch } from '../parts/table/table-address.ts';
import { lazyPage } from './lazy-page.ts';
import { type ShellPage, pagePermissions } from './page-permissions.ts';
import { NotFound } from './shell/not-found.tsx';
import { RouteError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';

/** What is known of the person since the page was loaded. */
export interface Visit {
  /** Someone has been signed in. */
  signedIn: boolean;
}

interface RouterContext {
  readonly queries: QueryClient;
  readonly visit: Visit;
}

/** Redirect to the sign-in page, then back to `next`. Says that the session has ended to people who were signed in before. */
export const signInRedirect = (next: string, { signedIn }: Visit) => ({
  to: '/login' as const,
  search: signedIn ? { next, error: 'signed_out' as const } : { next },
});

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
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });

/** Pages of people who are signed in. Others sign in first and come back to the address that they asked for. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    try {
      const me = await context.queries.query({ ...meQuery, staleTime: 'static' });
      context.visit.signedIn = true;
      if (me.must_add_second_factor && location.pathname !== '/profile') redirect({ to: '/profile', throw: true });
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      redirect({ ...signInRedirect(location.href, context.visit), throw: true });
    }
  },
});

interface NextSearch {
  /** Address below /console to go to after the sign-in. */
  readonly next?: string | undefined;
  /** Why the person is here: the session has ended, or the single sign-on led nowhere. */
  readonly error?: ConsoleReason | undefined;
}

/** An address of this console only: anything else would let a link lead people elsewhere after the sign-in. */
function isOwnAddress(next: unknown): next is string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next)) return false;
  const { origin } = globalThis.location;
  if (!URL.canParse(`/console${next}`, origin)) return false;
  // As the browser will read it: two dots lead upwards.
  const address = new URL(`/console${next}`, origin);
  return address.origin === origin && /^\/console\/(?!api(?:\/|$))/.test(address.pathname);
}
const isReason = (reason: unknown): reason is ConsoleReason => consoleReasons.some((known) => known === reason);
// Each is named even where it is none: the router takes what is left out from the address as it stands.
const nextSearch = ({ next, error }: Record<string, unknown>): NextSearch => ({
  next: isOwnAddress(next) ? next : undefined,
  error: isReason(error) ? error : undefined,
});

interface ParserSearch {
  /** Page of the document. */
  readonly page?: number | undefined;
  /** The first block that is shown of it. */
  readonly from?: number | undefined;
  readonly tab?: string | undefined;
}
const wholeNumber = (value: unknown, least: number) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined;
const parserSearch = ({ page, from, tab }: Record<string, unknown>): ParserSearch => ({
  page: wholeNumber(page, 1),
  from: wholeNumber(from, 1),
  tab: typeof tab === 'string' ? tab : undefined,
});

interface CollectionsSearch extends TableSearch {
  readonly tab?: string | undefined;
  /** Page of the document. */
  readonly page?: number | undefined;
  /** Chunk of the document. */
  readonly chunk?: string | undefined;
  /** Group of documents that is listed, and which part of the list. */
  readonly group?: DocumentGroup | undefined;
  readonly part?: number | undefined;
}
const collectionsSearch = ({ tab, page, chunk, group, part, ...more }: Record<string, unknown>): CollectionsSearch => ({
  ...tableSearch(more),
  group: documentGroups.find((known) => known === group),
  part: wholeNumber(part, 1),
  tab: typeof tab === 'string' ? tab : undefined,
  page: wholeNumber(page, 1),
  chunk: typeof chunk === 'string' ? chunk : undefined,
});

interface AgentSearch {
  readonly tab?: string | undefined;
  /** Session whose messages are shown. */
  readonly session?: number | undefined;
  /** Only sessions with an answer that was rated so. */
  readonly rating?: AnswerRating | undefined;
}
const agentSearch = ({ tab, session, rating }: Record<string, unknown>): AgentSearch => ({
  tab: typeof tab === 'string' ? tab : undefined,
  session: wholeNumber(session, 1),
  rating: rating === 'up' || rating === 'down' ? rating : undefined,
});

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
    component: lazyPage(() => import('../pages/overview/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/chat',
    staticData: { page: 'chat', full: true, rail: true },
    component: lazyPage(() => import('../pages/chat/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/chat/$conversationId',
    staticData: { page: 'chat', full: true, rail: true },
    component: lazyPage(() => import('../pages/chat/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/chat/agents/$slug',
    staticData: { page: 'chat', full: true, rail: true },
    component: lazyPage(() => import('../pages/chat/agent-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/chat/agents/$slug/$sessionId',
    staticData: { page: 'chat', full: true, rail: true },
    component: lazyPage(() => import('../pages/chat/agent-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/shared',
    staticData: { page: 'chat' },
    component: lazyPage(() => import('../pages/chat/shares-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/shared/$shareId',
    staticData: { page: 'chat', full: true },
    component: lazyPage(() => import('../pages/chat/shared-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/prompts',
    staticData: { page: 'prompts' },
    component: lazyPage(() => import('../pages/prompts/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agents',
    staticData: { page: 'agents' },
    component: lazyPage(() => import('../pages/agents/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agents/$agentId',
    staticData: { page: 'agents' },
    validateSearch: agentSearch,
    component: lazyPage(() => import('../pages/agents/agent-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agents/$agentId/build',
    staticData: { page: 'agents', full: true, rail: true },
    validateSearch: agentSearch,
    component: lazyPage(() => import('../pages/agents/builder/builder-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tools',
    staticData: { page: 'tools' },
    component: lazyPage(() => import('../pages/tools/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agent-reviews',
    staticData: { page: 'reviews' },
    component: lazyPage(() => import('../pages/agents/reviews/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/agent-reviews/$reviewId',
    staticData: { page: 'reviews' },
    component: lazyPage(() => import('../pages/agents/reviews/review-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/collections',
    staticData: { page: 'collections' },
    component: lazyPage(() => import('../pages/collections/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/collections/$collectionId',
    staticData: { page: 'collections' },
    validateSearch: collectionsSearch,
    component: lazyPage(() => import('../pages/collections/collection-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/collections/$collectionId/documents/$documentId',
    staticData: { page: 'collections', full: true },
    validateSearch: collectionsSearch,
    component: lazyPage(() => import('../pages/collections/document/document-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/playground',
    staticData: { page: 'playground', full: true },
    component: lazyPage(() => import('../pages/playground/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/parser',
    staticData: { page: 'parser' },
    component: lazyPage(() => import('../pages/parser/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/parser/$documentId',
    staticData: { page: 'parser', full: true },
    validateSearch: parserSearch,
    component: lazyPage(() => import('../pages/parser/document-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/speech',
    staticData: { page: 'speech' },
    component: lazyPage(() => import('../pages/speech/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/batches',
    staticData: { page: 'batches' },
    component: lazyPage(() => import('../pages/batches/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/keys',
    staticData: { page: 'keys' },
    validateSearch: tableSearch,
    component: lazyPage(() => import('../pages/keys/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/models',
    staticData: { page: 'models' },
    validateSearch: tableSearch,
    component: lazyPage(() => import('../pages/models/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/users',
    staticData: { page: 'users' },
    validateSearch: tableSearch,
    component: lazyPage(() => import('../pages/users/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/usage',
    staticData: { page: 'usage' },
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
    component: lazyPage(() => import('../pages/audit/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings',
    staticData: { page: 'settings' },
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
    component: lazyPage(() => import('../pages/profile/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tenants',
    staticData: { page: 'tenants' },
    component: lazyPage(() => import('../pages/tenants/page.tsx')),
  }),
  // Every other address: people who are signed out sign in first, so that nothing tells which addresses there are.
  createRoute({ getParentRoute: () => shell, path: '$', component: NotFound }),
] as const;

const routeTree = root.addChildren([...publicRoutes, shell.addChildren(shellRoutes)]);

/** The router of the console, whose addresses all begin with /console. */
export const createConsoleRouter = (queries: QueryClient, visit: Visit) =>
  createRouter({
    routeTree,
    basepath: '/console',
    context: { queries, visit },
    defaultPreload: 'intent',
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
