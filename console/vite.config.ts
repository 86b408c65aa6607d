import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { earlyFiles } from './early-files.ts';
import { pureSchemas } from './pure-schemas.ts';
import { withoutDescriptions } from './without-descriptions.ts';
import { withoutJsonSchema } from './without-json-schema.ts';
import { woff2Only } from './woff2-only.ts';

/** What stands in the built index.html where the server puts the nonce of the answer. */
const NONCE_MARK = '__STUDIO_NONCE__';

/** Lists to choose from and tables: most pages have some, the chat has none until somebody chooses. */
const choiceParts =
  '(?:Combobox|Select|MultiSelect|Pagination|Table|SegmentedControl|FloatingIndicator|Checkbox(?!.CheckIcon)|Pill|PillsInput|Tabs)';
/** Fields for numbers are large, and come with the pages that have some; messages are shown once there is one. */
const apart = `(?!@mantine.core.esm.components.(?:NumberInput|${choiceParts}[^A-Za-z])|@mantine.notifications.esm.(?!notifications.store))`;

export default defineConfig({
  base: '/console/',
  // Grammars are fetched by the worker when they are wanted.
  worker: { format: 'es' },
  plugins: [react(), withoutDescriptions(), pureSchemas(), withoutJsonSchema(), woff2Only(), earlyFiles()],
  html: { cspNonce: NONCE_MARK },
  build: {
    // Browsers of 2024: they know light-dark(), which is not to be written in another way.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // Inlined files would be `data:` addresses, which the policy of the page allows for images alone.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
    // What most pages take is one file each: by itself every part is packed worse, and asked for alone.
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A group holds what it names, and not what that needs: pages would bring each other's parts.
          includeDependenciesRecursively: false,
          groups: [
            { name: 'icons', test: /node_modules.@tabler/, minShareCount: 2 },
            {
              name: 'base',
              // What a part of it needs is shared by as many, so that none of it waits for a file that waits for it.
              test: new RegExp(`node_modules.(?!@tabler)${apart}`),
              priority: 3,
              minShareCount: 12,
            },
            {
              name: 'shared',
              // The list of models brings the schemas of conversations.
              test: /console.src.(?!parts.table.(?!table-search)|pages|api.chat-models)|contract.src.(?:described|console.(?:errors|roles|session))/,
              priority: 2,
              minShareCount: 12,
            },
            {
              name: 'choices',
              test: new RegExp(
                `node_modules.@mantine.core.esm.components.${choiceParts}[^A-Za-z]|console.src.parts.table.(?!table-search)`,
              ),
              priority: 1,
              minShareCount: 6,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/console/api': { target: 'http://127.0.0.1:8080' } },
  },
});
