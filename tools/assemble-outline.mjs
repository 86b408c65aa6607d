// Assembles the WebAssembly of JSON outlines: writes server/src/kernel/json-outline/outline-module.ts, which a unit test compares with
// outline.wat.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openWabt from 'wabt';

const folder = new URL('../server/src/kernel/json-outline/', import.meta.url);

/** The module that stands for outline.wat, as TypeScript. */
export async function assembleOutline() {
  const wabt = await openWabt();
  const module = wabt.parseWat('outline.wat', readFileSync(new URL('outline.wat', folder), 'utf8'), { simd: true });
  module.resolveNames();
  module.validate();
  const lines = Buffer.from(module.toBinary({}).buffer)
    .toString('base64')
    .match(/.{1,120}/g);
  return `// Assembled from outline.wat by tools/assemble-outline.mjs.\n\n/** The module in base64. */\nexport const OUTLINE_MODULE = [\n${lines.map((line) => `  '${line}',`).join('\n')}\n].join('');\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('outline-module.ts', folder), await assembleOutline());
