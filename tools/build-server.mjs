// Bundles the server's sources into a folder: node build-server.mjs FOLDER. Started by server.mjs.
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Modules find their files, threads and programs beside their source, wherever they were bundled to. */
const placesOfSources = (folder) => ({
  name: 'places-of-sources',
  enforce: 'pre',
  transform(code, id) {
    if (!/\bimport\.meta\.(?:dirname|url)\b/.test(code)) return null;
    const source = relative(folder, id).split(sep).join('/');
    return code.replaceAll(/\bimport\.meta\.(dirname|url)\b/g, (_, part) =>
      part === 'url'
        ? `new URL(${JSON.stringify(source)}, import.meta.url).href`
        : `(import.meta.dirname + ${JSON.stringify(`/${dirname(source)}`)})`,
    );
  },
});

/** The bundle takes node:http without importing it: an import would load the client behind `fetch` too, 40 ms of each start. */
const httpWithoutItsClient = () => ({
  name: 'http-without-its-client',
  renderChunk: (code) =>
    code.replaceAll(
      /^import \{([^}]+)\} from "node:http";$/gm,
      (_, names) => `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule("node:http");`,
    ),
});

async function main([folder]) {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [placesOfSources(folder), httpWithoutItsClient()],
    // Of the packages those that have hundreds of modules.
    ssr: { noExternal: [/^@ai-studio\//, 'kysely', 'zod'] },
    build: {
      ssr: join(root, 'server/src/cli/index.ts'),
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      // Stacks name functions as the sources do.
      minify: false,
      rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${stripVTControlCharacters(error.message)}\n`);
  process.exitCode = 1;
}
