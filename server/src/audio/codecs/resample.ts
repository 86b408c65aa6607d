import { joinSamples } from './sound.ts';

/** Zero crossings of the filter on each side. */
const CROSSINGS = 16;
/** Steps of the filter's table for each sample. */
const STEPS = 512;

/** A windowed sinc as a table, for one cut-off (a share of the Nyquist frequency). */
function filterTable(cutoff: number): Float32Array {
  const size = CROSSINGS * STEPS;
  const values = new Float32Array(size + 2);
  for (let i = 0; i <= size; i++) {
    const x = i / STEPS;
    const angle = Math.PI * x * cutoff;
    const sinc = x === 0 ? 1 : Math.sin(angle) / angle;
    // A Blackman window.
    const t = i / size;
    values[i] = cutoff * sinc * (0.42 + 0.5 * Math.cos(Math.PI * t) + 0.08 * Math.cos(2 * Math.PI * t));
  }
  return values;
}

/** Resamples sound chunk by chunk, and filters out frequencies that the lower rate cannot represent. */
export function createResampler(sourceRate: number, targetRate: number) {
  if (sourceRate === targetRate) return { add: (samples: Float32Array) => samples, end: () => new Float32Array(0) };
  const table = filterTable(Math.min(1, targetRate / sourceRate) * 0.95);
  const ratio = sourceRate / targetRate;
  let buffered = new Float32Array(CROSSINGS);
  /** Positions of the first buffered sample in the input, and of the next sample in the output. */
  let firstBuffered = -CROSSINGS;
  let nextResult = 0;
  let received = 0;

  const resampleAt = (at: number): number => {
    const low = Math.max(firstBuffered, Math.ceil(at - CROSSINGS));
    const high = Math.min(firstBuffered + buffered.length - 1, Math.floor(at + CROSSINGS));
    let sum = 0;
    for (let i = low; i <= high; i++) {
      const position = Math.abs(i - at) * STEPS;
      const index = Math.floor(position);
      const value = table[index] ?? 0;
      sum += (buffered[i - firstBuffered] ?? 0) * (value + ((table[index + 1] ?? 0) - value) * (position - index));
    }
    return sum;
  };
  const resampleUntil = (end: number): Float32Array => {
    const results: number[] = [];
    for (; nextResult * ratio < end; nextResult++) results.push(resampleAt(nextResult * ratio));
    return Float32Array.from(results);
  };
  return {
    add(samples: Float32Array): Float32Array {
      received += samples.length;
      buffered = joinSamples([buffered, samples]);
      const results = resampleUntil(received - CROSSINGS);
      const obsoleteCount = Math.max(0, Math.floor(nextResult * ratio) - CROSSINGS - firstBuffered);
      buffered = buffered.slice(obsoleteCount);
      firstBuffered += obsoleteCount;
      return results;
    },
    end: (): Float32Array => resampleUntil(received),
  };
}
