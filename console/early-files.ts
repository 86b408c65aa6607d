import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** A file of the build, as far as it is read here. */
interface Built {
  readonly type: 'chunk' | 'asset';
  readonly fileName: string;
  readonly isEntry?: boolean;
  readonly facadeModuleId?: string | null;
  readonly imports?: readonly string[];
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
}
type Bundle = Readonly<Record<string, Built>>;

const source = join(import.meta.dirname, 'src');

/** Where the routes stand. */
const routeFiles = ['app/chat-routes.ts', 'app/router.tsx'];

/** The addresses of the console and the modules of their pages, frames around them included, as the files of `app` name them. */
export function routesOf(source: string): { readonly path: string; readonly modules: readonly string[] }[] {
  const moduleOf = (block: string) => /\blazyPage\(\(\) => import\('\.\.\/(pages\/[^']+)'\)/.exec(block)?.[1];
  const frames = new Map(
    [...source.matchAll(/const (\w+) = createRoute\(\{([^]*?)\n\}\);/g)].map(([, name = '', block = '']) => [
      name,
      moduleOf(block),
    ]),
  );
  return source
    .split('createRoute({')
    .slice(1)
    .flatMap((block) => {
      const path = /\bpath: '([^']+)'/.exec(block)?.[1];
      const parent = /getParentRoute: \(\) => (\w+)/.exec(block)?.[1] ?? '';
      const modules = [frames.get(parent), moduleOf(block)].filter((module) => module !== undefined);
      return path === undefined || modules.length === 0 ? [] : [{ path, modules }];
    });
}

/** What an address below /console must look like to be that of a route. */
export const patternOf = (path: string): string => `^${path.replace(/\/$/, '').replaceAll(/\$\w+/g, '[^/]+')}/?$`;

/** A chunk and all that it can't run without, styles too. */
function filesOf(bundle: Bundle, name: string, seen = new Set<string>()): Set<string> {
  const chunk = bundle[name];
  if (seen.has(name) || chunk === undefined) return seen;
  seen.add(name);
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
  for (const next of chunk.imports ?? []) filesOf(bundle, next, seen);
  return seen;
}

/** Runs in the page: asks for the files of its language and its address before any script of the console has run. */
function askForFiles(files: string[], languages: Record<string, number[]>, pages: [string, number[]][]): void {
  const { document, location } = globalThis as unknown as {
    document: {
      documentElement: { lang: string };
      head: { append(link: object): void };
      createElement(name: 'link'): Record<'rel' | 'as' | 'href' | 'crossOrigin', string>;
    };
    location: { pathname: string };
  };
  const path = location.pathname.slice('/console'.length);
  const page = pages.find(([pattern]) => new RegExp(pattern).test(path));
  for (const at of [...(languages[document.documentElement.lang] ?? []), ...(page?.[1] ?? [])]) {
    const link = document.createElement('link');
    const name = files[at] ?? '';
    link.rel = name.endsWith('.js') ? 'modulepreload' : 'preload';
    if (link.rel === 'preload') link.as = 'style';
    // As what loads it will ask for it, else it is fetched twice.
    link.crossOrigin = '';
    link.href = `/console/${name}`;
    document.head.append(link);
  }
}

/**
 * Names in index.html the files of each language and of each page, so that a browser asks for them at once: otherwise it learns of the
 * words from the first script, and of the page after it has been told who is signed in.
 */
export const earlyFiles = (): Plugin => ({
  name: 'early-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }): string {
      const built = bundle as unknown as Bundle;
      const entry = Object.values(built).find(({ isEntry }) => isEntry === true);
      const there = filesOf(built, entry?.fileName ?? '');
      const files: string[] = [];
      const placesOf = (module: string): number[] => {
        const chunk = Object.values(built).find(({ facadeModuleId }) => facadeModuleId === join(source, module));
        // What came to stand in another chunk is fetched as before; tools/console.test.ts tells.
        if (chunk === undefined) return [];
        const more = [...filesOf(built, chunk.fileName)].filter((name) => !there.has(name));
        for (const name of more) if (!files.includes(name)) files.push(name);
        return more.map((name) => files.indexOf(name));
      };
      const languages = Object.fromEntries(['ko', 'en'].map((name) => [name, placesOf(`i18n/${name}/index.ts`)]));
      const routes = routesOf(routeFiles.map((name) => readFileSync(join(source, name), 'utf8')).join('\n'));
      const pages = routes.map(({ path, modules }) => [patternOf(path), [...new Set(modules.flatMap(placesOf))]]);
      const given = [files, languages, pages].map((one) => JSON.stringify(one)).join(',');
      // Before styles, for which a script waits.
      const first = html.indexOf('<script type="module"');
      return `${html.slice(0, first)}<script>(${askForFiles.toString()})(${given})</script>\n    ${html.slice(first)}`;
    },
  },
});
