export { jpegOf, pngHeader, pngOf, tiffOf } from './files.ts';
export { scanned, scannedPdf, wrapped } from './pages.ts';
export { coarser, noisy } from './wear.ts';
