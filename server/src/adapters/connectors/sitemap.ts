import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sourceFailure } from '../../ports/source-failure.ts';
import { piecesOf, readXml, trimmed } from './in-pieces.ts';

// Lists of the pages of a site. Source: sitemaps.org, protocol 0.9.

/** What a site map names. */
export interface Sitemap {
  readonly pages: readonly string[];
  /** Further site maps. */
  readonly maps: readonly string[];
}

/** As long as the protocol lets them be. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_LINE = 100_000;
const inflate = promisify(gunzip);
const isAddress = (line: string): boolean => /^https?:\/\//.test(line);

/** Reads a site map, packed or not, or a list of addresses. Rejects with StudioError `unavailable` for what is none. */
export async function readSitemap(bytes: Buffer): Promise<Sitemap> {
  const wrong = (cause?: unknown) => sourceFailure('sitemap_unreadable', { cause });
  let plain: Buffer;
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    plain = isPacked ? await inflate(bytes, { maxOutputLength: MAX_SITEMAP_BYTES }) : bytes;
  } catch (cause) {
    throw wrong(cause);
  }
  const pages: string[] = [];
  if (!/^(?:\uFEFF)?\s*</.test(plain.subarray(0, 1_000).toString('utf8'))) {
    // Of the piece before, which may be half a line.
    let rest = '';
    for await (const piece of piecesOf(plain)) {
      const lines = (rest + piece).split(/\s+/);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE) throw wrong();
      for (const line of lines) if (isAddress(line)) pages.push(line);
    }
    if (isAddress(rest)) pages.push(rest);
    if (pages.length === 0) throw wrong();
    return { pages, maps: [] };
  }
  const maps: string[] = [];
  const path: string[] = [];
  let letters = '';
  await readXml(trimmed(piecesOf(plain)), wrong, {
    opentag({ local }) {
      path.push(local);
      letters = '';
    },
    text: (part) => void (letters += part),
    closetag() {
      const here = path.join('/');
      if (here === 'urlset/url/loc') pages.push(letters.trim());
      if (here === 'sitemapindex/sitemap/loc') maps.push(letters.trim());
      path.pop();
      letters = '';
    },
  });
  return { pages, maps };
}
