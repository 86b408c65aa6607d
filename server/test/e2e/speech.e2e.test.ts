import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Transcription } from '@ai-studio/contract/audio.ts';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pullSpeechModel, speechWeights } from '../../src/weights/index.ts';
import { encodeWav } from '../support/sound.ts';
import { openSpeechServer, sound, type SpeechServer } from '../fakes/speech-server.ts';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { call, expectError, jsonOf } from '../support/http.ts';
import { root } from '../support/modules.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';
import { writeHearingModel, writeSpeakingModel } from '../support/speech-models.ts';

const run = promisify(execFile);
const SPEECH = '/v1/audio/speech';
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const RATE = 16_000;
const tone = (hertz: number, seconds: number) =>
  Array.from({ length: seconds * RATE }, (_, i) => 0.4 * Math.sin((2 * Math.PI * hertz * i) / RATE));
const silence = (seconds: number) => Array.from({ length: seconds * RATE }, () => 0);
/** A low tone, a pause, and a high one. */
const recording = encodeWav({
  samples: Float32Array.from([...tone(300, 2), ...silence(2), ...tone(3_000, 2)]),
  sampleRate: RATE,
});

let fake: SpeechServer;
let service: Service;
let client: OpenAI;
let files: string;
let data: string;

beforeAll(async () => {
  fake = await openSpeechServer();
  files = await mkdtemp(join(tmpdir(), 'ai-studio-speech-'));
  data = await temporaryFolder();
  await mkdir(join(data, 'models', 'speech'), { recursive: true });
  writeHearingModel(join(data, 'models', 'speech', 'tones-ctc'));
  writeSpeakingModel(join(data, 'models', 'speech', 'vits-hum'));
  const engines = (model: string) => [{ engine: 'hosted', model }];
  service = await startService({
    dataFolder: data,
    config: {
      engines: { hosted: { kind: 'openai', addresses: [fake.url], api_key: 'sk-upstream' } },
      models: {
        whisper: { kind: 'transcription', engines: engines('whisper-1') },
        newer: { kind: 'transcription', engines: engines('gpt-4o-transcribe') },
        voice: { kind: 'speech', engines: engines('tts-1') },
      },
      audio: { upload_bytes: 2_000_000, max_minutes: 1 },
    },
  });
  client = new OpenAI({ baseURL: `${service.base}/api/v1`, apiKey: service.key, maxRetries: 0 });
});
afterAll(async () => {
  await service.close();
  await fake.close();
  for (const folder of [files, data]) await rm(folder, { recursive: true, force: true });
});

async function lengthOf(bytes: Uint8Array, name: string): Promise<number> {
  const path = join(files, name);
  await writeFile(path, bytes);
  const raw = name.endsWith('.pcm') ? ['-f', 's16le', '-ar', '24000', '-ac', '1'] : [];
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', ...raw, '-i', path, '-f', 's16le', '-ac', '1', '-ar', '8000', '-'],
    {
      encoding: 'buffer',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout.length / 16_000;
}

const transcribe = (fields: Record<string, string>, file: Uint8Array = recording, name = 'a.wav', caller = service) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([new Uint8Array(file)]), name);
  return fetch(caller.base + TRANSCRIPTIONS, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key}` },
    body: form,
  });
};

describe('speech to text', () => {
  test('a model of this machine writes down what it hears', async () => {
    covers('speech.transcribe', 'speech.local');
    const reply = (await client.audio.transcriptions.create({
      model: 'tones-ctc',
      file: await toFile(recording, 'talk.wav'),
    })) as unknown as Transcription;
    expect(reply).toEqual({
      model: 'tones-ctc',
      text: 'low high',
      duration: 6,
      usage: { type: 'duration', seconds: 6, audio_duration_ms: 6_000 },
    });
  });

  test('each form of the answer', async () => {
    covers('speech.transcribe.formats');
    const verbose = (await (
      await transcribe({ model: 'tones-ctc', response_format: 'verbose_json' })
    ).json()) as Transcription;
    expect(verbose.segments?.map(({ id, text }) => [id, text])).toEqual([
      [0, 'low'],
      [1, 'high'],
    ]);
    expect(verbose.segments?.[1]?.start).toBeCloseTo(3.8, 1);
    expect(verbose.segments?.[1]?.end).toBeCloseTo(6, 1);
    const text = async (format: string) => (await transcribe({ model: 'tones-ctc', response_format: format })).text();
    expect(await text('text')).toBe('low high\n');
    expect(await text('srt')).toMatch(
      /^1\n00:00:00,000 --> 00:00:02,\d{3}\nlow\n\n2\n00:00:03,\d{3} --> 00:00:06,000\nhigh\n$/,
    );
    expect(await text('vtt')).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:02\.\d{3}\nlow\n/);
  });

  test.each(['mp3', 'm4a', 'flac', 'ogg', 'webm', 'aac', 'wma', 'opus'])(
    'reads %s, whatever its name says',
    async (kind) => {
      covers('speech.transcribe.containers');
      const source = join(files, 'talk.wav');
      await writeFile(source, recording);
      const path = join(files, `talk.${kind}`);
      await run('ffmpeg', ['-y', '-v', 'error', '-i', source, ...(kind === 'webm' ? ['-c:a', 'libopus'] : []), path]);
      const reply = await transcribe({ model: 'tones-ctc' }, await readFile(path), 'talk.pdf');
      expect(reply.status).toBe(200);
      const { text, duration } = (await reply.json()) as Transcription;
      // Coders leave sounds of their own at the edges of a tone.
      expect(text).toMatch(/low.*high$/);
      expect(Math.abs(duration - 6) / 6).toBeLessThan(0.02);
    },
  );

  test('a stream tells of it as it is written down', async () => {
    covers('speech.transcribe.stream');
    for (const [model, deltas] of [
      ['tones-ctc', ['low', ' high']],
      // A server gives it whole.
      ['whisper', ['안녕하세요. 회의를 시작합니다.']],
    ] as const) {
      const reply = await transcribe({ model, stream: 'true' });
      expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const lines = (await reply.text()).split('\n\n').filter((line) => line !== '');
      expect(lines.at(-1)).toBe('data: [DONE]');
      const events = lines
        .slice(0, -1)
        .map((line) => JSON.parse(line.replace('data: ', '')) as Record<string, unknown>);
      expect(events).toEqual([
        ...deltas.map((delta) => ({ type: 'transcript.text.delta', delta })),
        {
          type: 'transcript.text.done',
          text: deltas.join(''),
          usage:
            model === 'whisper'
              ? { type: 'duration', seconds: 3.1, audio_duration_ms: 3_100 }
              : { type: 'duration', seconds: 6, audio_duration_ms: 6_000 },
        },
      ]);
    }
    const refused = await transcribe({ model: 'tones-ctc', stream: 'true' }, Buffer.from('hello'));
    expect(refused.status).toBe(415);
  });

  test('a server of the OpenAI format is asked, with times', async () => {
    covers('speech.transcribe.upstream');
    const reply = await transcribe({
      model: 'whisper',
      language: 'ko',
      prompt: '회의',
      temperature: '0.2',
      response_format: 'srt',
    });
    expect(await reply.text()).toBe(
      '1\n00:00:00,000 --> 00:00:01,400\n안녕하세요.\n\n2\n00:00:01,400 --> 00:00:03,100\n회의를 시작합니다.\n',
    );
    const sent = fake.calls.at(-1);
    expect(sent?.path).toBe(TRANSCRIPTIONS);
    expect(sent?.headers['authorization']).toBe('Bearer sk-upstream');
    const form = await new Response(new Uint8Array(sent?.body ?? []), {
      headers: { 'content-type': sent?.headers['content-type'] ?? '' },
    }).formData();
    expect(Object.fromEntries([...form].filter(([name]) => name !== 'file'))).toEqual({
      model: 'whisper-1',
      response_format: 'verbose_json',
      language: 'ko',
      prompt: '회의',
      temperature: '0.2',
    });
    const file = form.get('file') as File;
    expect(file.name).toBe('audio.wav');
    expect(Buffer.from(await file.arrayBuffer()).equals(recording)).toBe(true);
  });

  test('a model that has no times is asked without them, from then on at once', async () => {
    covers('speech.transcribe.upstream');
    const before = fake.calls.length;
    for (const calls of [2, 3]) {
      const { text, duration } = (await (await transcribe({ model: 'newer' })).json()) as Transcription;
      expect({ text, duration, calls: fake.calls.length - before }).toEqual({ text: 'Hello.', duration: 3, calls });
    }
  });

  test.each([
    ['nothing', Buffer.alloc(0), 400],
    ['text', Buffer.from('hello'), 415],
    ['a broken file', Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(4_000, 'x')]), 400],
    ['a file that is too large', Buffer.alloc(2_100_000), 413],
    ['a recording that is too long', encodeWav({ samples: new Float32Array(8_000 * 61), sampleRate: 8_000 }), 413],
  ])('refuses %s', async (_name, file, status) => {
    covers('speech.transcribe.bad');
    const reply = await transcribe({ model: 'tones-ctc' }, file, 'talk.wav');
    const text = await reply.text();
    expectError({ status: reply.status, headers: reply.headers, text }, status);
    expect((JSON.parse(text) as { error: { param: string } }).error.param).toBe('file');
  });

  test('is written down in English by those who translate', async () => {
    covers('speech.translate');
    const done = await client.audio.translations.create({
      file: await toFile(Buffer.from(recording), 'a.wav'),
      model: 'whisper',
    });
    expect(done).toMatchObject({ text: 'Hello. We begin the meeting.', model: 'whisper' });
    const asked = fake.calls.at(-1);
    expect(asked?.path).toMatch(/\/audio\/translations$/);
    expect(asked?.body.toString('latin1')).not.toContain('name="language"');
    const verbose = await client.audio.translations.create({
      file: await toFile(Buffer.from(recording), 'a.wav'),
      model: 'whisper',
      response_format: 'verbose_json',
    });
    expect(verbose).toMatchObject({ task: 'translate' });
    const refused = await client.audio.translations
      .create({ file: await toFile(Buffer.from(recording), 'a.wav'), model: 'tones-ctc' })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('Whisper translate') as string });
  });

  test('refuses wrong fields', async () => {
    covers('speech.transcribe.bad');
    for (const [field, value] of [
      ['model', 'CORE-GOV'],
      ['response_format', 'docx'],
      ['temperature', '2'],
      ['language', 'a b'],
    ] as const) {
      const reply = await transcribe({ model: 'tones-ctc', [field]: value });
      const text = await reply.text();
      expectError({ status: reply.status, headers: reply.headers, text }, 400);
      expect((JSON.parse(text) as { error: { param: string } }).error.param).toBe(field);
    }
  });
});

describe('text to speech', () => {
  const say = async (fields: Record<string, unknown>) =>
    call(service, SPEECH, { body: { input: 'hello there', model: 'vits-hum', ...fields } });

  test.each(['wav', 'mp3', 'opus', 'flac', 'pcm'] as const)('%s has the whole of it', async (format) => {
    covers('speech.speak', 'speech.speak.formats', 'speech.local');
    const reply = await client.audio.speech.create({
      model: 'vits-hum',
      voice: '0',
      input: 'hello there this is a somewhat longer text',
      response_format: format,
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    // The model hums for 125 ms a letter.
    const seconds = 42 * 0.125;
    expect(Math.abs((await lengthOf(bytes, `said.${format}`)) - seconds) / seconds).toBeLessThan(0.02);
  });

  test('eSpeak NG speaks Korean and English, fast and slow', async () => {
    covers('speech.speak');
    const lengths: number[] = [];
    for (const speed of [2, 1, 0.5]) {
      const reply = await client.audio.speech.create({
        model: 'espeak-ng',
        voice: 'ko',
        input: '안녕하세요. 오늘 회의는 세 시에 시작합니다.',
        speed,
        response_format: 'wav',
      });
      lengths.push(await lengthOf(Buffer.from(await reply.arrayBuffer()), `speed.wav`));
    }
    expect(lengths[0]).toBeLessThan(lengths[1] ?? 0);
    expect(lengths[1]).toBeLessThan(lengths[2] ?? 0);
  });

  test('voices by the names of hosted ones are the voice of the model', async () => {
    covers('speech.speak');
    for (const model of ['vits-hum', 'espeak-ng'])
      for (const voice of ['alloy', 'nova'] as const) {
        const reply = await client.audio.speech.create({ model, voice, input: 'hello' });
        expect((await reply.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
      }
  });

  test('melo-tts-ko, which programs of the original interface name, answers WAV where no format is asked for', async () => {
    covers('speech.speak');
    const reply = await fetch(service.base + SPEECH, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'hello', model: 'melo-tts-ko' }),
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    await reply.body?.cancel();
  });

  const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
  test('a voice may be an object, a speed 4; aac is made where ffmpeg is installed, else refused', async () => {
    covers('speech.speak');
    const reply = await fetch(service.base + SPEECH, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        input: 'hello there',
        model: 'vits-hum',
        voice: { id: 'alloy' },
        speed: 4,
        response_format: 'aac',
      }),
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (!hasFfmpeg) return expect([reply.status, bytes.toString().includes('ffmpeg')]).toEqual([400, true]);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'audio/aac']);
    // Each frame of ADTS begins with twelve set bits.
    expect(bytes.readUInt16BE(0) & 0xfff0).toBe(0xfff0);
  });

  test('a text that a model has no sounds for is refused, and the next one is said', async () => {
    covers('speech.speak');
    const silent = await say({ input: '한글' });
    expectError(silent, 400);
    expect((JSON.parse(silent.text) as { error: { param: string } }).error.param).toBe('input');
    expect((await say({})).status).toBe(200);
  });

  test('events have the same bytes', async () => {
    covers('speech.speak.sse');
    const whole = await call(service, SPEECH, { body: { input: 'hello', model: 'voice' } });
    const events = await call(service, SPEECH, { body: { input: 'hello', model: 'voice', stream_format: 'sse' } });
    expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const lines = events.text.split('\n\n').filter((line) => line !== '');
    expect(lines.at(-1)).toBe('data: [DONE]');
    const audio = lines
      .slice(0, -1)
      .map((line) => (JSON.parse(line.replace('data: ', '')) as { audio?: string }).audio ?? '')
      .map((part) => Buffer.from(part, 'base64'));
    expect(Buffer.concat(audio).toString()).toBe(whole.text);
    expect(whole.text).toBe(Buffer.concat([...sound]).toString());
  });

  test('sound of a server is passed on as it comes', async () => {
    covers('speech.speak.upstream');
    const reply = await fetch(service.base + SPEECH, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: '안녕', model: 'voice', voice: 'nova', speed: 1.5, response_format: 'mp3' }),
    });
    expect(reply.headers.get('content-type')).toBe('audio/mpeg');
    const reader = reply.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('ID3first');
    await reader?.cancel();
    expect(JSON.parse(fake.calls.at(-1)?.body.toString() ?? '')).toEqual({
      model: 'tts-1',
      input: '안녕',
      voice: 'nova',
      response_format: 'mp3',
      speed: 1.5,
    });
  });

  test.each([
    ['input', ''],
    ['input', 'x'.repeat(4_097)],
    ['speed', 4.1],
    ['speed', 0.2],
    ['response_format', 'aiff'],
    ['voice', 'nobody'],
    ['model', 'tones-ctc'],
  ])('refuses a wrong %s', async (field, value) => {
    covers('speech.speak');
    const reply = await say({ [field]: value });
    expectError(reply, 400);
    expect((JSON.parse(reply.text) as { error: { param: string } }).error.param).toBe(field);
  });
});

describe('lists for the settings of programs', () => {
  const read = async <T>(path: string) => jsonOf<T>(await call(service, path));

  test('models are those of the service, and their aliases', async () => {
    covers('speech.lists');
    const { models } = await read<{ models: { id: string; name: string }[] }>('/v1/audio/models');
    expect(models.map(({ id }) => id)).toEqual(expect.arrayContaining(['voice', 'vits-hum', 'tts-1', 'tts-1-hd']));
    expect(models.map(({ id }) => id)).not.toContain('whisper');
    expect(models.every(({ id, name }) => id === name)).toBe(true);
  });

  test('voices are what the models tell, and the own voice of each', async () => {
    covers('speech.lists');
    const path = '/api/v1/audio/voices';
    const { voices } = await read<{ voices: { id: string; name: string; model: string }[] }>(path);
    expect(voices.filter(({ model }) => model === 'voice')).toEqual([
      { id: 'alloy', name: 'voice', model: 'voice' },
      { id: 'han', name: 'han', model: 'voice' },
      { id: 'm1', name: '민수', model: 'voice' },
      { id: 'v2', name: 'v2', model: 'voice' },
    ]);
    expect(voices).toContainEqual({ id: 'alloy', name: 'vits-hum', model: 'vits-hum' });
    const own = await read<{ voices: { model: string }[] }>(`${path}?model=vits-hum`);
    expect(new Set(own.voices.map(({ model }) => model))).toEqual(new Set(['vits-hum']));
    const sound = await call(service, SPEECH, { body: { input: 'hello', model: 'vits-hum', voice: 'alloy' } });
    expect(sound.status).toBe(200);
    expectError(await call(service, `${path}?model=whisper`), 400, {
      message: /is a speech-to-text model; use one of: /,
    });
    expectError(await call(service, path, { key: 'aist_wrong' }), 401);
  });
});

test('a model that comes while the service runs is offered, and no more when it is gone', async () => {
  covers('speech.live');
  const folder = join(data, 'models', 'speech', 'late-tones');
  const offered = async () => (await client.models.list()).data.some(({ id }) => id === 'late-tones');
  expect(await offered()).toBe(false);
  writeHearingModel(folder);
  await eventually(async () => expect(await offered()).toBe(true));
  expect(await (await transcribe({ model: 'late-tones', response_format: 'text' })).text()).toBe('low high\n');
  await rm(folder, { recursive: true });
  await eventually(async () => expect(await offered()).toBe(false));
  expect((await transcribe({ model: 'late-tones' })).status).toBe(400);
});

test('without a model it is said what is to be done', async () => {
  covers('speech.none');
  // A program that does not run is not there.
  const programs = join(files, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'espeak-ng'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const bare = await startService({ env: { PATH: `${programs}:${process.env['PATH']}` } });
  try {
    for (const [reply, words] of [
      [await transcribe({}, recording, 'a.wav', bare), /models\/speech/],
      [await call(bare, SPEECH, { body: { input: 'hello' } }), /espeak-ng/],
    ] as const) {
      const text = typeof reply.text === 'string' ? reply.text : await reply.text();
      expectError({ status: reply.status, headers: reply.headers, text }, 503);
      expect(text).toMatch(words);
    }
  } finally {
    await bare.close();
  }
});

test('a model is downloaded, after a cut too, and serves', async () => {
  covers('speech.pull');
  const trained = join(files, 'trained');
  writeHearingModel(trained);
  const bytesOf = (name: string) => readFileSync(join(trained, name.replace('.int8', '')));
  const made = (model: (typeof speechWeights)[number]): (typeof speechWeights)[number] => ({
    ...model,
    files: model.files.map(({ path }) => {
      const bytes = bytesOf(path);
      return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  });
  let cut = true;
  const hub = createServer((req, res) => {
    const name = basename(req.url ?? '');
    if (!name.endsWith('.onnx') && !name.endsWith('.txt')) return void res.writeHead(404).end();
    void readFile(join(trained, name.replace('.int8', ''))).then((bytes) => {
      const from = Number(/^bytes=(\d+)-/.exec(req.headers.range ?? '')?.[1] ?? 0);
      res.writeHead(from > 0 ? 206 : 200, {
        etag: '"1"',
        'content-length': bytes.length - from,
        'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      });
      if (!cut || !name.endsWith('.onnx')) return res.end(bytes.subarray(from));
      cut = false;
      res.write(bytes.subarray(0, 500));
      return setTimeout(() => res.destroy(), 100);
    });
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  const own = await temporaryFolder();
  const mirror = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  const studio = (...words: readonly string[]) =>
    run(process.execPath, [
      join(root, 'server/src/main.mjs'),
      'speech',
      ...words,
      `--data_dir=${own}`,
      `--local_models.mirror=${mirror}`,
    ]);
  try {
    await expect(studio('pull', 'nothing')).rejects.toMatchObject({
      stderr: expect.stringMatching(/known: sense-voice/),
    });
    // The files of this hub are not those of the list.
    await expect(studio('pull', 'sense-voice')).rejects.toMatchObject({
      stderr: expect.stringMatching(/has another model\.int8\.onnx than it should/),
    });
    cut = true;
    const options = {
      folder: join(own, 'models/speech'),
      mirror,
      token: null,
      requireChecksum: true,
      known: speechWeights.filter(({ id }) => id === 'sense-voice').map(made),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    expect(await pullSpeechModel('sense-voice', options)).toBe('sense-voice');
    expect((await studio('pull', 'sense-voice')).stdout).toMatch(/here already/);
    expect(cut).toBe(false);
    expect(
      (await readFile(join(own, 'models/speech/sense-voice/model.int8.onnx'))).equals(
        await readFile(join(trained, 'model.onnx')),
      ),
    ).toBe(true);
    const { stdout } = await studio('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      models: [{ id: 'sense-voice', kind: 'transcription', family: 'sense_voice' }],
    });
  } finally {
    hub.closeAllConnections();
    hub.close();
    await rm(own, { recursive: true, force: true });
  }
});
