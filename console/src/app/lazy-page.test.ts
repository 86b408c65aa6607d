import { expect, test, vi } from 'vitest';
import { lazyPage } from './lazy-page.ts';
import { isMissingChunk } from './reload-when-stale.ts';

test('code of a page that could not be fetched is an error of the console, which the router does not answer by a reload', async () => {
  const missing = new TypeError('Failed to fetch dynamically imported module: /console/assets/page.js');
  const page = lazyPage<object, { Page: () => unknown }>(() => Promise.reject(missing));
  await page.preload?.();
  const reload = vi.fn();
  vi.stubGlobal('window', { location: { reload } });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined });
  try {
    const draw = async () => (page as unknown as (props: object) => unknown)({});
    const failure: unknown = await draw().catch((error: unknown) => error);
    expect(isMissingChunk(failure)).toBe(true);
    expect(failure).toMatchObject({ cause: missing });
    expect(reload).not.toHaveBeenCalled();
  } finally {
    vi.unstubAllGlobals();
  }
});
