import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { earlyFiles } from './early-files.ts';
import { withoutDescriptions } from './without-descriptions.ts';
import { woff2Only } from './woff2-only.ts';

/** What stands in the built index.html where the server puts the nonce of the answer. */
const NONCE_MARK = '__STUDIO_NONCE__';

export default defineConfig({
  base: '/console/',
  // Grammars are fetched by the worker when they are wanted.
  worker: { format: 'es' },
  plugins: [react(), withoutDescriptions(), woff2Only(), earlyFiles()],
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
          groups: [
            { name: 'icons', test: /node_modules.@tabler/, minShareCount: 2 },
            {
              name: 'base',
              // Fields for numbers are large, and come with the pages that have some.
              test: /node_modules.(?!@mantine.core.esm.components.NumberInput)(?:@floating-ui|@mantine|@tanstack|react|react-dom|react-hook-form|zod)[^-]/,
              minShareCount: 12,
            },
            { name: 'shared', test: /(?:console|contract).src/, minShareCount: 8 },
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
