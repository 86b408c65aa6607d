export { jpegOf, pngHeader, pngOf, tiffOf } from './files.ts';
export { drawnLetters } from './outlines.ts';
export { scanned, scannedPdf, wrapped } from './pages.ts';
export { coarser, noisy } from './wear.ts';
