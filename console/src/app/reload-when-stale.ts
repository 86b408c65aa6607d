const KEY = 'studio.renewed';
/** Chunks that are still missing after a reload are not missing because of a new build: do not reload again. */
const RELOAD_COOLDOWN_MS = 60_000;
/** How often a service that is away is asked whether it is back. */
const PROBE_MS = 3_000;

/** The errors of chunks that could not be loaded. */
const missing = new WeakSet<object>();

/** The code of a page that could not be loaded. */
export class MissingChunkError extends Error {
  override readonly name = 'MissingChunkError';

  constructor(cause: unknown) {
    super('A part of the console could not be loaded', { cause });
  }
}

/** Whether a part of the console could not be loaded: only a reload of the page brings it, as the browser keeps the failure. */
export const isMissingChunk = (error: unknown): boolean =>
  error instanceof MissingChunkError || (typeof error === 'object' && error !== null && missing.has(error));

/** Whether the service answers: a reload without it would replace the console by the browser's error page. */
const isReachable = (page: typeof globalThis) =>
  page.fetch('/livez', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

function reloadOnce(page: typeof globalThis & Window): void {
  try {
    const last = Number(page.sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < RELOAD_COOLDOWN_MS) return;
    page.sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage it might reload in a loop.
    return;
  }
  page.location.reload();
}

/** Reloads the page when a chunk cannot be loaded, because the service was updated to another build. */
export function reloadWhenStale(page: typeof globalThis & Window): void {
  page.addEventListener('vite:preloadError', ({ payload }) => {
    missing.add(payload);
    void isReachable(page).then((reachable) => {
      if (reachable) reloadOnce(page);
    });
  });
}

/** Reloads the page if the service answers: without it, the browser's error page would take its place. */
export async function reloadIfReachable(page: typeof globalThis & Window): Promise<void> {
  if (await isReachable(page)) page.location.reload();
}

/**
 * Reloads the page once the service answers again; until `signal` is aborted. Each time that the service was away it reloads, however
 * short before it did: only where it was not away all the while may the reload be of no use.
 */
export async function reloadWhenBack(page: typeof globalThis & Window, signal: AbortSignal): Promise<void> {
  let wasAway = false;
  while (!(await isReachable(page))) {
    wasAway = true;
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    if (signal.aborted) return;
  }
  if (signal.aborted) return;
  if (wasAway) page.location.reload();
  else reloadOnce(page);
}
