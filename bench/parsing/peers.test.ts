import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { casesOf } from './cases.ts';
import { factsOf } from './facts.ts';
import { measure } from './measure.ts';
import { agreementOf, peerFilesOf } from './peers.ts';
import { reportOf } from './report.ts';

let documents = '';
let peers = '';
const write = (folder: string, name: string, text: string) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};

beforeAll(() => {
  documents = mkdtempSync(join(tmpdir(), 'studio-parsing-documents-'));
  peers = mkdtempSync(join(tmpdir(), 'studio-parsing-peers-'));
  write(documents, 'sheets/a.csv', '품목,수량\n사과,12');
  write(documents, 'sheets/a.csv.gt.md', '| 품목 | 수량 |\n| - | - |\n| 사과 | 12 |');
  write(documents, 'sheets/b.csv', '이름,나이\n김하나,41');
  write(peers, 'sheets/a.csv.one.md', '| 품목 | 수량 |\n| - | - |\n| 배나무 | 12 |');
  write(peers, 'sheets/a.csv.other-one.md', '품목 수량 사과 12');
  write(peers, 'sheets/a.csv.gt.md', 'a truth is no peer');
  write(peers, 'sheets/a.csv.one.txt', 'and neither is this');
});
afterAll(() => {
  rmSync(documents, { recursive: true });
  rmSync(peers, { recursive: true });
});

test('Markdown of peers is found by the name of the document, in a folder of its own', () => {
  expect([...peerFilesOf(peers, { name: 'sheets/a.csv' })]).toEqual([
    ['one', join(peers, 'sheets/a.csv.one.md')],
    ['other-one', join(peers, 'sheets/a.csv.other-one.md')],
  ]);
  expect([...peerFilesOf(peers, { name: 'elsewhere/a.csv' })]).toEqual([]);
});

test('peers are measured by the same truths as we are, and what they did not read counts as refused', async () => {
  const cases = casesOf(documents);
  const outcomes = await measure(cases, {
    ocr: false,
    onFormat: () => undefined,
    peersOf: (one) => peerFilesOf(peers, one),
  });
  const figures = outcomes.map(({ peer, outcomes: of }) => [
    peer,
    of.map(({ cells, refusal }) => cells?.right ?? refusal?.code),
  ]);
  expect(figures).toEqual([
    [undefined, [4, undefined]],
    ['one', [3, 'NO_MARKDOWN']],
    ['other-one', [0, 'NO_MARKDOWN']],
  ]);
  const report = reportOf('documents', outcomes, { files: false });
  expect(report).toMatch(/^csv +2 +0 +1 +1\.000/mu);
  expect(report).toMatch(/^ {2}one +2 +1 +1 +0\.\d/mu);
  expect(report).toMatch(/^csv +other-one +1 +1\.000 +1\.000 +1\.000 +1\.000/mu);
  expect(report).not.toContain('made nothing of it');
});

test('two readings of a document agree by the text that each has of the other', () => {
  const said = (...texts: string[]) =>
    factsOf({
      blocks: texts.map((text) => ({ type: 'paragraph', spans: [{ text }], page: null, box: null })) as never,
    });
  const { ofPeer, ofOurs } = agreementOf('one', said('가나다라마'), said('가나다라마', '바사아자차'));
  expect([ofPeer, ofOurs]).toEqual([0.5, 1]);
});
