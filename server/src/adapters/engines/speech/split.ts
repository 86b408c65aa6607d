/** A stretch of speech, in samples. */
export interface SampleRange {
  readonly from: number;
  readonly to: number;
}

/** Length of a look at the loudness. */
const FRAME_S = 0.02;
/** Longest stretch: what Whisper hears at once is 30 s. */
const MAX_SECONDS = 28;
/** A pause ends a stretch. */
const PAUSE_S = 0.6;
/** Kept around speech, so that no sound is cut off. */
const MARGIN_S = 0.2;
/** How much louder than the background speech is, and the least that counts as a sound at all. */
const OVER_BACKGROUND = 3;
const MIN_THRESHOLD = 0.002;

/** Samples of a look at the loudness. */
export const frameOf = (sampleRate: number): number => Math.round(sampleRate * FRAME_S);

/** Loudness of each frame of a piece of sound. */
export function loudness(samples: Float32Array, frame: number): Float32Array {
  const values = new Float32Array(Math.ceil(samples.length / frame));
  for (let i = 0; i < values.length; i++) {
    let sum = 0;
    const to = Math.min(samples.length, (i + 1) * frame);
    for (let at = i * frame; at < to; at++) sum += (samples[at] ?? 0) ** 2;
    values[i] = Math.sqrt(sum / Math.max(1, to - i * frame));
  }
  return values;
}

/** Loudness of the background: that of the quiet tenth. */
const backgroundOf = (values: Float32Array): number => values.toSorted()[Math.floor(values.length / 10)] ?? 0;

/** The frame with the least sound among some. */
function quietest(values: Float32Array, from: number, to: number): number {
  let best = from;
  for (let i = from; i < to; i++) if ((values[i] ?? 0) < (values[best] ?? 0)) best = i;
  return best;
}

/**
 * Finds the stretches of speech of a recording of so many samples by the loudness of its frames, none longer than a model
 * hears at once: silence is left out, and where nobody pauses it is cut at the quietest place. Music and noise count as
 * speech; the model decides.
 */
export function splitByLoudness(values: Float32Array, length: number, frame: number): readonly SampleRange[] {
  const threshold = Math.max(MIN_THRESHOLD, Math.min(backgroundOf(values) * OVER_BACKGROUND, 0.05));
  const pause = Math.round(PAUSE_S / FRAME_S);
  const margin = Math.round(MARGIN_S / FRAME_S);
  const maxFrames = Math.round(MAX_SECONDS / FRAME_S);
  const found: { from: number; to: number }[] = [];
  for (const [i, value] of values.entries()) {
    if (value < threshold) continue;
    const last = found.at(-1);
    if (last !== undefined && i - last.to <= pause) last.to = i + 1;
    else found.push({ from: i, to: i + 1 });
  }
  const cut = found.flatMap(({ from, to }) => {
    const parts: SampleRange[] = [];
    let start = from;
    while (to - start > maxFrames) {
      const end = quietest(values, start + Math.floor(maxFrames / 2), start + maxFrames);
      parts.push({ from: start, to: end });
      start = end;
    }
    return [...parts, { from: start, to }];
  });
  return cut.map(({ from, to }, i) => ({
    from: Math.max(cut[i - 1]?.to ?? 0, from - margin) * frame,
    to: Math.min(length, Math.min(cut[i + 1]?.from ?? Number.POSITIVE_INFINITY, to + margin) * frame),
  }));
}
