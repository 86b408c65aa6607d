import { expect, test } from 'vitest';
import type { TenantId } from '../../kernel/context.ts';
import { acceptsOf, createLoadPart, dataPart, loadParts, unwrapData } from './parts.ts';

test('a caller takes what it names, by ranges too, and all where it names nothing', () => {
  const takes = (modes: string[] | null) => ['text/csv', 'image/png', 'application/json'].filter(acceptsOf(modes));
  expect(takes(null)).toHaveLength(3);
  expect(takes([])).toHaveLength(3);
  expect(takes(['*/*'])).toHaveLength(3);
  expect(takes(['text/plain'])).toEqual([]);
  expect(takes(['IMAGE/*; q=1', 'application/json'])).toEqual(['image/png', 'application/json']);
  expect(acceptsOf(['text/csv'])('text/csv; charset=utf-8')).toBe(true);
});

test('data of 0.3 are objects: another value is wrapped, and what was wrapped is taken out', () => {
  for (const value of [[1], 'x', 7, null, false]) {
    const part = dataPart('0.3', value) as { data: Record<string, unknown>; metadata: unknown };
    expect(part.data).toEqual({ value });
    expect(unwrapData(part.data, part.metadata)).toEqual(value);
    expect(dataPart('1.0', value)).toEqual({ data: value, mediaType: 'application/json' });
  }
  expect(dataPart('0.3', { value: 1 })).toEqual({ kind: 'data', data: { value: 1 } });
  expect(unwrapData({ value: 1 }, undefined)).toEqual({ value: 1 });
});

test('a file that is not kept any more, and one that is not taken, are left out', async () => {
  const file = (id: string, media_type = 'text/plain') => ({
    kind: 'file' as const,
    id,
    file: { id, name: id, media_type, size: 1 },
  });
  const read: string[] = [];
  const load = createLoadPart(
    (_tenant, { id }) => {
      read.push(id);
      return Promise.resolve(id === 'gone' ? null : Buffer.from(id));
    },
    't' as TenantId,
    acceptsOf(['text/plain']),
  );
  const shown = await loadParts(load, [file('a'), file('gone'), file('film', 'video/mp4')]);
  expect(shown).toEqual([{ ...file('a'), base64: 'YQ==' }]);
  expect(read).toEqual(['a', 'gone']);
});
