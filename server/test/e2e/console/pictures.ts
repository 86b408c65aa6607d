import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';

// Pictures of pages, compared with those that are kept. They hold what a page looks like, not what its numbers are, so that they are
// the same on every machine: in the font that the console brings, without times, figures, ids and charts.

/** Kept pictures are half as large as the page: a line that moved is seen, how a machine smooths its letters is not. */
const SCALE = 0.5;
/** Quality of the kept pictures, which are WebP. */
const QUALITY = 0.8;
/** By how much a colour may differ, of 255 in each channel. */
const COLOUR = 40;
/** Share of the points that may differ by more. */
const TOLERANCE = 0.002;

/** Makes a page the same each time: what follows the clock, the machine or chance is taken out of it. */
export const steady = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    const sheet = new CSSStyleSheet();
    // The one font that comes with the console: that of code is the machine's.
    sheet.replaceSync(\`
      :root, [data-mantine-color-scheme] { --mantine-font-family-monospace: var(--mantine-font-family) !important; }
      code, pre, kbd, samp { font-family: var(--mantine-font-family) !important; }
      canvas, .uplot, img[data-state] { visibility: hidden !important; }
      * { caret-color: transparent !important; scrollbar-width: none !important; }
    \`);
    document.adoptedStyleSheets.push(sheet);
    const months = /\\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\\b/g;
    const same = (text) =>
      text
        .replace(/aist_[\\w…]+/g, 'key')
        .replace(/\\b[0-9a-f]{7,}\\b/g, 'id')
        .replace(/\\b(?=[\\w-]*\\d)(?=[\\w-]*[A-Z])(?=[\\w-]*[a-z])[\\w-]{16,}/g, 'id')
        .replace(months, 'Jan')
        .replace(/\\d[\\d.,:]*/g, '0')
        .replace(/0 ?(?:ms|s|min|초|밀리초|분)(?![a-z])/g, '0 s');
    for (const time of document.querySelectorAll('time')) time.textContent = '0';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode } = walker;
      // Styles of the page stand in its body too.
      if (currentNode.parentElement.closest('style, script') !== null) continue;
      const text = same(currentNode.data);
      if (text !== currentNode.data) currentNode.data = text;
    }
    document.activeElement?.blur();
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  })()`);

interface Compared {
  /** What is to be kept, as base64. */
  readonly picture: string;
  /** Share of the points that differ; 1 where nothing is kept, or the sizes do. */
  readonly differs: number;
}

/** Compares two pictures in a page that holds nothing else. */
const compare = (page: Page, shot: Buffer, kept: Buffer | null): Promise<Compared> =>
  page.evaluate<Compared>(`(async () => {
    const open = async (type, base64) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.codePointAt(0));
      return createImageBitmap(new Blob([bytes], { type }));
    };
    const draw = (image, width, height) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, width, height);
      return { canvas, data: context.getImageData(0, 0, width, height).data };
    };
    const encode = async (canvas) => {
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: ${QUALITY} })).arrayBuffer());
      let text = '';
      for (const one of bytes) text += String.fromCodePoint(one);
      return btoa(text);
    };
    const image = await open('image/png', ${JSON.stringify(shot.toString('base64'))});
    const [width, height] = [Math.round(image.width * ${SCALE}), Math.round(image.height * ${SCALE})];
    const { canvas } = draw(image, width, height);
    const picture = await encode(canvas);
    const kept = ${JSON.stringify(kept?.toString('base64') ?? null)};
    if (kept === null) return { picture, differs: 1 };
    const before = await open('image/webp', kept);
    if (before.width !== width || before.height !== height) return { picture, differs: 1 };
    // As it would be kept, with what that loses.
    const now = draw(await open('image/webp', picture), width, height).data;
    const then = draw(before, width, height).data;
    let count = 0;
    for (let at = 0; at < now.length; at += 4)
      if ([0, 1, 2].some((channel) => Math.abs(now[at + channel] - then[at + channel]) > ${COLOUR})) count += 1;
    return { picture, differs: count / (width * height) };
  })()`);

interface Pictures {
  /** A page of a browser that compares: of no site. */
  readonly bench: Page;
  /** Where they are kept. */
  readonly folder: string;
  /** Where a picture goes that is not like the one that is kept. */
  readonly outcome: string;
  /** Keeps what is there now. */
  readonly writes: boolean;
}

/** Compares how a page looks with the picture of this name. Returns what is wrong; null where it is the same, or was written. */
export async function unlike(page: Page, name: string, pictures: Pictures): Promise<string | null> {
  await steady(page);
  const shot = await page.screenshot({ animations: 'disabled' });
  const place = join(pictures.folder, `${name}.webp`);
  const kept = await readFile(place).catch(() => null);
  const { picture, differs } = await compare(pictures.bench, shot, kept);
  if (differs <= TOLERANCE) return null;
  const to = pictures.writes ? place : join(pictures.outcome, `${name}.webp`);
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, Buffer.from(picture, 'base64'));
  if (pictures.writes) return null;
  if (kept === null) return `there is no picture yet: ${to}`;
  return `${(differs * 100).toFixed(2)} % of the points differ: ${to}`;
}
