import { toSrt, toVtt } from '@ai-studio/contract/captions.ts';
import type { Transcript } from '@ai-studio/contract/console/speech.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** A time in a recording as people read it, such as 1:02:03 or 2:03. */
export function clock(seconds: number): string {
  const all = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A transcript as a file of each kind. */
export const files = {
  txt: ({ text }: Transcript) => `${text}\n`,
  srt: ({ segments }: Transcript) => toSrt(segments),
  vtt: ({ segments }: Transcript) => toVtt(segments),
} as const;
