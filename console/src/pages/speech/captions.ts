import type { Transcript } from '@ai-studio/contract/console/speech.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** A time in a recording as people read it, such as 1:02:03 or 2:03. */
export function clock(seconds: number): string {
  const all = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

function stamp(seconds: number, mark: ',' | '.'): string {
  const all = Math.max(0, Math.round(seconds * 1000));
  const [hours, minutes, rest] = [Math.floor(all / 3_600_000), Math.floor(all / 60_000) % 60, all % 60_000];
  return `${two(hours)}:${two(minutes)}:${two(Math.floor(rest / 1000))}${mark}${String(rest % 1000).padStart(3, '0')}`;
}

/** A transcript as a file of each kind. */
export const files = {
  txt: ({ text }: Transcript) => `${text}\n`,
  srt: ({ segments }: Transcript) =>
    segments
      .map(({ start, end, text }, i) => `${i + 1}\n${stamp(start, ',')} --> ${stamp(end, ',')}\n${text.trim()}\n`)
      .join('\n'),
  vtt: ({ segments }: Transcript) =>
    `WEBVTT\n\n${segments.map(({ start, end, text }) => `${stamp(start, '.')} --> ${stamp(end, '.')}\n${text.trim()}\n`).join('\n')}`,
} as const;
