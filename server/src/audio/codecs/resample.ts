/** Zero crossings of the filter on each side. */
const CROSSINGS = 16;
/** Steps of the filter's table for each sample. */
const STEPS = 512;

/** A windowed sinc as a table, for one cut-off (a share of the Nyquist frequency). */
function kernel(cutoff: number): Float32Array {
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

/** Brings sound from one sampling rate to another, piece by piece, without what the lower one cannot hold. */
export function createResampler(from: number, to: number) {
  if (from === to) return { add: (samples: Float32Array) => samples, end: () => new Float32Array(0) };
  const cutoff = Math.min(1, to / from) * 0.95;
  const values = kernel(cutoff);
  const reach = CROSSINGS;
  const step = from / to;
  let held = new Float32Array(reach);
  /** Place of the first held sample in the whole, and of the next result. */
  let first = -reach;
  let next = 0;
  let taken = 0;

  const run = (until: number): Float32Array => {
    const out: number[] = [];
    for (; next * step < until; next++) {
      const at = next * step;
      const low = Math.max(first, Math.ceil(at - reach));
      const high = Math.min(first + held.length - 1, Math.floor(at + reach));
      let sum = 0;
      for (let i = low; i <= high; i++) {
        const place = Math.abs(i - at) * STEPS;
        const whole = Math.floor(place);
        const a = values[whole] ?? 0;
        sum += (held[i - first] ?? 0) * (a + ((values[whole + 1] ?? 0) - a) * (place - whole));
      }
      out.push(sum);
    }
    return Float32Array.from(out);
  };
  return {
    add(samples: Float32Array): Float32Array {
      taken += samples.length;
      const all = new Float32Array(held.length + samples.length);
      all.set(held);
      all.set(samples, held.length);
      held = all;
      const out = run(taken - reach);
      const keep = Math.max(0, Math.floor(next * step) - reach - first);
      held = held.slice(keep);
      first += keep;
      return out;
    },
    end: (): Float32Array => run(taken),
  };
}

/** Whole sound at another sampling rate. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const resampler = createResampler(from, to);
  const parts = [resampler.add(samples), resampler.end()];
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
