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

/** Resamples sound chunk by chunk, without the frequencies that the lower rate cannot hold. */
export function createResampler(from: number, to: number) {
  if (from === to) return { add: (samples: Float32Array) => samples, end: () => new Float32Array(0) };
  const table = filterTable(Math.min(1, to / from) * 0.95);
  const step = from / to;
  let buffered = new Float32Array(CROSSINGS);
  /** Place of the first buffered sample in the whole, and of the next result. */
  let first = -CROSSINGS;
  let next = 0;
  let received = 0;

  const resampleAt = (at: number): number => {
    const low = Math.max(first, Math.ceil(at - CROSSINGS));
    const high = Math.min(first + buffered.length - 1, Math.floor(at + CROSSINGS));
    let sum = 0;
    for (let i = low; i <= high; i++) {
      const place = Math.abs(i - at) * STEPS;
      const whole = Math.floor(place);
      const value = table[whole] ?? 0;
      sum += (buffered[i - first] ?? 0) * (value + ((table[whole + 1] ?? 0) - value) * (place - whole));
    }
    return sum;
  };
  const resampleUntil = (end: number): Float32Array => {
    const results: number[] = [];
    for (; next * step < end; next++) results.push(resampleAt(next * step));
    return Float32Array.from(results);
  };
  return {
    add(samples: Float32Array): Float32Array {
      received += samples.length;
      buffered = joinSamples([buffered, samples]);
      const results = resampleUntil(received - CROSSINGS);
      const obsolete = Math.max(0, Math.floor(next * step) - CROSSINGS - first);
      buffered = buffered.slice(obsolete);
      first += obsolete;
      return results;
    },
    end: (): Float32Array => resampleUntil(received),
  };
}

/** Resamples whole sound. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const resampler = createResampler(from, to);
  return joinSamples([resampler.add(samples), resampler.end()]);
}
