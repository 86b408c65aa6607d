import { PARSER_MODEL } from '@ai-studio/documents';
import type { MeteredCall } from '../usage/index.ts';

/** A document that was read, or was not: its unit is the page. Source: decisions section 6. */
export type ParsedCall = Pick<MeteredCall, 'actor' | 'startedMs' | 'outcome' | 'error' | 'status'> & {
  /** That were read. */
  readonly pages: number;
};

/** The same as a call to be counted. */
export const parseUsage = (call: ParsedCall): MeteredCall => ({
  ...call,
  endpoint: 'document/parse',
  model: PARSER_MODEL,
  engine: null,
});
