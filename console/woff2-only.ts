import type { Plugin } from 'vite';

const others = /,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\(["'](?:woff|truetype)["']\)/g;

/** Leaves the older forms of fonts out of style sheets of packages: every browser that the console is built for takes woff2. */
export const woff2Only = (): Plugin => ({
  name: 'woff2-only',
  enforce: 'pre',
  transform(code, id) {
    if (!/katex[^?]*\.css/.test(id)) return null;
    return { code: code.replaceAll(others, ''), map: null };
  },
});
