import type { RegisteredRouter } from '@tanstack/react-router';

/** Between two looks whether the page is still busy. */
const LOOK_MS = 200;

/** Whether the person asked their browser to spare data. */
const sparesData = (): boolean =>
  (globalThis.navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true;

/** Fetches the chat once the page that is open has all it asked for, until `signal` ends it. Where it fails, whoever opens it is told. */
export function fetchChat(router: RegisteredRouter, signal: AbortSignal): void {
  if (sparesData()) return;
  const { queries } = router.options.context;
  const look = () => {
    if (signal.aborted) return;
    if (queries.isFetching() > 0 || router.state.isLoading) return void setTimeout(look, LOOK_MS);
    void router.preloadRoute({ to: '/chat' }).catch(() => undefined);
  };
  setTimeout(look, LOOK_MS);
}
