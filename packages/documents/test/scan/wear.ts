import type { GreyImage } from '../../src/ocr/grey.ts';

// What scanners do to pages: fewer dots, and grey where there is none.

/** A picture of 300 dots an inch with fewer: each pixel is the mean of what it covers. */
export function coarser({ width, height, data }: GreyImage, dotsPerInch: number): GreyImage {
  const step = 300 / dotsPerInch;
  const [wide, high] = [Math.floor(width / step), Math.floor(height / step)];
  const result = new Uint8Array(wide * high);
  for (let y = 0, at = 0; y < high; y++)
    for (let x = 0; x < wide; x++, at++) {
      let [sum, area] = [0, 0];
      for (let fromY = Math.floor(y * step); fromY < (y + 1) * step; fromY++)
        for (let fromX = Math.floor(x * step); fromX < (x + 1) * step; fromX++) {
          const part =
            (Math.min(fromX + 1, (x + 1) * step) - Math.max(fromX, x * step)) *
            (Math.min(fromY + 1, (y + 1) * step) - Math.max(fromY, y * step));
          sum += part * data[fromY * width + fromX]!;
          area += part;
        }
      result[at] = sum / area;
    }
  return { width: wide, height: high, data: result };
}

/** The picture with grey up to `most` lighter or darker everywhere, and one pixel of `dirt` black or white: the same each time. */
export function noisy({ width, height, data }: GreyImage, most: number, dirt: number): GreyImage {
  let state = 12_345;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return (state >>> 8) / 0x7f_ff_ff;
  };
  const result = data.map((grey) => {
    const [kind, shade] = [random(), random()];
    if (kind * dirt < 1) return shade < 0.5 ? 0 : 255;
    return Math.max(0, Math.min(255, grey + (shade - 0.5) * 2 * most));
  });
  return { width, height, data: result };
}
