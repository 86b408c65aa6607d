import type { TranscriptionSegment } from './audio.ts';

// Transcripts as captions: what the interface answers, and what the console gives as files.

/** A stretch of speech; times in seconds. */
type Segment = Pick<TranscriptionSegment, 'start' | 'end' | 'text'>;

/** A time as captions have it, such as 00:01:02,345. */
function timeOf(seconds: number, mark: ',' | '.'): string {
  const all = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(all / 3_600_000), Math.floor(all / 60_000) % 60, all % 60_000];
  return `${two(hours)}:${two(minutes)}:${two(Math.floor(rest / 1000))}${mark}${String(rest % 1000).padStart(3, '0')}`;
}

/** One line a caption: an empty line would end it. */
const lineOf = ({ text }: Segment) => text.trim().replaceAll(/\s*\n\s*/g, ' ');

/** Captions of the SubRip form. */
export const toSrt = (segments: readonly Segment[]): string =>
  segments
    .map((one, i) => `${i + 1}\n${timeOf(one.start, ',')} --> ${timeOf(one.end, ',')}\n${lineOf(one)}\n`)
    .join('\n');

/** Captions of the WebVTT form. Source: W3C WebVTT, section 4. */
export const toVtt = (segments: readonly Segment[]): string =>
  `WEBVTT\n\n${segments
    .map(
      (one) =>
        `${timeOf(one.start, '.')} --> ${timeOf(one.end, '.')}\n${lineOf(one).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('-->', '--&gt;')}\n`,
    )
    .join('\n')}`;
