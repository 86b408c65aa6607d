import { expect, test } from 'vitest';
import { makeSlug } from './slug.ts';

test('slugs are 22 base64url characters by chance', () => {
  const slugs = Array.from({ length: 1_000 }, makeSlug);
  for (const slug of slugs) expect(slug).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(new Set(slugs).size).toBe(slugs.length);
});
