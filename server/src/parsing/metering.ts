import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import { PARSER_MODEL } from '@ai-studio/documents';
import type { CallContext } from '../kernel/actor.ts';
import type { MeteredCall, Metering, ModelUse, PreparedUse, UsageRecorder } from '../usage/index.ts';
import {
  type GivenFile,
  type HowToRead,
  parseAs,
  type parseDocument,
  type ParseDeps,
  type ReadFile,
  writeParsed,
} from './parse.ts';

/** A document that was read, or was not: its unit is the page. Source: decisions section 6. */
export type ParsedCall = Pick<MeteredCall, 'actor' | 'startedMs'> &
  Pick<ModelUse, 'outcome' | 'error' | 'status'> & {
    /** That were read. */
    readonly pages: number;
  };

const meteredArguments = ({ actor, startedMs, ...use }: ParsedCall) =>
  [
    { actor, startedMs, endpoint: 'document/parse' },
    { ...use, model: PARSER_MODEL, engine: null },
  ] as const;

/** Meters the reading of a document, which asks no model. */
export const meterParse = (metering: UsageRecorder, parsed: ParsedCall): void =>
  metering.record(...meteredArguments(parsed));

/** The same, for a document whose outcome is stored in the database: its usage is stored with it. */
export const prepareParse = (metering: Metering, parsed: ParsedCall): PreparedUse =>
  metering.prepare(...meteredArguments(parsed));

export interface MeteredParseDeps extends ParseDeps {
  readonly metering: UsageRecorder;
}

/** Reads a document as `parseAs` does, and meters it, whatever becomes of it. */
export async function parseMeteredAs<T>(
  deps: MeteredParseDeps,
  { signal, ...ctx }: CallContext,
  file: GivenFile,
  how: HowToRead,
  write: (read: ReadFile) => Promise<T>,
): Promise<{ readonly written: T; readonly pages: number }> {
  const { metering, now } = deps;
  const { actor } = ctx;
  const startedMs = now();
  try {
    const done = await parseAs(deps, { tenantId: actor.tenantId, signal, ctx }, file, how, write);
    meterParse(metering, { actor, startedMs, pages: done.pages });
    return done;
  } catch (error) {
    meterParse(metering, { actor, startedMs, outcome: signal.aborted ? 'canceled' : 'error', error, pages: 0 });
    throw error;
  }
}

/** The same, in the form of our own endpoints: JSON text (ParsedDocument) in UTF-8. */
export async function parseMetered(
  deps: MeteredParseDeps,
  ctx: CallContext,
  file: GivenFile,
  fields: DocumentParseFields,
): ReturnType<typeof parseDocument> {
  const { written, pages } = await parseMeteredAs(deps, ctx, file, fields, writeParsed(deps, fields));
  return { json: written, pages };
}
