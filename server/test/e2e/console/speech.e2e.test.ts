import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeWav } from '../../support/sound.ts';
import { covers } from '../../requirements.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/service.ts';
import { speechProcess } from '../../support/speech-process.ts';
import { writeHearingModel, writeSpeakingModel } from '../../support/speech-models.ts';
import { visit } from './moves.ts';
import { type Studio, administrator, callConsole, startStudio } from './studio.ts';

// Recordings that are written down and texts that are said, on models of this machine.

const RATE = 16_000;
const tone = (hertz: number, seconds: number) =>
  Array.from({ length: seconds * RATE }, (_, i) => 0.4 * Math.sin((2 * Math.PI * hertz * i) / RATE));
const recording = encodeWav({
  samples: Float32Array.from([...tone(300, 2), ...tone(0, 2), ...tone(3_000, 2)]),
  sampleRate: RATE,
});

let studio: Studio;
let page: Page;
let data: string;

beforeAll(async () => {
  data = await temporaryFolder();
  const models = join(data, 'models', 'speech');
  await mkdir(models, { recursive: true });
  writeHearingModel(join(models, 'tones-ctc'));
  writeSpeakingModel(join(models, 'vits-hum'));
  studio = await startStudio({ dataFolder: data, config: { probe: { enabled: false } } });
  const person = await studio.signedIn(administrator.email, { acceptDownloads: true });
  await callConsole(person, 'PATCH', '/me', { language: 'en' });
  ({ page } = person);
});
afterAll(async () => {
  await studio?.close();
  await rm(data, { recursive: true, force: true });
});
beforeEach(async () => {
  await visit(page, '/console/speech');
  await page.getByRole('heading', { level: 1, name: 'Speech' }).waitFor();
});

const give = (name: string, content: Buffer) =>
  page.getByTestId('speech-file').setInputFiles({ name, mimeType: 'audio/wav', buffer: content });

test('a file is written down with its times, and saved as captions', async () => {
  await give('meeting.wav', recording);
  const result = page.getByRole('region', { name: 'Transcript' });
  await result.getByText('low').waitFor();
  await expect.poll(() => result.getByRole('listitem').allInnerTexts()).toEqual(['0:00\nlow', '0:03\nhigh']);
  await result.getByText('0:06 · tones-ctc').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    result.getByRole('button', { name: 'Save as SRT' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('meeting.srt');
  expect(await readFile(await download.path(), 'utf8')).toMatch(/^1\n00:00:00,000 --> 00:00:02,\d{3}\nlow\n/);
  await result.getByRole('button', { name: 'Play from 0:03' }).click();
  const heard = () =>
    page.locator('audio').evaluate((player) => (player as unknown as { currentTime: number }).currentTime);
  await expect.poll(heard).toBeGreaterThanOrEqual(3);
});

describe('with the process of models held', () => {
  let held: number;
  const result = () => page.getByRole('region', { name: 'Transcript' });
  beforeEach(async () => {
    // It is there once it has done something.
    await give('first.wav', recording);
    await result().getByText('low').waitFor();
    held = speechProcess(studio.service.pid) ?? expect.fail('no process of models');
    process.kill(held, 'SIGSTOP');
    await give('긴 회의.wav', recording);
    await page.getByText('Writing down 긴 회의.wav').waitFor();
    await page.getByText('0:00 of 0:06 (0%)').waitFor();
    // It has no width yet.
    await page.getByRole('progressbar', { name: 'Writing down 긴 회의.wav' }).waitFor({ state: 'attached' });
  });
  afterEach(() => {
    try {
      process.kill(held, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });

  test('it is canceled and tried again, by the keyboard alone', async () => {
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Writing down 긴 회의.wav was canceled.').waitFor();
    process.kill(held, 'SIGCONT');
    await page.getByRole('button', { name: 'Try again' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await result().getByText('low').waitFor();
    expect(await page.getByText('was canceled').count()).toBe(0);
  });

  test('one that fails keeps its file', async () => {
    process.kill(held, 'SIGKILL');
    await page.getByRole('alert').getByText('The model stopped while it was at work.').waitFor();
    await page.getByText('긴 회의.wav is still here').waitFor();
    // The service asks a process that failed for a moment no more.
    await eventually(async () => {
      await page.getByRole('button', { name: 'Try again' }).click();
      await result().getByText('low').or(page.getByRole('alert')).first().waitFor();
      await expect.poll(() => result().getByText('low').count()).toBe(1);
    });
  });
});

test('what is no sound is refused in words', async () => {
  await give('notes.wav', Buffer.from('just some words'));
  await page
    .getByRole('alert')
    .getByText(/This format cannot be read/)
    .waitFor();
  // The next try would come to the same.
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

test('a text is said, by the keyboard alone', async () => {
  await page.getByRole('tab', { name: 'Speech to text' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'Text to speech', selected: true }).waitFor();
  await page.getByLabel('Text to say').focus();
  await page.keyboard.type('hello there');
  await page.getByRole('combobox', { name: 'Model' }).click();
  await page.getByRole('option', { name: 'vits-hum' }).click();
  await page.getByRole('button', { name: 'Listen' }).focus();
  await page.keyboard.press('Enter');
  const player = page.getByLabel('The spoken text');
  await player.waitFor();
  const length = () => player.evaluate((audio) => (audio as unknown as { duration: number }).duration);
  // 125 ms a letter.
  await expect.poll(length).toBeGreaterThan(1.2);
  expect(await length()).toBeLessThan(1.7);
});

test('the page of models tells that they are there', async () => {
  await visit(page, '/console/models');
  for (const model of ['tones-ctc', 'vits-hum']) {
    const row = page.getByRole('row').filter({ hasText: model });
    await row.getByText(`speech · ${model}`).waitFor();
    expect(await row.getByText('No answer').count()).toBe(0);
  }
});

test('the page of usage tells of sound', async () => {
  covers('speech.usage');
  await page.setViewportSize({ width: 1500, height: 900 });
  await visit(page, '/console/usage');
  await page.getByRole('columnheader', { name: 'Sound heard' }).waitFor();
  const heard = page.getByRole('row').filter({ hasText: 'tones-ctc' });
  await heard
    .getByText(/\d sec/)
    .first()
    .waitFor();
  const said = page.getByRole('row').filter({ hasText: 'vits-hum' });
  // 125 ms a letter.
  await said.getByText('1.4 sec').first().waitFor();
  await page.getByText('of 11 characters').waitFor();
});

describe('in a chat', () => {
  const field = () => page.getByRole('textbox', { name: 'Message', exact: true });

  test('a recording goes along as what is said in it', async () => {
    await visit(page, '/console/chat');
    // Where a model writes sound down, the card takes it.
    await page.getByRole('button', { name: 'Speak the message' }).waitFor();
    await page
      .getByTestId('chat-files')
      .setInputFiles({ name: 'meeting.wav', mimeType: 'audio/wav', buffer: recording });
    const chips = page.getByRole('list', { name: 'Goes along with the message' });
    await chips.getByText('meeting.wav.txt').waitFor();
    await chips.getByText(/\d ?B$/).waitFor();
    await field().fill('What was said?');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Files of the message' }).getByText('meeting.wav.txt').waitFor();
  });

  test('a message is spoken', async () => {
    await visit(page, '/console/chat');
    // A microphone that hears a low tone.
    await page.evaluate(`{
      const context = new AudioContext();
      const tone = context.createOscillator();
      tone.frequency.value = 300;
      const heard = context.createMediaStreamDestination();
      tone.connect(heard);
      tone.start();
      navigator.mediaDevices.getUserMedia = async () => {
        await context.resume();
        return heard.stream;
      };
    }`);
    await field().fill('I heard');
    await page.getByRole('button', { name: 'Speak the message' }).click();
    await page.getByRole('timer', { name: 'Recorded' }).getByText('0:02').waitFor();
    await page.getByRole('button', { name: 'End the recording' }).click();
    await expect.poll(() => field().inputValue()).toMatch(/^I heard low/);
  });
});
