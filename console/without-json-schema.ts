import type { Plugin } from 'vite';

/** A module that keeps the names of another and does nothing: each is a function that throws when somebody calls it after all. */
function emptied(code: string): string {
  const names = [...code.matchAll(/^export (?:function|const|class) (\w+)/gm)].map(([, name]) => name);
  const refuse = `const refuse = () => { throw new Error('JSON schemas are not part of the console'); };`;
  // What zod makes while a schema is made, and what says which checks a schema has (its minLength and the like).
  const used: Readonly<Record<string, string>> = {
    createStandardJSONSchemaMethod: '() => refuse',
    createToJSONSchemaMethod: '() => refuse',
    aggregateChecks: '() => ({})',
  };
  const others = [...code.matchAll(/^export \{ \w+ as \w+ \};$/gm)].map(([line]) => line);
  return `${refuse}\n${others.join('\n')}\n${names.map((name) => `export const ${name} = ${used[name ?? ''] ?? 'refuse'};`).join('\n')}`;
}

/**
 * Leaves out how zod writes schemas as JSON schema, which every schema of it has by a method and no page asks for: 5 kB of compressed script of
 * every page.
 */
export const withoutJsonSchema = (): Plugin => ({
  name: 'without-json-schema',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors|json-schema-generator)\.js$/ },
    handler: emptied,
  },
});
