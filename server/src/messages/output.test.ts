import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromJsonText, toJsonText } from '../kernel/json-text.ts';
import type { ChatEvent } from '../ports/engine.ts';
import { MessageOutput } from './output.ts';

type Told = { readonly type: string; readonly index?: number } & Record<string, unknown>;

/** What is told of events, and the blocks at the end. */
function outputOf(events: readonly ChatEvent[], showsThinking = true) {
  const told: Told[] = [];
  const output = new MessageOutput({
    seal: (thinking) => `sealed ${fromJsonText(thinking)}`,
    showsThinking,
    tell: (type, members) =>
      void told.push({ type, ...(JSON.parse(Buffer.from(`{${members}}`, 'latin1').toString('utf8')) as object) }),
  });
  for (const event of events) output.take(event);
  output.end();
  const blocks = JSON.parse(Buffer.from(output.render(), 'latin1').toString('utf8')) as Record<string, unknown>[];
  return { told, blocks, output };
}

const text = (of: string, channel: 'content' | 'reasoning' = 'content'): ChatEvent => ({
  type: 'text',
  choice: 0,
  channel,
  json: toJsonText(of),
});
const call = (at: number): ChatEvent => ({ type: 'tool_call', choice: 0, call: at, id: `call_${at}`, name: `f${at}` });
const args = (at: number, of: string): ChatEvent => ({
  type: 'tool_arguments',
  choice: 0,
  call: at,
  json: toJsonText(of),
});

/** Blocks as a client gathers them, each begun and ended before the next. */
function gathered(told: readonly Told[]): Record<string, unknown>[] {
  const blocks: Record<string, unknown>[] = [];
  let open = false;
  for (const event of told) {
    if (event.type === 'content_block_start') {
      expect(open).toBe(false);
      expect(event.index).toBe(blocks.length);
      blocks.push({ ...(event['content_block'] as object) });
      open = true;
      continue;
    }
    expect(open).toBe(true);
    expect(event.index).toBe(blocks.length - 1);
    const block = blocks.at(-1) ?? {};
    if (event.type === 'content_block_stop') {
      open = false;
      if (block['type'] !== 'tool_use') continue;
      const input = block['json'] as string | undefined;
      block['input'] = input === undefined ? {} : JSON.parse(input);
      delete block['json'];
      continue;
    }
    const delta = event['delta'] as Record<string, string>;
    if (delta['type'] === 'text_delta') block['text'] = `${String(block['text'])}${delta['text']}`;
    else if (delta['type'] === 'thinking_delta') block['thinking'] = `${String(block['thinking'])}${delta['thinking']}`;
    else if (delta['type'] === 'signature_delta') block['signature'] = delta['signature'];
    else block['json'] = `${(block['json'] as string | undefined) ?? ''}${delta['partial_json']}`;
  }
  expect(open).toBe(false);
  return blocks;
}

describe('the blocks of an answer', () => {
  test('are told one after the other, also where calls come in turns', () => {
    const { told, blocks } = outputOf([
      text('a', 'reasoning'),
      text('b'),
      call(0),
      args(0, '{"x":'),
      call(1),
      args(1, '{"y"'),
      args(0, '1}'),
      args(1, ':2}'),
      text('c'),
    ]);
    expect(gathered(told)).toEqual(blocks);
    expect(blocks).toEqual([
      { type: 'thinking', thinking: 'a', signature: 'sealed a' },
      { type: 'text', text: 'b', citations: null },
      { type: 'tool_use', id: 'call_0', name: 'f0', input: { x: 1 } },
      { type: 'tool_use', id: 'call_1', name: 'f1', input: { y: 2 } },
      { type: 'text', text: 'c', citations: null },
    ]);
  });

  test('are told at once where nothing waits before them', () => {
    const told: string[] = [];
    const output = new MessageOutput({ seal: () => 's', showsThinking: true, tell: (type) => void told.push(type) });
    output.take(call(0));
    output.take(args(0, '{"x":1}'));
    output.take(call(1));
    expect(told.filter((type) => type === 'content_block_start')).toHaveLength(2);
  });

  test('tell thinking by its seal alone where its text is not wanted', () => {
    const { told, blocks } = outputOf([text('secret', 'reasoning'), text('b')], false);
    expect(gathered(told)).toEqual(blocks);
    expect(blocks[0]).toEqual({ type: 'thinking', thinking: '', signature: 'sealed secret' });
    expect(JSON.stringify(told)).not.toContain('"thinking":"secret');
  });

  test('have no arguments where they were cut off, or are no object', () => {
    const cut = outputOf([call(0), args(0, '{"x":'), call(1), args(1, '[1]'), call(2)]);
    expect(cut.blocks.map(({ input }) => input)).toEqual([{}, {}, {}]);
  });

  test('keep arguments as they were written', () => {
    const { output } = outputOf([call(0), args(0, '{"id": 12345678901234567890}')]);
    expect(output.render()).toContain('{"id": 12345678901234567890}');
  });

  test('are the same told and whole, however events come', () => {
    const piece = fc.oneof(
      fc.record({ kind: fc.constant('text' as const), of: fc.string({ unit: 'grapheme' }) }),
      fc.record({ kind: fc.constant('thinking' as const), of: fc.string({ unit: 'grapheme' }) }),
      fc.record({ kind: fc.constant('call' as const), of: fc.json().map((json) => `{"value":${json}}`) }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(30), { maxLength: 40 }), (pieces, cuts) => {
        const events: ChatEvent[] = [];
        const waiting: { readonly at: number; rest: string }[] = [];
        let calls = 0;
        let turn = 0;
        const next = () => cuts[turn++ % Math.max(1, cuts.length)] ?? 1;
        for (const { kind, of } of pieces) {
          if (kind === 'call') {
            events.push(call(calls));
            waiting.push({ at: calls++, rest: of });
          } else if (of !== '') events.push(text(of, kind === 'text' ? 'content' : 'reasoning'));
          // Some of the arguments come later, in turns.
          for (const one of waiting) {
            const length = next();
            if (length > 0 && one.rest !== '') events.push(args(one.at, one.rest.slice(0, length)));
            one.rest = one.rest.slice(length);
          }
        }
        for (const { at, rest } of waiting) if (rest !== '') events.push(args(at, rest));
        const { told, blocks } = outputOf(events);
        expect(gathered(told)).toEqual(blocks);
      }),
      { numRuns: 200 },
    );
  });
});
