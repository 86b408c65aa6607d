import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { speechWeights } from './speech-models.ts';
import { pullSpeechModel } from './speech-pull.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-pull-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(speechWeights.map((one) => [one.id, one] as const))(
  'the files of %s come to where the model looks for them',
  async (id, { repository, files }) => {
    const asked: string[] = [];
    const hub = createServer((req, res) => {
      asked.push(req.url ?? '');
      const bytes = Buffer.from(`bytes of ${req.url}`);
      res.writeHead(200, { etag: '"1"', 'content-length': bytes.length });
      res.end(bytes);
    });
    await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
    try {
      const options = {
        folder,
        mirror: `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`,
        token: null,
        requireChecksum: false,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      };
      expect(await pullSpeechModel(id, options)).toBe(id);
      expect(asked).toEqual(files.map((file) => `/${repository}/resolve/main/${file}`));
      for (const file of files)
        expect(await readFile(join(folder, id, file), 'utf8')).toBe(`bytes of /${repository}/resolve/main/${file}`);
      const all = await readdir(join(folder, id), { recursive: true, withFileTypes: true });
      expect(all.filter((entry) => entry.isFile()).length).toBe(files.length);
      expect(await pullSpeechModel(id, options)).toBeNull();
    } finally {
      hub.closeAllConnections();
      hub.close();
    }
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
