// Assembles the WebAssembly of the server: writes a module in TypeScript beside each source, which unit tests compare with it.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import openWabt from 'wabt';

/** Each source, and what its module is called. */
const modules = {
  'kernel/json-outline/outline': 'OUTLINE_MODULE',
  'privacy/byte-places/byte-places': 'BYTE_PLACES_MODULE',
};

const fileOf = (source, ending) => new URL(`../server/src/${source}${ending}`, import.meta.url);

/** The module that stands for a source, as TypeScript. */
export async function assemble(source) {
  const file = `${basename(source)}.wat`;
  const wabt = await openWabt();
  const module = wabt.parseWat(file, readFileSync(fileOf(source, '.wat'), 'utf8'), { simd: true });
  module.resolveNames();
  module.validate();
  const lines = Buffer.from(module.toBinary({}).buffer)
    .toString('base64')
    .match(/.{1,120}/g);
  return `// Assembled from ${file} by tools/assemble-wasm.mjs.\n\n/** The module in base64. */\nexport const ${modules[source]} = [\n${lines.map((line) => `  '${line}',`).join('\n')}\n].join('');\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const source of Object.keys(modules)) writeFileSync(fileOf(source, '-module.ts'), await assemble(source));
