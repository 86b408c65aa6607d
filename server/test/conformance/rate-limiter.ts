import { describe, expect, test } from 'vitest';
import { rateLimits, unlimited } from '../../src/kernel/rate-limits.ts';
import type { RateLimiter } from '../../src/ports/rate-limiter.ts';
import { amounts, limits, request, tokens } from '../support/rate-limits.ts';

interface LimiterUnderTest {
  readonly limiter: RateLimiter;
  readonly pass: (ms: number) => void;
}

/** What every RateLimiter does. `make` gives one whose clock the returned function moves on by milliseconds. */
export function rateLimiterConformance(name: string, make: () => LimiterUnderTest | Promise<LimiterUnderTest>): void {
  describe(`rate limiter ${name}`, () => {
    test.each(rateLimits)('counts what %s limits, by its own amount, and takes it back', async (limit) => {
      const { limiter } = await make();
      const own = { ...unlimited, [limit]: 3 };
      const one = amounts({ [limit]: 1 });
      const { window } = await limiter.reserve('a', own, one);
      await limiter.reserve('a', own, one);
      expect(await limiter.reserve('a', own, one)).toMatchObject({ allowed: true, limit: 3, remaining: 0 });
      expect(await limiter.reserve('a', own, one)).toMatchObject({ allowed: false });
      limiter.settle('a', own, amounts({ [limit]: -1 }), window);
      expect(await limiter.reserve('a', own, one)).toMatchObject({ allowed: true });
      await limiter.close();
    });

    test('lets the limit of requests pass and no more, until the window starts anew', async () => {
      const { limiter, pass } = await make();
      for (const remaining of [2, 1, 0]) {
        expect(await limiter.reserve('a', limits(3, null), request(5))).toMatchObject({
          allowed: true,
          limit: 3,
          remaining,
        });
      }
      pass(20_000);
      expect(await limiter.reserve('a', limits(3, null), request(5))).toEqual({
        allowed: false,
        limit: 3,
        remaining: 0,
        resetSeconds: 40,
        window: expect.any(Number) as number,
      });
      expect(await limiter.reserve('b', limits(3, null), request(5))).toMatchObject({ allowed: true });
      pass(40_000);
      expect(await limiter.reserve('a', limits(3, null), request(5))).toMatchObject({ allowed: true, remaining: 2 });
      await limiter.close();
    });

    test('reserves tokens, and takes the true number when it is told', async () => {
      const { limiter } = await make();
      const own = limits(null, 100);
      const first = await limiter.reserve('a', own, request(80));
      expect(first).toMatchObject({ allowed: true, limit: 100, remaining: 20 });
      expect(await limiter.reserve('a', own, request(30))).toMatchObject({ allowed: false });
      limiter.settle('a', own, tokens(-70), first.window);
      expect(await limiter.reserve('a', own, request(30))).toMatchObject({ allowed: true, remaining: 60 });
      limiter.settle('a', own, tokens(60), first.window);
      expect(await limiter.reserve('a', own, request(1))).toMatchObject({ allowed: false, remaining: 0 });
      await limiter.close();
    });

    test('leaves the present window alone when the true number comes after its own is over', async () => {
      const { limiter, pass } = await make();
      const own = limits(null, 100);
      const late = await limiter.reserve('a', own, request(80));
      pass(60_000);
      const { window } = await limiter.reserve('a', own, request(50));
      limiter.settle('a', own, tokens(-70), late.window);
      expect(await limiter.reserve('a', own, request(40))).toMatchObject({ allowed: true, remaining: 10 });
      limiter.settle('a', own, tokens(-30), window);
      expect(await limiter.reserve('a', own, request(30))).toMatchObject({ allowed: true, remaining: 10 });
      await limiter.close();
    });

    test('lets a request of more than the whole limit pass in a fresh window', async () => {
      const { limiter } = await make();
      expect(await limiter.reserve('a', limits(null, 10), request(50))).toMatchObject({ allowed: true });
      expect(await limiter.reserve('a', limits(null, 10), request(1))).toMatchObject({ allowed: false });
      await limiter.close();
    });

    test('shows the limit that is nearest to its end, and none where there is none', async () => {
      const { limiter } = await make();
      expect(await limiter.reserve('a', limits(100, 1000), request(900))).toMatchObject({
        limit: 1000,
        remaining: 100,
      });
      expect(await limiter.reserve('b', limits(100, 1000), request(1))).toMatchObject({ limit: 100, remaining: 99 });
      expect(await limiter.reserve('c', limits(null, null), request(1e9))).toMatchObject({
        allowed: true,
        limit: null,
      });
      await limiter.close();
    });
  });
}
