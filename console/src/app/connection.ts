/** How often a service that is away is asked whether it is back. */
const PROBE_MS = 3_000;
/** A window that is looked at again after so long asks whether there is a new version. */
const VERSION_CHECK_MS = 10 * 60_000;
/** A call that got no answer. Dispatched on the window by `api/client.ts`. */
export const UNREACHABLE = 'studio:unreachable';

/** Whether the service can be reached, and whether it serves another version of the console than this one. */
export interface Connection {
  isAway(): boolean;
  /** Another version waits: it is taken with the next page that is opened. */
  isOutdated(): boolean;
  subscribe(listener: () => void): () => void;
  /** Ends what it waits for. */
  close(): void;
}

type Page = Pick<Window, 'addEventListener' | 'removeEventListener' | 'setTimeout' | 'clearTimeout' | 'document'> & {
  readonly fetch: typeof fetch;
};

/** The script that a page begins with: each version of the console has another. */
const firstScript = (html: string): string | undefined => /<script[^>]+src="([^"]+)"/.exec(html)?.[1];

/**
 * Watches the connection from now on: calls that get no answer, and what the browser knows of the network. `onBack` is called each time
 * that the service has come back.
 */
export function watchConnection(page: Page, onBack: () => void): Connection {
  const listeners = new Set<() => void>();
  const own = page.document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;
  let away = false;
  let outdated = false;
  let probing = false;
  let closed = false;
  let timer = 0;
  let checkedMs = Date.now();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const isReachable = () =>
    page.fetch('/livez', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
  const checkVersion = async () => {
    checkedMs = Date.now();
    try {
      const response = await page.fetch('/console/', { cache: 'no-cache' });
      if (!response.ok) return;
      const served = firstScript(await response.text());
      if (own !== null && served !== undefined && served !== own) outdated = true;
    } catch {
      // Away again: it is asked when it is back.
    }
  };
  const probe = async () => {
    if (probing || closed) return;
    probing = true;
    const reachable = await isReachable();
    probing = false;
    if (closed) return;
    if (!reachable) {
      if (!away) {
        away = true;
        tell();
      }
      timer = page.setTimeout(() => void probe(), PROBE_MS);
      return;
    }
    if (!away) return;
    away = false;
    await checkVersion();
    tell();
    onBack();
  };
  const ask = () => {
    page.clearTimeout(timer);
    void probe();
  };
  const looked = () => {
    if (page.document.visibilityState === 'visible' && Date.now() - checkedMs > VERSION_CHECK_MS) void checkVersion();
  };
  for (const event of [UNREACHABLE, 'offline', 'online']) page.addEventListener(event, ask);
  page.document.addEventListener('visibilitychange', looked);
  return {
    isAway: () => away,
    isOutdated: () => outdated,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      page.clearTimeout(timer);
      for (const event of [UNREACHABLE, 'offline', 'online']) page.removeEventListener(event, ask);
      page.document.removeEventListener('visibilitychange', looked);
    },
  };
}
