import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { api } from './client.ts';
import { forgetEarly, takeEarly } from './early.ts';

afterEach(() => {
  forgetEarly();
  vi.restoreAllMocks();
});

test('what was asked before the console was there is not asked again, but once', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(800);
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ name: 'later' }));
  globalThis.studioEarly = { '/me': Promise.resolve(Response.json({ name: 'early' })) };
  const schema = z.object({ name: z.string() });
  expect(await api.get('/me', schema)).toEqual({ name: 'early' });
  expect(asked).not.toHaveBeenCalled();
  expect(await api.get('/me', schema)).toEqual({ name: 'later' });
});

test('a refusal is one, and all else that was asked early is forgotten with it', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(800);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ items: [] }));
  globalThis.studioEarly = {
    '/me': Promise.resolve(Response.json({ error: { code: 'unauthorized', message: 'No' } }, { status: 401 })),
    '/chat-models': Promise.resolve(Response.json({ error: { code: 'unauthorized', message: 'No' } }, { status: 401 })),
  };
  await expect(api.get('/me', z.object({}))).rejects.toMatchObject({ status: 401 });
  expect(await api.get('/chat-models', z.object({ items: z.array(z.string()) }))).toEqual({ items: [] });
});

test('an old answer, a search and a change do not take it', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(800);
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({}));
  globalThis.studioEarly = { '/me': Promise.resolve(Response.json({})) };
  await api.get('/me', z.object({}), { query: { part: 2 } });
  await api.run('PATCH', '/me', {});
  expect(asked).toHaveBeenCalledTimes(2);
  now.mockReturnValue(60_000);
  expect(takeEarly('/me')).toBeUndefined();
});
