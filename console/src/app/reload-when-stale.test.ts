import { expect, test, vi } from 'vitest';
import { reloadWhenStale } from './reload-when-stale.ts';

/** A window whose service answers or not. */
function openWindow(answer: () => Promise<{ ok: boolean }>) {
  const stored = new Map<string, string>();
  const reload = vi.fn();
  const page = Object.assign(new EventTarget(), {
    fetch: answer,
    location: { reload },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
  });
  reloadWhenStale(page as unknown as typeof globalThis & Window);
  const missChunk = async () => {
    page.dispatchEvent(new Event('vite:preloadError'));
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { reload, missChunk };
}

test('a chunk that is gone reloads the page, once', async () => {
  const { reload, missChunk } = openWindow(() => Promise.resolve({ ok: true }));
  await missChunk();
  await missChunk();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('without the service the page stays: a reload would end in the browser’s error page', async () => {
  const { reload, missChunk } = openWindow(() => Promise.reject(new TypeError('no network')));
  await missChunk();
  expect(reload).not.toHaveBeenCalled();
});
