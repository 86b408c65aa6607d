import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent } from '../../ports/engine.ts';
import { cutAtStops } from './stop.ts';

/** What is left of an answer that comes in these pieces, and by which string it was ended. */
function cut(stops: readonly string[], pieces: readonly string[]) {
  let text = '';
  const ends: (string | null)[] = [];
  let stopped = 0;
  const sink = cutAtStops(
    stops,
    1,
    () => stopped++,
    (event) => {
      if (event.type === 'text') text += fromJsonText(event.json);
      if (event.type === 'finish') ends.push(event.stop);
    },
  );
  const say = (piece: string): ChatEvent => ({ type: 'text', choice: 0, channel: 'content', json: toJsonText(piece) });
  for (const piece of pieces) sink(say(piece));
  sink({ type: 'finish', choice: 0, reason: 'stop', stop: null });
  return { text, ends, stopped };
}

test('an answer ends before its first stop string, one or several, cut anywhere', () => {
  const stops = fc
    .uniqueArray(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 3 })
    // One that ends within another may be whole before anybody knows of the other.
    .filter((marks) => marks.every((mark) => marks.every((other) => other.lastIndexOf(mark) <= 0 || other === mark)));
  const pieces = fc.array(fc.stringMatching(/^[abc]{0,4}$/), { maxLength: 6 });
  fc.assert(
    fc.property(stops, pieces, (marks, said) => {
      const whole = said.join('');
      const places = marks.map((mark) => whole.indexOf(mark)).filter((place) => place >= 0);
      const place = places.length === 0 ? -1 : Math.min(...places);
      const { text, ends, stopped } = cut(marks, said);
      expect(text).toBe(place < 0 ? whole : whole.slice(0, place));
      expect(stopped).toBe(place < 0 ? 0 : 1);
      expect(ends).toHaveLength(1);
      if (place < 0) expect(ends[0]).toBeNull();
      else expect(whole.startsWith(ends[0] ?? '-', place)).toBe(true);
    }),
  );
});
