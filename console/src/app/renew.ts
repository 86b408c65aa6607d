const KEY = 'studio.renewed';
/** A page that cannot get its parts after it was loaded anew has another trouble than its age. */
const AGAIN_AFTER_MS = 60_000;

/** Loads the page anew when a part of it is gone because the service has another build now. */
export function renewWhenStale(page: Window): void {
  page.addEventListener('vite:preloadError', () => {
    try {
      const last = Number(page.sessionStorage.getItem(KEY) ?? 0);
      if (Date.now() - last < AGAIN_AFTER_MS) return;
      page.sessionStorage.setItem(KEY, String(Date.now()));
    } catch {
      // Without a memory it might load anew for ever.
      return;
    }
    page.location.reload();
  });
}
