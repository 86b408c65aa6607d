import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SpeechRequest } from '@ai-studio/contract/audio.ts';
import { openTestCalls } from '../../test/support/inference.ts';
import { unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { type Engine, EngineError, type TranscribeCall, type TranscribeResult } from '../ports/engine.ts';
import type { UsageRow } from '../usage/index.ts';
import { speak, transcribe, type TranscribeDeps } from './index.ts';

const binding = { engines: [{ engine: 'e' }] };
const catalogue = createCatalogue({
  models: { ears: { kind: 'transcription', ...binding }, voice: { kind: 'speech', ...binding } },
});
let folder = '';
let recording = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metered-'));
  recording = join(folder, 'a.wav');
  await writeFile(recording, Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(64)]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A call of an engine, whose caller may leave, and what is metered. */
function setting(engine: Partial<Engine>) {
  const rows: UsageRow[] = [];
  const gone = new AbortController();
  const calls = openTestCalls({
    router: { call: ({ modelId, signal }, work) => work({ id: 'e/0', ...engine } as Engine, modelId, signal) },
    record: (row) => void rows.push(row),
  });
  const actor = unlimitedActor({ tenantId: 't' as TenantId, keyId: 'k', userId: null });
  const { signal } = gone;
  return {
    rows,
    gone,
    call: calls.openUnlimited({ actor, requestId: 'r', endpoint: 'sound', startedMs: Date.now(), signal }),
  };
}

describe('a recording that is written down is metered', () => {
  const deps = {
    catalogue,
    decoder: {} as TranscribeDeps['decoder'],
    timeout: { totalMs: 1_000, perSecondMs: 1, maxSeconds: 10 },
  };
  const whole: TranscribeResult = { text: 'Hi', language: null, seconds: 9.0004, segments: null, words: [] };
  /** Hears a part, if any, and ends as it is told. */
  async function written(part: number, end: (gone: AbortController) => Promise<TranscribeResult>) {
    const transcribing = ({ onProgress }: TranscribeCall) => {
      if (part > 0) onProgress?.({ seconds: 9, done: part, segment: null });
      return end(gone);
    };
    const { rows, gone, call } = setting({ transcribe: transcribing });
    await transcribe(deps, call, recording, { response_format: 'json' }).catch(() => undefined);
    return rows;
  }
  const failing = () => Promise.reject<TranscribeResult>(new EngineError('timeout', 'late'));
  const leaving = (gone: AbortController) => {
    gone.abort();
    return failing();
  };

  test('as a whole, whether or not its caller is there to have it', async () => {
    const row = { model: 'ears', engine: 'e/0', audioInMs: 9_000, outcome: 'ok', status: 200 };
    expect(await written(4, () => Promise.resolve(whole))).toMatchObject([row]);
    expect(await written(4, (gone) => (gone.abort(), Promise.resolve(whole)))).toMatchObject([row]);
  });

  test('as far as it was heard where it breaks off', async () => {
    expect(await written(4, leaving)).toMatchObject([{ audioInMs: 4_000, outcome: 'canceled', status: 499 }]);
    expect(await written(4, failing)).toMatchObject([{ audioInMs: 4_000, outcome: 'error', status: 504 }]);
  });

  test('not at all where it fails before anything was heard, unless its caller ended it', async () => {
    expect(await written(0, failing)).toEqual([]);
    expect(await written(0, leaving)).toMatchObject([{ audioInMs: 0, outcome: 'canceled' }]);
  });

  test('not at all where no engine was asked', async () => {
    const { rows, gone, call } = setting({});
    gone.abort();
    const missing = transcribe(deps, call, join(folder, 'missing'), { response_format: 'json' });
    await expect(missing).rejects.toThrow('ENOENT');
    expect(rows).toEqual([]);
  });
});

describe('a text that is said is metered', () => {
  const request = SpeechRequest.parse({ input: '안녕 🙂', response_format: 'pcm' });
  async function said(failure?: Error) {
    async function* sound(): AsyncGenerator<Float32Array> {
      yield new Float32Array(2_400);
      await Promise.resolve();
      if (failure !== undefined) throw failure;
      yield new Float32Array(2_400);
    }
    const house = setting({
      speak: () => Promise.resolve({ type: 'sound', sampleRate: 24_000, parts: sound() }),
    });
    const { parts } = await speak(
      { catalogue, decoder: { aacEncoder: () => Promise.resolve(null) } },
      house.call,
      request,
    );
    return { ...house, parts: parts[Symbol.asyncIterator]() };
  }
  const row = { model: 'voice', engine: 'e/0', characters: 4 };

  test('when its sound has ended', async () => {
    const { parts, rows } = await said();
    await parts.next();
    expect(rows).toEqual([]);
    while ((await parts.next()).done !== true);
    expect(rows).toMatchObject([{ ...row, audioOutMs: 200, outcome: 'ok', status: 200 }]);
  });

  test('as far as it was made where its caller leaves', async () => {
    const { parts, rows, gone } = await said();
    await parts.next();
    gone.abort();
    await parts.return?.();
    expect(rows).toMatchObject([{ ...row, audioOutMs: 100, outcome: 'canceled', status: 499 }]);
  });

  test('with the status of its failure', async () => {
    const { parts, rows } = await said(new EngineError('unavailable', 'gone'));
    await parts.next();
    await expect(parts.next()).rejects.toThrow('gone');
    expect(rows).toMatchObject([{ ...row, audioOutMs: 100, outcome: 'error', status: 503 }]);
  });
});
