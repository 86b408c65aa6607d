/** A picture in grey: 0 is black, 255 white. Rows from the top, without gaps between them. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A rectangle of pixels; the right and lower edges are outside. */
export interface PixelRect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Half the way from its top to its bottom. */
export const middleOf = ({ y0, y1 }: PixelRect): number => (y0 + y1) / 2;

/** Lightness of a colour, 0 (black) to 255. */
export const greyOf = (red: number, green: number, blue: number): number => (red * 77 + green * 150 + blue * 29) >> 8;

/** The picture so many times as large, by what lies between its pixels. */
export function enlargedImage({ width, height, data }: GreyImage, times: number): GreyImage {
  const [wide, high] = [width * times, height * times];
  const larger = new Uint8Array(wide * high);
  for (let y = 0, at = 0; y < high; y++) {
    const fromY = Math.max(0, Math.min(height - 1, (y + 0.5) / times - 0.5));
    const top = Math.floor(fromY);
    const low = fromY - top;
    const [upper, lower] = [top * width, Math.min(height - 1, top + 1) * width];
    for (let x = 0; x < wide; x++, at++) {
      const fromX = Math.max(0, Math.min(width - 1, (x + 0.5) / times - 0.5));
      const left = Math.floor(fromX);
      const right = Math.min(width - 1, left + 1);
      const part = fromX - left;
      const above = data[upper + left]! * (1 - part) + data[upper + right]! * part;
      const below = data[lower + left]! * (1 - part) + data[lower + right]! * part;
      larger[at] = above * (1 - low) + below * low;
    }
  }
  return { width: wide, height: high, data: larger };
}

/** Pictures below each other; null of none. */
export function stackedImages(images: readonly GreyImage[]): GreyImage | null {
  const [first] = images;
  if (first === undefined || images.some(({ width }) => width !== first.width)) return null;
  const data = new Uint8Array(images.reduce((sum, image) => sum + image.data.length, 0));
  let at = 0;
  for (const image of images) {
    data.set(image.data, at);
    at += image.data.length;
  }
  return { width: first.width, height: images.reduce((sum, { height }) => sum + height, 0), data };
}

/** The picture as it is to be seen. `orientation` 1 to 8. Source: EXIF 2.3, tag Orientation. */
export function orientedImage(image: GreyImage, orientation: number): GreyImage {
  if (orientation <= 1 || orientation > 8) return image;
  const { width, height, data } = image;
  const turned = orientation >= 5;
  const [wide, high] = turned ? [height, width] : [width, height];
  const result = new Uint8Array(wide * high);
  const [right, low] = [width - 1, height - 1];
  for (let y = 0, at = 0; y < high; y++)
    for (let x = 0; x < wide; x++, at++) {
      const [fromX, fromY] =
        orientation === 2
          ? [right - x, y]
          : orientation === 3
            ? [right - x, low - y]
            : orientation === 4
              ? [x, low - y]
              : orientation === 5
                ? [y, x]
                : orientation === 6
                  ? [y, low - x]
                  : orientation === 7
                    ? [right - y, low - x]
                    : [right - y, x];
      result[at] = data[fromY * width + fromX]!;
    }
  return { width: wide, height: high, data: result };
}
