import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** The page of the frame that draws diagrams: a build of its own, so that it shares no file with the console around it. */
export default defineConfig({
  base: '/console/',
  publicDir: false,
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    emptyOutDir: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
    rolldownOptions: { input: resolve(import.meta.dirname, 'diagram.html') },
  },
});
