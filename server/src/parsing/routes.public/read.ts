import type { CallContext } from '../../kernel/actor.ts';
import { type HowToRead, type MeteredParseDeps, parseMeteredAs, type ReadFile, type WantedForm } from '../index.ts';
import type { Upload } from '../../http-kit/upload.ts';

/** What routes that read a file work with. */
export interface ReadRouteDeps extends MeteredParseDeps {
  /** Where files are kept while they are read. */
  readonly folder: string;
  readonly maxUploadBytes: number;
}

/** How files are read where nothing else is asked for. */
export const everything: HowToRead = { parser_type: 'auto' };

/** Reads a file, has it written in a form, and removes it. Rejects as `parseAs`. */
export async function readInForm(
  deps: ReadRouteDeps,
  ctx: CallContext,
  given: Pick<Upload, 'path' | 'name' | 'remove'>,
  wanted: (read: ReadFile) => WantedForm,
  how: HowToRead = everything,
): Promise<Buffer> {
  try {
    const write = (read: ReadFile) => deps.renderer.render(read.bytes, wanted(read));
    const { written } = await parseMeteredAs(deps, ctx, given, how, write);
    return Buffer.from(written.buffer, written.byteOffset, written.byteLength);
  } finally {
    await given.remove();
  }
}
