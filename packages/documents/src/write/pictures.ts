import { headerOf } from '../readers/image/header.ts';

/** A picture as a package holds it. */
export interface PackedPicture {
  /** From 1. */
  readonly number: number;
  readonly ending: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** As it is shown, in points, no wider than the text. */
  readonly width: number;
  readonly height: number;
  readonly pixels: { readonly width: number; readonly height: number };
}

const mediaTypes = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', bmp: 'image/bmp' } as const;
type Kind = keyof typeof mediaTypes;
const isKind = (kind: string): kind is Kind => Object.hasOwn(mediaTypes, kind);

/** Of a screen: 96 pixels are 72 points. */
const POINTS_PER_PIXEL = 0.75;

/** Pictures of a document by their address; each is packed once. `maxWidth`, `maxHeight`: of the text of a page, in points. */
export function createPictures(
  given: ReadonlyMap<string, Uint8Array>,
  { maxWidth, maxHeight }: { readonly maxWidth: number; readonly maxHeight: number },
) {
  const packed = new Map<string, PackedPicture>();
  return {
    /** Null for a picture that was not given, or that programs can't show. */
    find(address: string | undefined): PackedPicture | null {
      const bytes = address === undefined ? undefined : given.get(address);
      if (address === undefined || bytes === undefined) return null;
      const known = packed.get(address);
      if (known !== undefined) return known;
      const header = headerOf(bytes);
      const [page] = header?.pages ?? [];
      if (header === null || page === undefined || !isKind(header.kind)) return null;
      const scale = Math.min(
        POINTS_PER_PIXEL,
        maxWidth / Math.max(1, page.width),
        maxHeight / Math.max(1, page.height),
      );
      const picture = {
        number: packed.size + 1,
        ending: header.kind === 'jpeg' ? 'jpg' : header.kind,
        mediaType: mediaTypes[header.kind],
        bytes,
        width: Math.max(1, page.width * scale),
        height: Math.max(1, page.height * scale),
        pixels: { width: page.width, height: page.height },
      };
      packed.set(address, picture);
      return picture;
    },
    /** Addresses of the pictures that were found. */
    addresses: (): ReadonlySet<string> => new Set(packed.keys()),
    all: (): readonly PackedPicture[] => [...packed.values()],
  };
}
export type Pictures = ReturnType<typeof createPictures>;
