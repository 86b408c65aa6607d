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
  const look = async () => {
    await models.look();
    return models.list().map(({ id }) => id);
  };
  return { now, models, look };
}

test('those of the first look are there at once, one that appears when two looks find the same files', async () => {
  const { now, look } = openModels([whisper]);
  expect(await look()).toEqual(['whisper']);
  now.found = [whisper, { ...piper, version: 'half' }];
  expect(await look()).toEqual(['whisper']);
  now.found = [whisper, piper];
  expect(await look()).toEqual(['whisper']);
  expect(await look()).toEqual(['whisper', 'piper']);
  // One that is here stays while its files change.
  now.found = [{ ...whisper, version: '2' }];
  expect(await look()).toEqual(['whisper']);
});

test('entries and the list stay the same objects as long as nothing changes', async () => {
  const { now, models, look } = openModels([whisper]);
  await look();
  const list = models.list();
  now.found = [{ ...whisper }];
  await look();
  expect(models.list()).toBe(list);
  now.found = [{ ...whisper, family: 'Another' }];
  await look();
  expect(models.list()[0]?.description).toContain('Another');
});

test('the program stands after them where it is installed, and no model has its name', async () => {
  const { now, look } = openModels([piper], true);
  expect(await look()).toEqual(['piper', 'espeak-ng']);
  now.installed = false;
  expect(await look()).toEqual(['piper']);
});

test('an entry that is in the catalogue already stays as it is', async () => {
  const { models, look } = openModels([piper, whisper]);
  await look();
  const own = { ...models.list()[0]!, description: 'Ours' };
  expect(withSpeechModels([own], models.list()).map(({ description }) => description)).toEqual([
    'Ours',
    expect.stringContaining('Whisper'),
  ]);
});
