import type { PublicRoute } from '../../http-kit/public-route.ts';
import { doclingRoutes } from './docling.ts';
import { type DocumentRouteDeps, documentRoutes } from './documents.ts';
import { type ExtractRouteDeps, extractRoutes } from './extract.ts';
import { loaderRoutes } from './loader.ts';
import { type RenderRouteDeps, renderRoutes } from './render.ts';
import { tikaRoutes } from './tika.ts';
import { type ParseToolDeps, parseToolRoutes } from './tool.ts';

export type ParsingRouteDeps = DocumentRouteDeps & ParseToolDeps & ExtractRouteDeps & RenderRouteDeps;

/** Writing of documents, and their reading, in our own form and in those of Open WebUI's loader, Docling Serve and Tika. */
export const parsingRoutes = (deps: ParsingRouteDeps): readonly PublicRoute[] => [
  ...documentRoutes(deps),
  ...extractRoutes(deps),
  ...renderRoutes(deps),
  ...loaderRoutes(deps),
  ...doclingRoutes(deps),
  ...tikaRoutes(deps),
  ...parseToolRoutes(deps),
];
