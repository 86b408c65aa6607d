import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** What the build of the console tells of its files. Source: tools/build-console.mjs. */
const FileList = z.object({
  files: z.record(
    z.string(),
    z.object({
      type: z.string(),
      etag: z.string(),
      sizes: z.object({ raw: z.number(), br: z.number().optional(), gz: z.number().optional() }),
    }),
  ),
});

export type ConsoleFile = z.infer<typeof FileList>['files'][string];

interface Build {
  /** Of the list, to notice another build. */
  readonly writtenMs: number;
  readonly files: ReadonlyMap<string, ConsoleFile>;
  /** index.html, in which {@link NONCE_MARK} stands for the nonce of the answer. */
  readonly page: string;
}

/** Source: console/vite.config.ts. */
export const NONCE_MARK = '__STUDIO_NONCE__';

/** Forms of a file that the build made, best first, by the name of HTTP. */
const encodings = [
  { name: 'br', suffix: 'br' },
  { name: 'gzip', suffix: 'gz' },
] as const;
export type Encoding = (typeof encodings)[number]['name'];

/** What the client takes of the forms that there are; null for the bytes as they are. */
export function pickEncoding(accepted: string | undefined, { sizes }: ConsoleFile): Encoding | null {
  const weights = new Map<string, number>();
  for (const part of (accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const taken = ({ name }: { name: string }) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  return encodings.find((encoding) => sizes[encoding.suffix] !== undefined && taken(encoding))?.name ?? null;
}

/** The files of the built console. */
export interface ConsoleFiles {
  /** The page of every address; null where the console is not built. */
  page(): Promise<string | null>;
  /** Null where there is no such file. */
  find(name: string): Promise<ConsoleFile | null>;
  /** Bytes of a file that was found. Rejects when another build has taken its place since. */
  read(name: string, encoding: Encoding | null): Promise<Buffer>;
}

/** Reads the folder of the build; another build that takes its place while the service runs is noticed. */
export function createConsoleFiles(folder: string): ConsoleFiles {
  let build: Build | null = null;
  const list = join(folder, 'files.json');

  async function current(): Promise<Build | null> {
    const { mtimeMs } = (await stat(list).catch(() => null)) ?? {};
    if (mtimeMs === undefined) return (build = null);
    if (build?.writtenMs === mtimeMs) return build;
    const { files } = FileList.parse(JSON.parse(await readFile(list, 'utf8')));
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    return (build = { writtenMs: mtimeMs, files: new Map(Object.entries(files)), page });
  }

  return {
    page: async () => (await current())?.page ?? null,
    find: async (name) => (await current())?.files.get(name) ?? null,
    read(name, encoding) {
      const { suffix } = encodings.find((one) => one.name === encoding) ?? {};
      return readFile(join(folder, suffix === undefined ? name : `${name}.${suffix}`));
    },
  };
}
