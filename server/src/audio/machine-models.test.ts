import { expect, test } from 'vitest';
import { withSpeechModels } from '../models/speech.ts';
import { createSpeechModels } from './machine-models.ts';

type Found = Awaited<ReturnType<Parameters<typeof createSpeechModels>[0]['findModels']>>;
const whisper = { id: 'whisper', kind: 'transcription', family: 'Whisper', version: '1' } as const;
const piper = { id: 'piper', kind: 'speech', family: 'Piper', version: '1' } as const;

function openModels(found: Found, installed = false) {
  const now = { found, installed };
  const models = createSpeechModels({
    findModels: () => Promise.resolve(now.found),
    hasProgram: () => Promise.resolve(now.installed),
    programId: 'espeak-ng',
  });
  const scan = async () => {
    await models.scan();
    return models.list().map(({ id }) => id);
  };
  return { now, models, scan };
}

test('those of the first scan are there at once, one that appears when two scans find the same files', async () => {
  const { now, scan } = openModels([whisper]);
  expect(await scan()).toEqual(['whisper']);
  now.found = [whisper, { ...piper, version: 'half' }];
  expect(await scan()).toEqual(['whisper']);
  now.found = [whisper, piper];
  expect(await scan()).toEqual(['whisper']);
  expect(await scan()).toEqual(['whisper', 'piper']);
  // One that is here stays while its files change.
  now.found = [{ ...whisper, version: '2' }];
  expect(await scan()).toEqual(['whisper']);
});

test('entries and the list stay the same objects as long as nothing changes', async () => {
  const { now, models, scan } = openModels([whisper]);
  await scan();
  const list = models.list();
  now.found = [{ ...whisper }];
  await scan();
  expect(models.list()).toBe(list);
  now.found = [{ ...whisper, family: 'Another' }];
  await scan();
  expect(models.list()[0]?.description).toContain('Another');
});

test('the program stands after them where it is installed, and no model has its name', async () => {
  const { now, scan } = openModels([piper], true);
  expect(await scan()).toEqual(['piper', 'espeak-ng']);
  now.installed = false;
  expect(await scan()).toEqual(['piper']);
});

test('an entry that is in the catalogue already stays as it is', async () => {
  const { models, scan } = openModels([piper, whisper]);
  await scan();
  const own = { ...models.list()[0]!, description: 'Ours' };
  expect(withSpeechModels([own], models.list()).map(({ description }) => description)).toEqual([
    'Ours',
    expect.stringContaining('Whisper'),
  ]);
});
