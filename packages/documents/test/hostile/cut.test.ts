import { describe, expect, test } from 'vitest';
import { ownSeeds } from '../fuzz/seeds.ts';
import { large, useAttempts } from './attempt.ts';

const codes = ['read', 'CORRUPTED', 'ENCRYPTED', 'TOO_LARGE', 'UNSUPPORTED', 'NEEDS_OCR'];
/** Lengths at every tenth byte; of larger files fewer, and never the same distance within their sectors. */
const MAX_CUTS = large(400);

describe('files that are cut anywhere', () => {
  const attempt = useAttempts();
  test.each(ownSeeds().map(({ name, bytes }, nth) => ({ nth, name, bytes })))(
    'file $nth ($name) is read as far as it goes, or refused',
    async ({ name, bytes }) => {
      const step = Math.max(10, Math.ceil(bytes.length / MAX_CUTS));
      const found = new Set<string>();
      for (let length = 0; length < bytes.length; length += step) found.add(await attempt(bytes, name, length));
      expect([...found].filter((one) => !codes.includes(one))).toEqual([]);
      expect(found).toContain('CORRUPTED');
    },
    60_000,
  );
});
