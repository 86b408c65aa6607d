const KEY = 'studio.renewed';
/** Chunks that are still missing after a reload are not missing because of a new build: do not reload again. */
const RELOAD_COOLDOWN_MS = 60_000;

/** Whether the service answers: a reload without it would replace the console by the browser's error page. */
const isReachable = (page: typeof globalThis) =>
  page.fetch('/livez', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Reloads the page when a chunk cannot be loaded, because the service was updated to another build. */
export function reloadWhenStale(page: typeof globalThis & Window): void {
  page.addEventListener('vite:preloadError', () => {
    void isReachable(page).then((reachable) => {
      if (!reachable) return;
      try {
        const last = Number(page.sessionStorage.getItem(KEY) ?? 0);
        if (Date.now() - last < RELOAD_COOLDOWN_MS) return;
        page.sessionStorage.setItem(KEY, String(Date.now()));
      } catch {
        // Without storage it might reload in a loop.
        return;
      }
      page.location.reload();
    });
  });
}
