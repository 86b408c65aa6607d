import type { MeteredCall, Metering, ModelUse } from '../usage/index.ts';
import { PARSER_MODEL } from './render/parsed.ts';

/** A document that was read, or was not: its unit is the page. Source: decisions section 6. */
export type ParsedCall = Pick<MeteredCall, 'actor' | 'startedMs'> &
  Pick<ModelUse, 'outcome' | 'error' | 'status'> & {
    /** That were read. */
    readonly pages: number;
  };

/** Meters the reading of a document, which asks no model. */
export const meterParse = (metering: Pick<Metering, 'record'>, { actor, startedMs, ...use }: ParsedCall): void =>
  metering.record({ actor, startedMs, endpoint: 'document/parse' }, { ...use, model: PARSER_MODEL, engine: null });
