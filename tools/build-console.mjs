// Builds the web console into a folder: node build-console.mjs FOLDER STAMP. Started by console.mjs.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** Compressed already, or a template for each response. */
const uncompressedTypes = new Set(['.html', '.ico', '.png', '.woff2']);
/** Below this a compressed body saves less than the content-encoding header costs. */
const MIN_BYTES = 500;

const compressions = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        // One step below the best: a fifth of its time for one part in a hundred.
        [constants.BROTLI_PARAM_QUALITY]: 10,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** Writes the compressed forms beside a file. Returns what the service needs to know to serve it. */
async function prepare(folder, file) {
  const path = join(folder, file);
  const extension = extname(file);
  const type = types[extension];
  if (type === undefined) throw new Error(`The media type of ${file} is not known to tools/build-console.mjs`);
  const bytes = await readFile(path);
  const sizes = { raw: bytes.length };
  if (!uncompressedTypes.has(extension) && bytes.length >= MIN_BYTES) {
    for (const [suffix, compress] of Object.entries(compressions)) {
      const packed = await compress(bytes);
      await writeFile(`${path}.${suffix}`, packed);
      sizes[suffix] = packed.length;
    }
  }
  return { type, etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22), sizes };
}

async function main([folder, stamp]) {
  await build({ logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  await build({
    configFile: 'vite.diagram.config.ts',
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: false },
  });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    // Notes of the build tool.
    .filter((name) => !name.startsWith('.'));
  const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await prepare(folder, name)])));
  await writeFile(join(folder, 'files.json'), JSON.stringify({ files }));
  await writeFile(join(folder, '.stamp'), stamp);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${stripVTControlCharacters(error.message)}\n`);
  process.exitCode = 1;
}
