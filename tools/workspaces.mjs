// Where the parts of the project that are taken by name have their files.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Reads what the parts of a project export. Returns a function from a name to the file's path from the root; null for other packages. */
export function createWorkspaceResolver(root) {
  const exported = globSync('{contract,packages/*}/package.json', { cwd: root })
    .flatMap((file) => {
      const { name, exports } = JSON.parse(readFileSync(join(root, file), 'utf8'));
      return Object.entries(exports).map(([from, to]) => ({ from: join(name, from), to: join(dirname(file), to) }));
    })
    // The one that says most of the name counts, as Node.js has it.
    .toSorted((a, b) => b.from.length - a.from.length);
  return (name) => {
    for (const { from, to } of exported) {
      const [head, rest] = from.split('*');
      if (name === from) return to;
      if (rest !== undefined && name.startsWith(head)) return to.replace('*', name.slice(head.length));
    }
    return null;
  };
}
