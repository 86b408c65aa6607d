// Bundles the server's sources into a folder: node build-server.mjs FOLDER. Started by server.mjs.
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Modules find their files, threads and programs beside their source, wherever they were bundled to. */
const sourcePaths = (folder) => ({
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

/** Of node-llama-cpp: whether its binary can be loaded is not tried by one more process. See openRuntime of the llama runtime. */
const llamaWithoutItsTest = {
  name: 'llama-without-its-test',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/node-llama-cpp/dist/bindings/utils/testBindingBinary.js')
      ? 'export const testBindingBinary = async () => true;'
      : null,
};

const settings = ({ entry, folder, name = 'index', plugins, ...rest }) => ({
  configFile: false,
  root,
  logLevel: 'warn',
  plugins: [sourcePaths(folder), ...plugins],
  build: {
    ssr: join(root, entry),
    outDir: folder,
    emptyOutDir: true,
    target: 'node24',
    // Stacks name functions as the sources do.
    minify: false,
    rolldownOptions: {
      // Native parts, each for its system.
      external: [/^@node-llama-cpp\//, /^@reflink\//],
      output: { entryFileNames: `${name}.mjs`, chunkFileNames: '[name]-[hash].mjs' },
    },
  },
  ...rest,
});

/** What a start loads. Left out are packages with native parts, and those that are loaded when they are needed. */
const bundledPackages = [
  /^@ai-studio\//,
  /^@fastify\//,
  /^@opentelemetry\//,
  'abstract-logging',
  'ajv',
  'avvio',
  'bintrees',
  'chardet',
  'cookie',
  'dequal',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-json-stringify',
  'fast-querystring',
  'fast-uri',
  'fastify',
  'fastq',
  'find-my-way',
  'iconv-lite',
  'ipaddr.js',
  'json-schema-traverse',
  'kysely',
  'light-my-request',
  'pg',
  /^pg-/,
  /^postgres-/,
  'process-warning',
  'prom-client',
  'ret',
  'reusify',
  'rfdc',
  'safe-regex2',
  'safer-buffer',
  'secure-json-parse',
  'semver',
  'set-cookie-parser',
  'tdigest',
  'toad-cache',
  'xtend',
  'yaml',
  'zod',
];

async function main([folder]) {
  await build(
    settings({
      entry: 'server/src/cli/index.ts',
      folder,
      plugins: [httpWithoutItsClient()],
      ssr: { noExternal: bundledPackages },
    }),
  );
  // The process of a model without a GPU, with all that it needs.
  await build(
    settings({
      entry: 'packages/llama-runtime/src/child/main.ts',
      folder: join(folder, 'llama-child'),
      plugins: [llamaWithoutItsTest],
      ssr: { noExternal: true },
    }),
  );
  // The process that reads documents.
  await build(
    settings({
      entry: 'packages/documents/src/sandbox/child.ts',
      folder: join(folder, 'document-reader'),
      plugins: [],
      ssr: { noExternal: true },
    }),
  );
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${stripVTControlCharacters(error.message)}\n`);
  process.exitCode = 1;
}
