import { expect, test } from 'vitest';
import { raceAbort } from './race-abort.ts';

const gone = new Error('gone');

test('it is what the work comes to, and nothing is left on the signal', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(signal, async () => 7)).toBe(7);
  await expect(raceAbort(signal, () => Promise.reject(gone))).rejects.toBe(gone);
});

test("it ends with the signal's reason, whatever the work still does", async () => {
  const abort = new AbortController();
  const work = Promise.withResolvers<number>();
  const raced = raceAbort(abort.signal, () => work.promise);
  abort.abort(gone);
  await expect(raced).rejects.toBe(gone);
  work.reject(new Error('later'));
  let begun = false;
  const late = raceAbort(abort.signal, async () => (begun = true));
  await expect(late).rejects.toBe(gone);
  expect(begun).toBe(false);
});
