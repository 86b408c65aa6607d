import { expect, test } from 'vitest';
import { diskFull, isDiskFull } from './disk-full.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });

test('a full disk is known by the words of each that writes, also as the cause of another failure', () => {
  const engine = new Error('lance error: LanceError(IO): No space left on device (os error 28)');
  for (const error of [withCode('ENOSPC'), withCode('EDQUOT'), withCode('53100'), engine]) {
    expect(isDiskFull(error)).toBe(true);
    expect(isDiskFull(new Error('outer', { cause: new Error('inner', { cause: error }) }))).toBe(true);
  }
  expect(diskFull(engine)).toMatchObject({ code: 'unavailable', reason: 'disk_full', retryAfterSeconds: 30 });
});

test('other failures are not taken for it', () => {
  for (const error of [withCode('EACCES'), withCode('53200'), new Error('space'), 'ENOSPC', null, undefined])
    expect(isDiskFull(error)).toBe(false);
  const circle = new Error('a');
  circle.cause = circle;
  expect(isDiskFull(circle)).toBe(false);
});

test('causes are looked through five deep', () => {
  const nested = (depth: number): Error =>
    depth === 1 ? withCode('ENOSPC') : new Error('outer', { cause: nested(depth - 1) });
  expect([5, 6].map((depth) => isDiskFull(nested(depth)))).toEqual([true, false]);
});
