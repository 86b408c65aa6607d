import { readFileSync } from 'node:fs';
import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
// @ts-expect-error A script without types.
import { assemble } from '../../../../tools/assemble-wasm.mjs';
import { times } from '../../../test/support/long.ts';
import { jsonText, mutate, mutations } from '../../../test/support/mutated-json.ts';
import { scanObject } from '../json-scan.ts';
import { outlineJson } from './index.ts';

const parsed = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

/** Whether a value is another one, or that without the end of some of its texts. Under no key but those four is any cut. */
function isOutlineOf(short: unknown, whole: unknown, key = ''): boolean {
  if (typeof short === 'string' && typeof whole === 'string') {
    const isCut = ['content', 'text', 'url', 'arguments', ...reasoningKeys].includes(key) && short.length >= 10;
    return short === whole || (isCut && whole.startsWith(short));
  }
  if (typeof short !== 'object' || short === null || typeof whole !== 'object' || whole === null)
    return short === whole;
  const [some, all] = [Object.entries(short), Object.entries(whole)];
  return (
    Array.isArray(short) === Array.isArray(whole) &&
    some.length === all.length &&
    some.every(([name, value], i) => {
      const [given, wholeValue] = all[i] ?? [];
      return name === given && isOutlineOf(value, wholeValue, name);
    })
  );
}

/** An object of long texts, as most of a chat is. */
const object = fc
  .array(jsonText, { minLength: 1, maxLength: 3 })
  .map((values) => `{${values.map((value) => `"content":${value}`).join(',')}}`);

const blocks = fc.record({
  minBytes: fc.constant(0),
  maxShare: fc.constant(10),
  firstBlockBytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(4_096)),
  blockBytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(65_536)),
});

describe('the outline of JSON', () => {
  it('is made by the module that outline.wat assembles to', async () => {
    const committed = readFileSync(new URL('outline-module.ts', import.meta.url), 'utf8');
    expect(committed, 'node tools/assemble-wasm.mjs writes it anew').toBe(
      await (assemble as (source: string) => Promise<string>)('kernel/json-outline/outline'),
    );
  });

  it('is JSON where the text is, and of the same structure, however it comes in blocks and whatever is wrong with it', () => {
    let outlined = 0;
    let cut = 0;
    fc.assert(
      fc.property(fc.oneof(object, jsonText), fc.oneof(fc.constant([]), mutations), blocks, (text, changes, sizes) => {
        const latin1 = mutate(Buffer.from(text).toString('latin1'), changes);
        const outline = outlineJson(Buffer.from(latin1, 'latin1'), sizes);
        const whole = parsed(latin1);
        if (outline === null) {
          // Nothing that is JSON is left to the slow way, but for its size.
          if (latin1.length > 0) expect(whole).toBeNull();
          return;
        }
        const short = parsed(outline.text);
        expect(short === null).toBe(whole === null);
        if (short === null || whole === null) return;
        outlined++;
        if (outline.text.length < latin1.length) cut++;
        expect(isOutlineOf(short.value, whole.value)).toBe(true);
      }),
      { numRuns: times(4_000, 100_000) },
    );
    expect(cut / outlined).toBeGreaterThan(0.15);
  });

  it('knows where in the text each of its members stands', () => {
    const members = fc.array(jsonText, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(members, blocks, (values, sizes) => {
        const latin1 = Buffer.from(`{${values.map((value, i) => ` "k${i}" : ${value} `).join(',')}}`).toString(
          'latin1',
        );
        const outline = outlineJson(Buffer.from(latin1, 'latin1'), sizes);
        const places = ({ start, valueStart, end }: { start: number; valueStart: number; end: number }) => [
          start,
          valueStart,
          end,
        ];
        const sought = outline === null ? [] : scanObject(outline.text).members.flatMap(places);
        const wanted = scanObject(latin1).members.flatMap(places);
        expect(outline?.toSource(sought)).toEqual(wanted);
        expect(sought.map((place) => outline?.placeInSource(place))).toEqual(wanted);
      }),
      { numRuns: times(500, 10_000) },
    );
  });

  it('reads escapes wherever they stand, a few of them or many side by side', () => {
    const long = 'a'.repeat(5_000);
    const outlineOf = (at: number, piece: string) =>
      outlineJson(
        Buffer.from(`{"content":"${long}${'b'.repeat(at)}${piece}${'c'.repeat(70)}${piece}${long}","x":1}`, 'latin1'),
      )?.text;
    // Through two blocks of 64 bytes.
    for (let at = 0; at < 128; at++) {
      for (const right of ['\\n', '\\\\', '\\"', '\\u00e9', '\\\\\\"', '\\t\\"\\u00e9\\\\\\/', '\\r\\n'.repeat(200)])
        expect(outlineOf(at, right)).toBe(`{"content":"${'a'.repeat(64)}","x":1}`);
      for (const wrong of ['\\x', '\n', '\\u00g9', '\\n\\x', '\\\\\\"\n', `${'\\n'.repeat(200)}\\x`])
        expect(outlineOf(at, wrong)).toBeUndefined();
    }
  });

  it('is given up where a text is no string of JSON, or there is too little to cut', () => {
    const outlineOf = (text: string) => outlineJson(Buffer.from(text, 'latin1'));
    const long = 'a'.repeat(10_000);
    for (const key of ['content', 'text', 'url', 'arguments', ...reasoningKeys])
      expect(outlineOf(`{"${key}":"${long}"}`)?.text).toBe(`{"${key}":"${'a'.repeat(64)}"}`);
    for (const wrong of ['\n', '\\x', '\\u12g4', '\\u1-'])
      for (const padding of ['', 'b'.repeat(200)])
        expect(outlineOf(`{"content":"${long}${wrong}${padding}"}`)).toBeNull();
    expect(outlineOf(`{"names":"${long}"}`)).toBeNull();
    expect(outlineOf(`{"content":"${'a'.repeat(4_000)}"}`)).toBeNull();
    for (const key of ['conten', 'contents', 'texts', 'reasonings', 'reasoning_contents', 'argument'])
      expect(outlineOf(`{"${key}":"${long}"}`)).toBeNull();
    // More than there is room for.
    expect(outlineOf(`[${`{"text":"${'a'.repeat(400)}"},`.repeat(6_000)}0]`)).toBeNull();
    const kept = `"${'k'.repeat(1_000_000)}"`;
    expect(outlineOf(`{"content":"${long.repeat(200)}","x":${kept}}`)).toBeNull();
  });
});
