import { expect, test, vi } from 'vitest';
import { isMissingChunk, reloadWhenBack, reloadWhenStale } from './reload-when-stale.ts';

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
  const opened = page as unknown as typeof globalThis & Window;
  reloadWhenStale(opened);
  const missChunk = async () => {
    const payload = new TypeError('no such chunk');
    page.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
    await new Promise((resolve) => setTimeout(resolve));
    return payload;
  };
  return { page: opened, reload, missChunk };
}

test('a chunk that is gone reloads the page, once', async () => {
  const { reload, missChunk } = openWindow(() => Promise.resolve({ ok: true }));
  await missChunk();
  await missChunk();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('each time that the service was away the page is loaded when it is back, however short before it was loaded', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let ok = true;
    const { page, reload, missChunk } = openWindow(() => Promise.resolve({ ok }));
    const missed = missChunk();
    await vi.runAllTimersAsync();
    await missed;
    expect(reload).toHaveBeenCalledTimes(1);
    const { signal } = new AbortController();
    // A chunk that is missing though the service is there would be missing again.
    await reloadWhenBack(page, signal);
    expect(reload).toHaveBeenCalledTimes(1);
    ok = false;
    const back = reloadWhenBack(page, signal);
    await vi.advanceTimersByTimeAsync(1_000);
    ok = true;
    await vi.advanceTimersByTimeAsync(10_000);
    await back;
    expect(reload).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('without the service the page stays: a reload would end in the browser’s error page', async () => {
  const { reload, missChunk } = openWindow(() => Promise.reject(new TypeError('no network')));
  await missChunk();
  expect(reload).not.toHaveBeenCalled();
});

test('what was missed without the service is loaded once it is back, and not when somebody has left that page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let ok = false;
    const { page, reload, missChunk } = openWindow(() => Promise.resolve({ ok }));
    const missed = missChunk();
    await vi.runAllTimersAsync();
    expect(isMissingChunk(await missed)).toBe(true);
    expect(isMissingChunk(new TypeError('another'))).toBe(false);
    const left = new AbortController();
    const ends = [left.signal, new AbortController().signal].map((signal) => reloadWhenBack(page, signal));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reload).not.toHaveBeenCalled();
    left.abort();
    await vi.advanceTimersByTimeAsync(10_000);
    ok = true;
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(ends);
    expect(reload).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
