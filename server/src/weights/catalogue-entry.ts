/** What a model is for. */
export type WeightsKind = 'chat' | 'embedding' | 'rerank';

/** A sentence for people in the languages of the console. */
export interface Words {
  readonly ko: string;
  readonly en: string;
}

/** A model that can be downloaded by its name. */
export interface CatalogueWeights {
  /** Short name for commands; the file keeps its own. */
  readonly id: string;
  /** Name of the product, the same in every language. */
  readonly title: string;
  /** What it is good for, in a sentence. */
  readonly about: Words;
  readonly kind: WeightsKind;
  /** Repository and file on the hub, or on a mirror with the hub's paths. */
  readonly repository: string;
  readonly file: string;
  readonly revision: string;
  /** Licence of the weights, by the name that their model card has. */
  readonly licence: string;
  /** What a person must know of the licence before the model is used; null for one that leaves all free. */
  readonly licenceNote: Words | null;
  /** About so many bytes; the download says exactly. */
  readonly bytes: number;
  /** About so much memory when it is loaded with a context of 8,192 tokens. */
  readonly memoryBytes: number;
  /** SHA-256 of the file; null: the one that the hub itself gives (`X-Linked-Etag`). */
  readonly sha256: string | null;
  /** Family of the chat template. */
  readonly family: string;
  /** Tokens of prompt and reply together that it was made for. */
  readonly contextLength: number;
  readonly languages: readonly string[];
}

type Optional = Pick<CatalogueWeights, 'revision' | 'sha256' | 'licenceNote'>;
/** What must be written down of a model. */
export type Entry = Omit<CatalogueWeights, keyof Optional | 'memoryBytes'> & Partial<Optional>;
