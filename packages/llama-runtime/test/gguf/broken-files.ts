import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { writeRandomModel } from './random-model.ts';

/** What is wrong with a file. */
export type Damage = 'truncated' | 'magic' | 'architecture' | 'missing-tensor' | 'template-without-tools';

/** Bytes that are left of a truncated file: the header is whole, most of the weights are gone. */
const KEPT = 60_000;

/** Gives one tensor a name of the same length that no architecture has: the file stays well-formed. */
function renameTensor(path: string, name: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(name);
  if (at === -1) throw new Error(`No tensor ${name} in ${path}`);
  bytes.write('x'.repeat(name.length), at, 'latin1');
  writeFileSync(path, bytes);
}

/**
 * Writes a random model with one thing wrong. `template-without-tools` loads and runs; llama.cpp refuses the others.
 * Returns the path.
 */
export function writeBrokenModel(path: string, damage: Damage): string {
  switch (damage) {
    case 'architecture':
      return writeRandomModel(path, { architecture: 'lxama' });
    case 'template-without-tools':
      return writeRandomModel(path, {
        chatTemplate: '{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}assistant:',
      });
    case 'missing-tensor':
      renameTensor(writeRandomModel(path), 'blk.1.ffn_down.weight');
      return path;
    case 'truncated':
      truncateSync(writeRandomModel(path), KEPT);
      return path;
    case 'magic': {
      const bytes = readFileSync(writeRandomModel(path));
      bytes.write('JUNK', 0, 'latin1');
      writeFileSync(path, bytes);
      return path;
    }
  }
}
