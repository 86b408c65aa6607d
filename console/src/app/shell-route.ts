import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { isSignedOut } from '../api/error.ts';
import { meQuery } from '../api/session.ts';
import type { RouterContext, Visit } from './route-parts.ts';
import { Shell } from './shell/shell.tsx';

/** Redirect to the sign-in page, then back to `next`. Says that the session has ended to people who were signed in before. */
export const signInRedirect = (next: string, { signedIn }: Visit) => ({
  to: '/login' as const,
  search: signedIn ? { next, error: 'signed_out' as const } : { next },
});

export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });

/** Pages of people who are signed in. Others sign in first and come back to the address that they asked for. */
export const shell = createRoute({
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
