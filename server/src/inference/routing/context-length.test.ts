import { expect, test } from 'vitest';
import type { Engine } from '../../ports/engine.ts';
import { contextLengthOf, inputsOf } from './context-length.ts';
import { createTargets } from './targets.ts';

interface Said {
  readonly tokens?: number | null;
  readonly inputs?: ReturnType<NonNullable<Engine['inputs']>>;
}

const engine = (id: string, { tokens = null, inputs = null }: Said): Engine => ({
  id,
  kind: 'openai',
  traits: { choices: true, reportsStop: true },
  health: () => Promise.resolve({ ok: true, reason: null }),
  models: () => Promise.resolve([]),
  contextLength: () => tokens,
  inputs: () => inputs,
  close: () => Promise.resolve(),
});

/** Engines by their names, each of so many addresses. */
const targetsOf = (engines: Readonly<Record<string, readonly Said[]>>) =>
  createTargets({
    engines: new Map(
      Object.entries(engines).map(([name, said]) => [
        name,
        said.map((one, at) => ({
          engine: engine(`${name}/${at}`, one),
          weight: 1,
          url: `http://${name}-${at}:8000/v1`,
        })),
      ]),
    ),
    now: () => 0,
    random: () => 0.5,
  });
const bindings = (...names: readonly string[]) =>
  names.map((name, priority) => ({ engine: name, weight: 1, priority }));

test('the shortest context of the addresses of the first priority counts', () => {
  const targets = targetsOf({
    gpu: [{ tokens: 32_768 }, { tokens: 16_384 }, { tokens: null }],
    spare: [{ tokens: 4_096 }],
  });
  expect(contextLengthOf(targets, bindings('gpu', 'spare'), 'm')).toBe(16_384);
  expect(contextLengthOf(targets, bindings('spare', 'gpu'), 'm')).toBe(4_096);
});

test('no length is known where no address says one, or no engine is there', () => {
  expect(contextLengthOf(targetsOf({ gpu: [{}, {}] }), bindings('gpu'), 'm')).toBeNull();
  expect(contextLengthOf(targetsOf({}), bindings('gone'), 'm')).toBeNull();
});

test('a model takes what all its addresses take', () => {
  const [both, images] = [{ inputs: { images: true, audio: true } }, { inputs: { images: true, audio: false } }];
  expect(inputsOf(targetsOf({ gpu: [both, images] }), bindings('gpu'), 'm')).toEqual({ images: true, audio: false });
  expect(inputsOf(targetsOf({ gpu: [both, {}] }), bindings('gpu'), 'm')).toEqual({ images: true, audio: true });
  expect(inputsOf(targetsOf({ gpu: [{}] }), bindings('gpu'), 'm')).toBeNull();
});
