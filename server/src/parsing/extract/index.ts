import type { DocumentExtractFields, ExtractedDocument } from '@ai-studio/contract/utilities/document.ts';
import { type ExtractedValues, type FoundValue, PARSER_MODEL, type QuotePlace } from '@ai-studio/documents';
import { requireModel } from '../../inference/index.ts';
import type { CallContext } from '../../kernel/actor.ts';
import { type MeteredParseDeps, parseMeteredAs } from '../metering.ts';
import type { GivenFile } from '../parse.ts';
import { type AskModelDeps, type ModelAnswer, type ModelValue, askModel } from './ask-model.ts';
import type { DescribedValue } from './property.ts';
import { type ExtractSchema, readExtractSchema } from './schema.ts';

export type ExtractDeps = MeteredParseDeps & AskModelDeps;
/** What values of documents that were read before are found with. */
export type ReadExtractDeps = AskModelDeps & Pick<ExtractDeps, 'renderer'>;

/** UTF-16 units of a document that a model is shown: some 8,000 tokens of Korean. */
const MODEL_TEXT_LENGTH = 16_000;
/** What a model says is worth less than what stands in a field or a cell; without a passage that can be found again it may be made up. */
const confidences = { quoted: 0.7, unquoted: 0.3 } as const;

type Field = ExtractedDocument['fields'][number];
type Step = string | number;
/** A value of any source, before it is written as callers read it. */
type Found = Omit<FoundValue, 'source'> & { readonly source: Field['source'] };

const nameOf = (path: readonly Step[]): string =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`),
    '',
  );

/** Objects and lists around the values, as their paths say. A caller's names may be those that all objects inherit, such as `valueOf`. */
function assemble(found: readonly Found[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, value } of found) {
    let at = root as Record<Step, unknown>;
    for (const [depth, step] of path.entries()) {
      if (depth === path.length - 1) at[step] = value;
      else {
        if (!Object.hasOwn(at, step)) at[step] = typeof path[depth + 1] === 'number' ? [] : {};
        at = at[step] as Record<Step, unknown>;
      }
    }
  }
  return root;
}

const tenth = (points: number) => Math.round(points * 10) / 10;

const fieldOf = ({ path, value, page, box, confidence, source, quote }: Found): Field => ({
  name: nameOf(path),
  value,
  page,
  ...(box === undefined ? {} : { bbox: [box.x, box.y, tenth(box.x + box.width), tenth(box.y + box.height)] }),
  confidence: Math.round(confidence * 100) / 100,
  source,
  quote,
});

const fromModel = ({ wanted, value, quote }: ModelValue, place: QuotePlace | null): Found => ({
  path: wanted.path,
  value,
  page: place?.page ?? null,
  ...(place?.box === undefined ? {} : { box: place.box }),
  confidence: place === null ? confidences.unquoted : confidences.quoted,
  source: 'model',
  quote,
});

/** A value, or a column of a list, as the schema names it. */
const columnOf = (path: readonly Step[]): string =>
  path.map((step, at) => (typeof step === 'number' ? '[]' : at === 0 ? step : `.${step}`)).join('');

/** The values of a schema that nothing was found for. */
function missingValues({ values }: ExtractSchema, found: readonly Found[]): readonly DescribedValue[] {
  const known = new Set(found.map(({ path }) => columnOf(path)));
  return values.filter(({ path }) => !known.has(columnOf(path)));
}

/** Names of the values, lists and columns of lists that nothing was found for; of a list that is missing its name alone. */
function missingOf(schema: ExtractSchema, found: readonly Found[]): string[] {
  const known = new Set(found.map(({ path }) => columnOf(path)));
  const lists = schema.rows.flatMap(({ path, columns }) => {
    const list = nameOf(path);
    const missing = columns.map((column) => `${list}[].${nameOf(column.path)}`).filter((name) => !known.has(name));
    return missing.length === columns.length ? [list] : missing;
  });
  return [...missingValues(schema, found).map(({ path }) => nameOf(path)), ...lists];
}

const parsed = (json: Uint8Array): unknown => JSON.parse(Buffer.from(json).toString('utf8'));
const wordsOf = ({ path, labels }: DescribedValue) => [path.join('.'), labels] as const;

/** What is looked for in a document that was read. */
export interface Question {
  readonly schema: ExtractSchema;
  /** That is asked for what rules do not find; rules alone when left out. */
  readonly model: string | undefined;
  readonly instructions: string;
}

/** Looks for values by rules. */
async function look(
  { renderer }: Pick<ExtractDeps, 'renderer'>,
  bytes: Uint8Array,
  { schema: { values, rows }, model }: Question,
): Promise<ExtractedValues> {
  const json = await renderer.render(bytes, {
    form: 'extract',
    wanted: { values, rows },
    textLength: model === undefined ? 0 : MODEL_TEXT_LENGTH,
    words: Object.fromEntries(values.map(wordsOf)),
  });
  return parsed(json) as ExtractedValues;
}

/** What was found of a schema, and what a model that was asked used. */
interface Concluded extends Pick<ExtractedDocument, 'values' | 'fields' | 'missing' | 'warnings'> {
  readonly asked: ModelAnswer | null;
}

/** Asks the model for what rules did not find. */
async function conclude(
  deps: ReadExtractDeps,
  ctx: CallContext,
  bytes: Uint8Array,
  { question, looked }: { readonly question: Question; readonly looked: ExtractedValues },
): Promise<Concluded> {
  const { schema, model, instructions } = question;
  const found: Found[] = [...looked.found];
  const missing = missingValues(schema, found);
  let asked: ModelAnswer | null = null;
  if (model !== undefined && missing.length > 0 && looked.text !== '') {
    asked = await askModel(deps, ctx, { model, instructions, text: looked.text, missing });
    const quotes = asked.values.map(({ quote }) => quote);
    const places = parsed(await deps.renderer.render(bytes, { form: 'quotes', quotes })) as (QuotePlace | null)[];
    for (const [at, value] of asked.values.entries()) found.push(fromModel(value, places[at] ?? null));
  }
  return {
    asked,
    values: assemble(found),
    fields: found.map(fieldOf),
    missing: missingOf(schema, found),
    warnings: [
      ...looked.warnings,
      ...(asked !== null && !looked.whole
        ? [{ code: 'document_cut', message: 'The model was shown a part of the document, which is too long for it.' }]
        : []),
    ],
  };
}

/**
 * Looks for what a schema asks for in a document that was read before: by rules, and where a model is named by that for the rest. The
 * model's use is metered for the actor. Rejects with what the renderer or the model failed with.
 */
export async function extractFromRead(
  deps: ReadExtractDeps,
  ctx: CallContext,
  bytes: Uint8Array,
  question: Question,
): Promise<Concluded> {
  return conclude(deps, ctx, bytes, { question, looked: await look(deps, bytes, question) });
}

/**
 * Reads a document and looks for what a schema asks for: by rules, and where a model is named by that for the rest. Rejects as `parseAs`,
 * with `invalid_request` for a schema or a model that is not understood, and with what the model failed with.
 */
export async function extractMetered(
  deps: ExtractDeps,
  ctx: CallContext,
  file: GivenFile,
  { schema: text, model, instructions = '', ...how }: DocumentExtractFields,
): Promise<{ readonly extracted: ExtractedDocument; readonly usage: Readonly<Record<string, number>> }> {
  const { now } = deps;
  const startedMs = now();
  const question = { schema: readExtractSchema(text), model, instructions };
  // Before anything is read, and also where rules find all.
  if (model !== undefined) requireModel(deps.catalogue, 'chat', ctx.actor.allowedModels, model);
  const { written, pages } = await parseMeteredAs(deps, ctx, file, how, async ({ bytes }) => ({
    bytes,
    looked: await look(deps, bytes, question),
  }));
  const { bytes, looked } = written;
  const { asked, values, fields, missing, warnings } = await conclude(deps, ctx, bytes, { question, looked });
  return {
    extracted: {
      model: PARSER_MODEL,
      status: 'SUCCESS',
      document_name: file.name,
      format: looked.format,
      processing_time_ms: Math.round(now() - startedMs),
      values,
      fields,
      missing,
      warnings,
    },
    usage: {
      pages,
      ...(asked === null ? {} : { prompt_tokens: asked.promptTokens, completion_tokens: asked.completionTokens }),
    },
  };
}
