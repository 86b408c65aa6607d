import { expect, test } from 'vitest';
import { toSrt, toVtt } from './captions.ts';

const segments = [
  { start: 0, end: 1.5, text: ' Good morning.\n\nWelcome. ' },
  { start: 3661.25, end: 3662, text: 'A < B & C --> D' },
];

test('captions are numbered, and an empty line ends none of them too early', () => {
  expect(toSrt(segments)).toBe(
    '1\n00:00:00,000 --> 00:00:01,500\nGood morning. Welcome.\n\n2\n01:01:01,250 --> 01:01:02,000\nA < B & C --> D\n',
  );
});

test('what WebVTT has a meaning for is written as text', () => {
  expect(toVtt(segments)).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nGood morning. Welcome.\n\n01:01:01.250 --> 01:01:02.000\nA &lt; B &amp; C --&gt; D\n',
  );
});
