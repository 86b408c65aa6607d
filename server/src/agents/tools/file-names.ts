import { mediaTypes } from '../media-types.ts';

// Names of files that tools give without one.

/** End of a name by media type. */
const endings: ReadonlyMap<string, string> = new Map(
  Object.entries(mediaTypes)
    .map(([ending, type]): [string, string] => [type, ending])
    .toReversed(),
);

/** A name with the end that a media type has; `bin` for one that is not known. */
export const nameByType = (base: string, mediaType: string): string => `${base}.${endings.get(mediaType) ?? 'bin'}`;

/** The last part of an address; null where it has none. */
export function nameInAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || null;
  } catch {
    return last || null;
  }
}
