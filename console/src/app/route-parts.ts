import type { QueryClient } from '@tanstack/react-query';
import { hasPermission, meQuery } from '../api/session.ts';
import type { LazyNamespace } from '../i18n/lazy.ts';
import { type ShellPage, pagePermissions } from './page-permissions.ts';

// What routes are made of.

/** What is known of the person since the page was loaded. */
export interface Visit {
  /** Someone has been signed in. */
  signedIn: boolean;
}

export interface RouterContext {
  readonly queries: QueryClient;
  readonly visit: Visit;
  /** Fetches words of pages in the language of the console; rejects where that fails. */
  readonly words: (namespaces: readonly LazyNamespace[]) => Promise<void>;
}

/** Of a route: the words that its page brings, fetched beside its code. */
export const withWords = (...namespaces: readonly LazyNamespace[]) => ({
  loader: ({ context }: { readonly context: RouterContext }) => context.words(namespaces),
  staleTime: Infinity,
});

/**
 * The same for a page that shows nothing before an answer of the service: whoever may see the page has that asked for beside its code, too.
 * A failure is told by the page.
 */
export const withAnswer = (
  page: ShellPage,
  ask: (queries: QueryClient) => Promise<unknown>,
  ...namespaces: readonly LazyNamespace[]
) => ({
  loader: ({ context: { queries, words } }: { readonly context: RouterContext }) => {
    const me = queries.getQueryData(meQuery.queryKey);
    if (me !== undefined && hasPermission(me, pagePermissions[page])) void ask(queries).catch(() => undefined);
    return words(namespaces);
  },
  staleTime: Infinity,
});
