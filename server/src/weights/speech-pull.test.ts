import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SpeechWeights, speechWeights } from './speech-models.ts';
import { pullSpeechModel } from './speech-pull.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-pull-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Bytes of a made file, which a made hub gives for its address. */
const bytesAt = (url: string) => Buffer.from(`bytes of ${url}`);

/** A hub that gives each address bytes of its own, and no checksum. */
async function openHub() {
  const asked: string[] = [];
  const hub = createServer((req, res) => {
    asked.push(req.url ?? '');
    const bytes = bytesAt(req.url ?? '');
    res.writeHead(200, { etag: '"1"', 'content-length': bytes.length });
    res.end(bytes);
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  const options = {
    folder,
    mirror: `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`,
    token: null,
    requireChecksum: true,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const close = () => {
    hub.closeAllConnections();
    hub.close();
  };
  return { asked, options, [Symbol.dispose]: close };
}

const addressOf = ({ repository, revision }: SpeechWeights, path: string) =>
  `/${repository}/resolve/${revision}/${path}`;

/** The model with the sizes and checksums of what the made hub gives for it. */
const madeOf = (weights: SpeechWeights): SpeechWeights => ({
  ...weights,
  files: weights.files.map(({ path }) => {
    const bytes = bytesAt(addressOf(weights, path));
    return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }),
});

test.each(speechWeights.map((one) => [one.id, one] as const))(
  'the files of %s come at the pinned revision to where the model looks for them',
  async (id, weights) => {
    using hub = await openHub();
    const options = { ...hub.options, known: [madeOf(weights)] };
    expect(await pullSpeechModel(id, options)).toBe(id);
    expect(hub.asked).toEqual(weights.files.map(({ path }) => addressOf(weights, path)));
    for (const { path } of weights.files)
      expect(await readFile(join(folder, id, path), 'utf8')).toBe(`bytes of ${addressOf(weights, path)}`);
    const all = await readdir(join(folder, id), { recursive: true, withFileTypes: true });
    expect(all.filter((entry) => entry.isFile()).length).toBe(weights.files.length);
    expect(await pullSpeechModel(id, options)).toBeNull();
  },
);

test('a file of another size or checksum than the pinned one is refused', async () => {
  using hub = await openHub();
  const [weights] = speechWeights;
  if (weights === undefined) throw new Error('there is no speech model');
  await expect(pullSpeechModel(weights.id, hub.options)).rejects.toThrow('another model.int8.onnx than it should');
  const made = madeOf(weights);
  const larger = { ...made, files: made.files.map((one) => ({ ...one, bytes: one.bytes - 1 })) };
  await expect(pullSpeechModel(weights.id, { ...hub.options, known: [larger] })).rejects.toThrow('than it should');
  const changed = { ...made, files: made.files.map((one) => ({ ...one, sha256: '0'.repeat(64) })) };
  await expect(pullSpeechModel(weights.id, { ...hub.options, known: [changed] })).rejects.toThrow(
    'another checksum than it should',
  );
  expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual([]);
});

test.each(speechWeights.map((one) => [one.id, one] as const))(
  '%s is pinned wholly',
  (_id, { revision, files, bytes }) => {
    expect(revision).toMatch(/^[0-9a-f]{40}$/);
    for (const { sha256 } of files) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    expect(bytes).toBe(files.reduce((sum, file) => sum + file.bytes, 0));
  },
);

test('there is a voice and a listener for Korean, and each says its licence', () => {
  const korean = speechWeights.filter(({ about }) => /Korean/.test(about.en) || /99 languages/.test(about.en));
  expect(korean.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['supertonic-3', 'qwen3-asr-0.6b', 'sense-voice', 'whisper-turbo']),
  );
  for (const { licence, bytes, about } of speechWeights) {
    expect(licence).not.toBe('');
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(about.ko).toMatch(/[가-힣]/);
  }
});
