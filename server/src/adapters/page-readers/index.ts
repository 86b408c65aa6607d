import type { PageReader } from '../../ports/page-reader.ts';
import type { ServerOptions } from './ask.ts';
import { createDoclingReader } from './docling.ts';
import { createMineruReader } from './mineru.ts';

export type { ServerOptions } from './ask.ts';

const kinds = { docling: createDoclingReader, mineru: createMineruReader } as const;
/** Kinds of servers that read pages. */
export type PageServerKind = keyof typeof kinds;

/** Reads pages by a server of this kind. */
export const createPageReader = (kind: PageServerKind, server: ServerOptions): PageReader => kinds[kind](server);
