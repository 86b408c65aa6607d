import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeWav } from '../support/sound.ts';
import { createEncoder } from '../../src/audio/codecs/encode.ts';
import { openSpeechServer, type SpeechServer } from '../fakes/speech-server.ts';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { call, expectError } from '../support/http.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';
import { speechProcess } from '../support/speech-process.ts';
import { writeHearingModel, writeSpeakingModel } from '../support/speech-models.ts';

// Recordings that take long, callers that leave, processes that end, and what is counted of all that.

const RATE = 16_000;
const SECONDS = 6;
const tone = Float32Array.from({ length: SECONDS * RATE }, (_, i) => 0.4 * Math.sin((2 * Math.PI * 300 * i) / RATE));
const recording = encodeWav({ samples: tone, sampleRate: RATE });
const TRANSCRIPTIONS = '/v1/audio/transcriptions';

let fake: SpeechServer;
let service: Service;
let data: string;

beforeAll(async () => {
  fake = await openSpeechServer();
  data = await temporaryFolder();
  await mkdir(join(data, 'models', 'speech'), { recursive: true });
  writeHearingModel(join(data, 'models', 'speech', 'tones-ctc'));
  writeSpeakingModel(join(data, 'models', 'speech', 'vits-hum'));
  const engines = (model: string) => [{ engine: 'hosted', model }];
  service = await startService({
    dataFolder: data,
    config: {
      engines: { hosted: { kind: 'openai', addresses: [fake.url] } },
      models: {
        whisper: { kind: 'transcription', engines: engines('whisper-1') },
        stuck: { kind: 'transcription', engines: engines('whisper-stuck') },
        voice: { kind: 'speech', engines: engines('tts-1') },
      },
      timeouts: { total_ms: 1_000 },
      audio: { ms_per_second: 8_000 },
    },
  });
});
afterAll(async () => {
  await service?.close();
  await fake?.close();
  await rm(data, { recursive: true, force: true });
});

const transcribe = (fields: Record<string, string>, file: Uint8Array = recording, signal?: AbortSignal) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([new Uint8Array(file)]), 'a.wav');
  return fetch(service.base + TRANSCRIPTIONS, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: form,
    ...(signal === undefined ? {} : { signal }),
  });
};

/** What one figure of Prometheus stands at; 0 where there is none. */
async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${service.base}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1) ?? 0,
  );
}

/** Files of calls under way. */
async function filesAtWork(): Promise<readonly string[]> {
  const [folder = ''] = await readdir(join(data, 'audio'));
  const found = await readdir(join(data, 'audio', folder), { recursive: true });
  return found.filter((name) => name.includes('upload-'));
}

test('time grows with the length: what a server does not answer within it is told, with the settings', async () => {
  covers('speech.long');
  const encoder = await createEncoder('opus', RATE);
  // A few hundred bytes may be a second of sound at most, before its length is known.
  const short = Buffer.concat([encoder.add(tone.subarray(0, 1_600)), await encoder.end()]);
  for (const stream of ['false', 'true']) {
    const reply = await transcribe({ model: 'stuck', stream }, short);
    const text = await reply.text();
    expectError({ status: reply.status, headers: reply.headers, text }, 504);
    expect(text).toMatch(/timeouts\.total_ms and audio\.ms_per_second/);
  }
});

describe('with the process of models held', () => {
  let held: number;
  beforeEach(async () => {
    // It is there once it has done something.
    expect((await transcribe({ model: 'tones-ctc', response_format: 'text' })).status).toBe(200);
    held = speechProcess(service.pid) ?? expect.fail('no process of models');
    process.kill(held, 'SIGSTOP');
  });
  /** Once so many recordings are decoded, to their last sample. */
  const decoded = (count = 1) =>
    eventually(async () => {
      const [folder = ''] = await readdir(join(data, 'audio'));
      const samples = (await filesAtWork()).filter((name) => name.endsWith('.pcm'));
      const sizes = await Promise.all(samples.map((name) => stat(join(data, 'audio', folder, name))));
      expect(sizes.filter(({ size }) => size === SECONDS * RATE * 2)).toHaveLength(count);
    });

  test.each(['false', 'true'])('a caller who leaves ends the work, and no file stays (stream: %s)', async (stream) => {
    covers('speech.long');
    const leaving = new AbortController();
    const reply = transcribe({ model: 'tones-ctc', stream }, recording, leaving.signal).then(
      () => expect.fail('it was answered'),
      (error: Error) => error.name,
    );
    await decoded();
    leaving.abort();
    expect(await reply).toBe('AbortError');
    await eventually(async () => expect(await filesAtWork()).toEqual([]));
    process.kill(held, 'SIGCONT');
    expect(await (await transcribe({ model: 'tones-ctc', response_format: 'text' })).text()).toBe('low\n');
  });

  test('one that is killed is told, and the next call has a new one', async () => {
    covers('speech.process');
    const reply = transcribe({ model: 'tones-ctc' });
    await decoded();
    // While another one is decoded, the first is handed to the process.
    const other = transcribe({ model: 'tones-ctc' });
    await decoded(2);
    process.kill(held, 'SIGKILL');
    const { status, headers } = await reply;
    expectError({ status, headers, text: await (await reply).text() }, 503);
    await (await other).text();
    await eventually(async () => {
      const next = await transcribe({ model: 'tones-ctc', response_format: 'text' });
      expect([next.status, await next.text()]).toEqual([200, 'low\n']);
    });
    expect(speechProcess(service.pid)).not.toBe(held);
    await eventually(async () => expect(await filesAtWork()).toEqual([]));
  });
});

test('seconds that were heard and made are counted, and characters', async () => {
  covers('speech.usage');
  const heard = 'studio_audio_seconds_total{model="tones-ctc",direction="in"}';
  const heardThere = 'studio_audio_seconds_total{model="whisper",direction="in"}';
  const made = 'studio_audio_seconds_total{model="vits-hum",direction="out"}';
  const said = (model: string) => `studio_spoken_characters_total{model="${model}"}`;
  const before = await figure(heard);
  await (await transcribe({ model: 'tones-ctc' })).text();
  await (await transcribe({ model: 'tones-ctc', stream: 'true' })).text();
  await (await transcribe({ model: 'whisper' })).text();
  // 125 ms a letter.
  await call(service, '/v1/audio/speech', { body: { input: 'hello there', model: 'vits-hum' } });
  await call(service, '/v1/audio/speech', { body: { input: '안녕', model: 'voice' } });
  await eventually(async () => {
    expect((await figure(heard)) - before).toBeCloseTo(2 * SECONDS, 3);
    expect(await figure(heardThere)).toBeCloseTo(3.1, 3);
    expect(await figure(said('vits-hum'))).toBe(11);
    expect(await figure(said('voice'))).toBe(2);
    expect(await figure(made)).toBeGreaterThan(1.3);
    expect(await figure(made)).toBeLessThan(1.7);
  });
});
