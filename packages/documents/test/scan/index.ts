export { jpegOf, pngHeader, pngOf, tiffOf } from './files.ts';
export { scanned, scannedPdf, wrapped } from './pages.ts';
